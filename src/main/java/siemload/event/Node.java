package siemload.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * A detector, or a relay that passed the event on. Immutable under the same condition as {@link SecurityEvent}.
 *
 * @param name the dotted name, country first: {@code cz.cesnet.hoststats}; empty if the event had none
 * @param types the {@code Type} tags, for instance {@code Flow}, {@code Relay}
 * @param software the {@code SW} list
 * @param other all remaining keys in the order of the event
 */
public record Node(String name, List<String> types, List<String> software, Map<String, JsonNode> other) {

    public Node {
        types = List.copyOf(types);
        software = List.copyOf(software);
        other = SecurityEvent.ordered(other);
    }
}
