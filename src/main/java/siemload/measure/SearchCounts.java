package siemload.measure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.Outcome;

/**
 * What is counted of searches beside their times. Immutable.
 *
 * @param outcomes how many ended in each way
 * @param errors how many failed with each error, by its name in results
 * @param busyNanos how long workers were busy with them
 */
public record SearchCounts(
        Map<Outcome, Long> outcomes, Map<String, Long> errors, long busyNanos, long rows, long bytes) {
    /** Nothing was counted. */
    static final SearchCounts NONE = new SearchCounts(Map.of(), Map.of(), 0, 0, 0);

    public SearchCounts {
        outcomes = outcomes.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(outcomes));
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    }

    /** What was counted since an earlier look at the same searches. */
    SearchCounts since(SearchCounts earlier) {
        return new SearchCounts(
                since(outcomes, earlier.outcomes),
                since(errors, earlier.errors),
                busyNanos - earlier.busyNanos,
                rows - earlier.rows,
                bytes - earlier.bytes);
    }

    /** Both together. */
    SearchCounts plus(SearchCounts more) {
        return new SearchCounts(
                plus(outcomes, more.outcomes),
                plus(errors, more.errors),
                busyNanos + more.busyNanos,
                rows + more.rows,
                bytes + more.bytes);
    }

    private static <K> Map<K, Long> plus(Map<K, Long> some, Map<K, Long> more) {
        Map<K, Long> sum = new TreeMap<>(some);
        more.forEach((key, count) -> sum.merge(key, count, Long::sum));
        return sum;
    }

    private static <K> Map<K, Long> since(Map<K, Long> now, Map<K, Long> earlier) {
        Map<K, Long> more = new TreeMap<>();
        now.forEach((key, count) -> {
            long fresh = count - earlier.getOrDefault(key, 0L);
            if (fresh != 0) {
                more.put(key, fresh);
            }
        });
        return more;
    }
}
