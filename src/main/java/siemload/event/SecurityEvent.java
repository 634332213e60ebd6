package siemload.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One security event in the IDEA format (Intrusion Detection Extensible Alert, CESNET). The keys that searches and
 * layouts use are typed; every other key, known to IDEA or not, is kept as it was read in {@link #other()}, so that an
 * event survives a round trip through {@link IdeaReader} and {@link IdeaWriter}.
 *
 * <p>Immutable as long as nobody changes the JSON nodes in {@code other}, which is not allowed; thread-safe under that
 * condition.
 *
 * @param id the identifier ({@code ID}), unique in a data set
 * @param detectTime when the detector saw the incident ({@code DetectTime})
 * @param categories the IDEA categories ({@code Category}), in the order of the event; empty if the event had none
 * @param description the one-line description ({@code Description}); empty if the event had none
 * @param sources where the incident came from ({@code Source})
 * @param targets what the incident was directed at ({@code Target})
 * @param nodes the detector and the relays on the way ({@code Node}), in the order of the event
 * @param other all remaining top-level keys in the order of the event, {@code Format} among them
 */
public record SecurityEvent(
        String id,
        Instant detectTime,
        List<String> categories,
        String description,
        List<Endpoint> sources,
        List<Endpoint> targets,
        List<Node> nodes,
        Map<String, JsonNode> other) {

    public SecurityEvent {
        categories = List.copyOf(categories);
        sources = List.copyOf(sources);
        targets = List.copyOf(targets);
        nodes = List.copyOf(nodes);
        other = ordered(other);
    }

    /** Returns this event with another id, another time and other keys. */
    public SecurityEvent with(String otherId, Instant otherTime, Map<String, JsonNode> otherKeys) {
        return new SecurityEvent(otherId, otherTime, categories, description, sources, targets, nodes, otherKeys);
    }

    /** The sources, followed by the targets. */
    public Stream<Endpoint> endpoints() {
        return Stream.concat(sources.stream(), targets.stream());
    }

    /** The name of the detector: the name of the last node that has one, since relays come before the detector. */
    public Optional<String> detector() {
        return nodes.stream().map(Node::name).filter(name -> !name.isEmpty()).reduce((relay, last) -> last);
    }

    /** An unmodifiable copy that keeps the order of its keys, which {@link Map#copyOf} does not. */
    static Map<String, JsonNode> ordered(Map<String, JsonNode> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
