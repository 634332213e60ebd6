package siemload.database.postgresql;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.event.AddressRange;
import siemload.event.Endpoint;

/**
 * Ranges as networks, which is how the type {@code inet} has them. Among its values those that share an address with the
 * range from a to b are the networks around a, and those from a to b in the order of the type.
 */
final class Networks {
    private Networks() {}

    /** The smallest network that covers each address of one side of an event, each network once. */
    static Set<AddressRange> ofSide(List<Endpoint> side) {
        if (side.isEmpty()) {
            return Set.of();
        }
        Set<AddressRange> networks = new LinkedHashSet<>();
        for (Endpoint end : side) {
            for (AddressRange address : end.addresses()) {
                networks.add(address.isSingle() ? address : address.network(address.sharedBits()));
            }
        }
        return networks;
    }

    /**
     * All networks that the first addresses of these ranges lie in, from those of these addresses alone to those of all; as an array of
     * {@code inet}.
     */
    static String around(Collection<AddressRange> ranges) {
        Set<AddressRange> networks = new LinkedHashSet<>();
        for (AddressRange range : ranges) {
            for (int bits = range.family().bits(); bits >= 0; bits--) {
                networks.add(range.network(bits));
            }
        }
        return array(networks);
    }

    /** As an array of {@code inet}. */
    static String array(Collection<AddressRange> networks) {
        return networks.stream().map(AddressRange::toString).collect(Collectors.joining(",", "{", "}"));
    }
}
