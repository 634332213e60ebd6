package siemload.dataset.learn;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counts things by their kind. Not thread-safe.
 *
 * @param <K> the kinds
 */
final class KindCounts<K extends Enum<K>> {
    private final Map<K, long[]> counts;

    KindCounts(Class<K> kinds) {
        counts = new EnumMap<>(kinds);
        for (K kind : kinds.getEnumConstants()) {
            counts.put(kind, new long[1]);
        }
    }

    void add(K kind) {
        add(kind, 1);
    }

    void add(K kind, long count) {
        of(kind)[0] += count;
    }

    long count(K kind) {
        return of(kind)[0];
    }

    /** The sum over all kinds. */
    long sum() {
        return counts.values().stream().mapToLong(count -> count[0]).sum();
    }

    private long[] of(K kind) {
        return counts.getOrDefault(kind, new long[1]);
    }
}
