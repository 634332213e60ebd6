package siemload.dataset.learn;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts {@link Oddity oddities}. Not thread-safe. */
final class Oddities {
    private final KindCounts<Oddity> counts = new KindCounts<>(Oddity.class);

    void add(Oddity oddity) {
        counts.add(oddity);
    }

    void add(Oddity oddity, long count) {
        counts.add(oddity, count);
    }

    /** Those that occurred, in the order of their kinds. */
    Map<Oddity, Long> found() {
        Map<Oddity, Long> found = new EnumMap<>(Oddity.class);
        for (Oddity oddity : Oddity.values()) {
            if (counts.count(oddity) > 0) {
                found.put(oddity, counts.count(oddity));
            }
        }
        return Collections.unmodifiableMap(found);
    }
}
