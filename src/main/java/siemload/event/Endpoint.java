package siemload.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * One entry of an event's {@code Source} or {@code Target}. Immutable under the same condition as {@link SecurityEvent}.
 *
 * @param types the {@code Type} tags, for instance {@code Botnet}
 * @param addresses {@code IP4}, then {@code IP6}: addresses, networks and ranges, otherwise in the order of the event
 * @param ports the transport ports, 0 to 65535
 * @param protocols the protocols, lower case, from the lowest layer up: {@code tcp}, {@code ssh}
 * @param other all remaining keys in the order of the event; entries of {@code IP4}, {@code IP6} and {@code Port} that are not an
 *     address or a port stay here under their own key, as a list
 */
public record Endpoint(
        List<String> types,
        List<AddressRange> addresses,
        List<Integer> ports,
        List<String> protocols,
        Map<String, JsonNode> other) {

    public Endpoint {
        types = List.copyOf(types);
        addresses = addresses.size() < 2
                ? List.copyOf(addresses)
                : addresses.stream()
                        .sorted(Comparator.comparing(AddressRange::family))
                        .toList();
        ports = List.copyOf(ports);
        protocols = List.copyOf(protocols);
        other = SecurityEvent.ordered(other);
    }
}
