package siemload.database.postgresql.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;

/**
 * Ranges as networks, which is how the type {@code inet} has them. Among its values those that share an address with the
 * range from a to b are the networks around a, and those from a to b in the order of the type.
 */
public final class Networks {
    private static final int HALF = 64;

    private Networks() {}

    /** The smallest network that covers each address of one side of an event, each network once. */
    public static Set<AddressRange> ofSide(List<Endpoint> side) {
        if (side.isEmpty()) {
            return Set.of();
        }
        Set<AddressRange> networks = new LinkedHashSet<>();
        for (Endpoint end : side) {
            for (AddressRange address : end.addresses()) {
                networks.add(address.isSingle() ? address : network(address, bits(address)));
            }
        }
        return networks;
    }

    /** All networks that the first address of the range lies in, from that of this address alone to that of all. */
    public static List<AddressRange> around(AddressRange range) {
        List<AddressRange> networks = new ArrayList<>(range.family().bits() + 1);
        for (int bits = range.family().bits(); bits >= 0; bits--) {
            networks.add(network(range, bits));
        }
        return networks;
    }

    public static AddressRange first(AddressRange range) {
        return new AddressRange(
                range.family(), range.firstHigh(), range.firstLow(), range.firstHigh(), range.firstLow());
    }

    public static AddressRange last(AddressRange range) {
        return new AddressRange(range.family(), range.lastHigh(), range.lastLow(), range.lastHigh(), range.lastLow());
    }

    /** The number of leading bits that all addresses of the range share; for a network, those of its name. */
    public static int bits(AddressRange range) {
        long high = range.firstHigh() ^ range.lastHigh();
        long low = range.firstLow() ^ range.lastLow();
        int same = high == 0 ? HALF + Long.numberOfLeadingZeros(low) : Long.numberOfLeadingZeros(high);
        return same - (2 * HALF - range.family().bits());
    }

    /** As an array of {@code inet}. */
    public static String array(Collection<AddressRange> networks) {
        return networks.stream().map(AddressRange::toString).collect(Collectors.joining(",", "{", "}"));
    }

    private static AddressRange network(AddressRange range, int bits) {
        Family family = range.family();
        int hostBits = family.bits() - bits;
        long high = hostMask(hostBits - HALF);
        long low = hostMask(hostBits);
        return new AddressRange(
                family,
                range.firstHigh() & ~high,
                range.firstLow() & ~low,
                range.firstHigh() | high,
                range.firstLow() | low);
    }

    /** The lowest bits of one half of an address set: as many as asked for, none or all of them. */
    private static long hostMask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= HALF ? -1 : (1L << bits) - 1;
    }
}
