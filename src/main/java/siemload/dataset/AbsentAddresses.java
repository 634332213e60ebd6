package siemload.dataset;

import java.util.List;
import java.util.TreeSet;
import siemload.event.AddressRange;

/**
 * Addresses that occur in no event: made up in 240.0.0.0/4, which is reserved, and struck off as soon as an event
 * comes near. If a data set has them all, the last one is kept. Not thread-safe.
 */
final class AbsentAddresses {
    private static final long FIRST = 0xF000_0000L;
    private static final int CANDIDATES = 1_000;
    private static final long SEED = 240;

    private final TreeSet<Long> candidates = new TreeSet<>();

    AbsentAddresses() {
        SeededRandom random = new SeededRandom(SEED);
        while (candidates.size() < CANDIDATES) {
            candidates.add(FIRST + random.nextLong(1L << 28));
        }
    }

    /** Strikes off every candidate whose surrounding 256 addresses this range touches. */
    void remove(AddressRange range) {
        if (range.family() == AddressRange.Family.IP4 && range.lastLow() >= FIRST) {
            candidates
                    .subSet(range.firstLow() & ~0xFFL, true, range.lastLow() | 0xFFL, true)
                    .removeIf(candidate -> candidates.size() > 1);
        }
    }

    List<AddressRange> addresses() {
        return candidates.stream().map(AddressRange::ip4).toList();
    }
}
