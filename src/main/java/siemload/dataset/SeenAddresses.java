package siemload.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/**
 * What was seen of each single address. Memory is bounded: from about two million different addresses on, only those whose
 * hash falls into a shrinking share are kept, which is a fair sample of all. Not thread-safe.
 *
 * <p>A hash table of its own, whose entries are the counts themselves: of a large data set hardly an address lies in the
 * processor's caches, and each step through a {@link java.util.HashMap} to the count waits for memory.
 */
final class SeenAddresses {
    private static final int MOST = 2_000_000;
    private static final int FIRST_BITS = 16;

    private final int most;
    private int bits = FIRST_BITS;
    private @Nullable SeenAddress[] slots = new SeenAddress[1 << bits];
    private int size;
    private long sampleMask;

    SeenAddresses() {
        this(MOST);
    }

    /** @param most from how many on only a share of them is kept */
    SeenAddresses(int most) {
        this.most = most;
    }

    /** Counts an event that has the address on this side. */
    void count(AddressRange address, SecurityEvent event, List<Endpoint> side, boolean asSource) {
        long hash = hash(address.firstHigh(), address.firstLow());
        if ((hash & sampleMask) == 0) {
            int slot = slot(hash);
            SeenAddress seen = slots[slot];
            while (seen != null && !seen.is(address)) {
                slot = (slot + 1) & (slots.length - 1);
                seen = slots[slot];
            }
            if (seen == null) {
                seen = new SeenAddress(address, event);
                slots[slot] = seen;
                size++;
            }
            seen.count(event, side, asSource);
            makeRoom();
        }
    }

    /** All that were kept: IPv4 before IPv6, then by address. */
    List<SeenAddress> inOrder() {
        List<SeenAddress> all = new ArrayList<>(size);
        for (SeenAddress seen : slots) {
            if (seen != null) {
                all.add(seen);
            }
        }
        all.sort(SeenAddress.ORDER);
        return all;
    }

    private void makeRoom() {
        while (size > most) {
            sampleMask = sampleMask << 1 | 1;
            fill(slots);
        }
        if (2 * size > slots.length) {
            bits++;
            fill(slots);
        }
    }

    /** Makes a table of the size that {@code bits} tells of those that belong to the sample. */
    private void fill(@Nullable SeenAddress[] from) {
        slots = new SeenAddress[1 << bits];
        size = 0;
        for (SeenAddress seen : from) {
            if (seen != null) {
                long hash = hash(seen.high, seen.low);
                if ((hash & sampleMask) == 0) {
                    int slot = slot(hash);
                    while (slots[slot] != null) {
                        slot = (slot + 1) & (slots.length - 1);
                    }
                    slots[slot] = seen;
                    size++;
                }
            }
        }
    }

    /** Where the search for it begins: by bits that the sample does not go by. */
    private int slot(long hash) {
        return (int) (hash >>> (Long.SIZE - bits));
    }

    private static long hash(long high, long low) {
        return SeededRandom.mix(high, low);
    }

    /** What was seen of one address. */
    static final class SeenAddress extends Seen {
        static final Comparator<SeenAddress> ORDER = Comparator.comparing((SeenAddress seen) -> seen.family)
                .thenComparing((one, other) -> Long.compareUnsigned(one.high, other.high))
                .thenComparing((one, other) -> Long.compareUnsigned(one.low, other.low));

        private final Family family;
        private final long high;
        private final long low;
        private int ownPort = NO_PORT;
        private long asSource;

        private SeenAddress(AddressRange address, SecurityEvent event) {
            super(event);
            family = address.family();
            high = address.firstHigh();
            low = address.firstLow();
        }

        private boolean is(AddressRange address) {
            return low == address.firstLow() && high == address.firstHigh() && family == address.family();
        }

        private void count(SecurityEvent event, List<Endpoint> side, boolean isSource) {
            count(event);
            if (isSource) {
                asSource++;
            }
            if (ownPort == NO_PORT) {
                ownPort = anyPort(side);
            }
        }

        AddressRange address() {
            return family == Family.IP4 ? AddressRange.ip4(low) : AddressRange.ip6(high, low);
        }

        boolean hasOwnPort() {
            return ownPort != NO_PORT;
        }

        /** A port on the same side in the first event that had one there. */
        int ownPort() {
            return ownPort;
        }

        /** In how many events it was a source. */
        long asSource() {
            return asSource;
        }

        /** In how many events it was a target. */
        long asTarget() {
            return events() - asSource;
        }
    }
}
