package siemload.dataset.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.dataset.EventProfile;

/**
 * How often things occurred. Immutable.
 *
 * @param counts from the most frequent down; equally frequent ones in order of appearance
 * @param all how often anything occurred
 */
record Counts<T>(Map<T, Long> counts, long all) {
    static <T> Counts<T> of(Stream<? extends T> things) {
        Map<T, Long> counts = new LinkedHashMap<>();
        things.forEach(thing -> counts.merge(thing, 1L, Long::sum));
        Map<T, Long> ranked = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Collections.reverseOrder(Map.Entry.comparingByValue()))
                .forEach(one -> ranked.put(one.getKey(), one.getValue()));
        return new Counts<>(
                ranked, counts.values().stream().mapToLong(Long::longValue).sum());
    }

    long count(T thing) {
        return counts.getOrDefault(thing, 0L);
    }

    /** From the most frequent down. */
    Stream<T> ranked() {
        return counts.keySet().stream();
    }

    /** The share of a thing in all that occurred, 0 to 1. */
    double share(T thing) {
        return ratio(count(thing), all);
    }

    static double ratio(long part, long all) {
        return all == 0 ? 0 : Math.rint(1e6 * part / all) / 1e6;
    }

    /** As shares of profiles: above 0. */
    double percent(T thing) {
        return Math.max(EventProfile.SMALLEST_SHARE, Math.rint(1e8 * count(thing) / all) / 1e6);
    }

    /** As weights of profiles, with a default where nothing was counted. */
    Map<T, Integer> weights(T otherwise) {
        Map<T, Integer> weights = new TreeMap<>();
        ranked().forEach(thing ->
                weights.put(thing, (int) Math.max(1, Math.round(share(thing) * EventProfile.LARGEST_WEIGHT))));
        return weights.isEmpty() ? Map.of(otherwise, 1) : weights;
    }
}
