package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import siemload.dataset.EventProfile;

/**
 * Counts things in bounded memory: once it is full, a new thing takes the place of the rarest and its count (Metwally, Agrawal,
 * El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, 2005). Counts are exact until then. Not
 * thread-safe.
 *
 * @param <T> has equals and hashCode, and a natural order where {@link #weights} or {@link #sorted} is asked for
 */
final class Frequencies<T> {
    private final int most;
    private final Map<T, Long> counts = new LinkedHashMap<>();
    private long all;

    /** @param most how many different things are counted */
    Frequencies(int most) {
        this.most = most;
    }

    void add(T thing) {
        add(thing, 1);
    }

    void add(T thing, long times) {
        all += times;
        if (counts.computeIfPresent(thing, (known, count) -> count + times) == null) {
            long taken = counts.size() < most ? 0 : Objects.requireNonNull(counts.remove(rarest()));
            counts.put(thing, taken + times);
        }
    }

    private T rarest() {
        return Collections.min(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** How often anything was counted. */
    long all() {
        return all;
    }

    int size() {
        return counts.size();
    }

    /** 0 where the thing is not, or no longer, counted. */
    long of(T thing) {
        return counts.getOrDefault(thing, 0L);
    }

    /** The part of all that this is, 0 to 1. */
    double share(T thing) {
        return ratio(of(thing), all);
    }

    static double ratio(long part, long all) {
        return all == 0 ? 0 : Math.rint(1e6 * part / all) / 1e6;
    }

    /** From the most frequent down; things that are as frequent in the order in which they came. */
    List<T> ranked() {
        List<T> ranked = new ArrayList<>(counts.keySet());
        ranked.sort(Comparator.comparingLong((T thing) -> -of(thing)));
        return ranked;
    }

    /** The most frequent one. */
    Optional<T> usual() {
        return ranked().stream().findFirst();
    }

    /** In the order of the things. */
    SortedMap<T, Long> sorted() {
        return new TreeMap<>(counts);
    }

    /** As profiles have weights, with a usual one where nothing was counted. */
    Map<T, Integer> weights(T otherwise) {
        Map<T, Integer> weights = new TreeMap<>();
        counts.keySet().forEach(thing -> weights.put(thing, Math.max(1, weight(thing))));
        return weights.isEmpty() ? Map.of(otherwise, 1) : weights;
    }

    int weight(T thing) {
        return (int) Math.round(share(thing) * EventProfile.LARGEST_WEIGHT);
    }

    /** Counts by name, from the most frequent down; those of one name together. */
    Map<String, Double> named(Function<T, String> name) {
        Map<String, Double> named = new LinkedHashMap<>();
        ranked().forEach(thing -> named.merge(name.apply(thing), (double) of(thing), Double::sum));
        return named;
    }
}
