package siemload.dataset.learn;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.dataset.EventProfile;

/**
 * How often things occurred. Immutable.
 *
 * @param counts from the most frequent down; things that are as frequent in the order in which they came
 * @param all how often anything occurred
 */
record Counts<T>(Map<T, Long> counts, long all) {
    static <T> Counts<T> of(Stream<? extends T> things) {
        Map<T, Long> counts = new LinkedHashMap<>();
        things.forEach(thing -> counts.merge(thing, 1L, Long::sum));
        Map<T, Long> ranked = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<T, Long>comparingByValue(Comparator.reverseOrder()))
                .forEach(one -> ranked.put(one.getKey(), one.getValue()));
        return new Counts<>(
                ranked, counts.values().stream().mapToLong(Long::longValue).sum());
    }

    List<T> ranked() {
        return List.copyOf(counts.keySet());
    }

    /** The most frequent one. */
    T usual(T otherwise) {
        return counts.keySet().stream().findFirst().orElse(otherwise);
    }

    long of(Object thing) {
        Long count = counts.get(thing);
        return count == null ? 0 : count;
    }

    /** The part of all that this is, 0 to 1. */
    double share(T thing) {
        return ratio(of(thing), all);
    }

    static double ratio(long part, long all) {
        return all == 0 ? 0 : Math.rint(1e6 * part / all) / 1e6;
    }

    /** As profiles have shares: above 0. */
    double percent(T thing) {
        return Math.max(EventProfile.SMALLEST_SHARE, Math.rint(1e8 * of(thing) / all) / 1e6);
    }

    int weight(T thing) {
        return (int) Math.round(share(thing) * EventProfile.LARGEST_WEIGHT);
    }

    /** As profiles have weights, with a usual one where nothing was counted. */
    Map<T, Integer> weights(T otherwise) {
        Map<T, Integer> weights = new TreeMap<>();
        counts.keySet().forEach(thing -> weights.put(thing, Math.max(1, weight(thing))));
        return weights.isEmpty() ? Map.of(otherwise, 1) : weights;
    }
}
