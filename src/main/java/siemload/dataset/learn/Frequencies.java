package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import siemload.dataset.EventProfile;
import siemload.dataset.FairSample;
import siemload.dataset.SeededRandom;

/**
 * Counts things in bounded memory: once it is full, a new thing takes the place of the rarest and its count (Metwally, Agrawal,
 * El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, 2005). Counts are exact until then. Not
 * thread-safe.
 *
 * @param <T> has equals and hashCode, and a natural order where {@link #weights} or {@link #sorted} is asked for
 */
final class Frequencies<T> {
    private final int most;
    private final Map<T, long[]> counts = new LinkedHashMap<>();
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
        long[] count = counts.get(thing);
        if (count == null) {
            count = new long[] {counts.size() < most ? 0 : removeRarest()};
            counts.put(thing, count);
        }
        count[0] += times;
    }

    private long removeRarest() {
        Map.Entry<T, long[]> rarest =
                Collections.min(counts.entrySet(), Comparator.comparingLong(entry -> entry.getValue()[0]));
        counts.remove(rarest.getKey());
        return rarest.getValue()[0];
    }

    /** How often anything was counted. */
    long all() {
        return all;
    }

    int size() {
        return counts.size();
    }

    long of(T thing) {
        return counts.getOrDefault(thing, new long[1])[0];
    }

    boolean has(T thing) {
        return counts.containsKey(thing);
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
        ranked.sort(Comparator.comparingLong((T thing) -> of(thing)).reversed());
        return ranked;
    }

    /** The most frequent one. */
    Optional<T> usual() {
        return ranked().stream().findFirst();
    }

    /** In the order of the things. */
    void sorted(BiConsumer<T, Long> taker) {
        new TreeMap<>(counts).forEach((thing, count) -> taker.accept(thing, count[0]));
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

    /** How often each of very many things occurred, such as addresses; beyond a limit of a fair sample. Not thread-safe. */
    static final class Sample<T> {
        private static final int MOST = 1 << 17;
        private static final int LARGEST_COUNT = 1 << 30;

        private final FairSample<T, int[]> counts =
                new FairSample<>(MOST, thing -> SeededRandom.mix(thing.hashCode(), 1));
        private long draws;

        void add(T thing) {
            draws++;
            counts.note(thing, unused -> new int[1], count -> count[0] += count[0] < LARGEST_COUNT ? 1 : 0);
        }

        long draws() {
            return draws;
        }

        /** How many different things are in the sample. */
        int distinct() {
            return counts.values().size();
        }

        /** In how many different groups these are. */
        double groups(Function<T, Long> group) {
            return (double)
                    counts.values().keySet().stream().map(group).distinct().count();
        }

        PopularityLaw.Occurrences occurrences() {
            return new PopularityLaw.Occurrences(
                    draws,
                    counts.share(),
                    counts.values().values().stream()
                            .mapToInt(count -> count[0])
                            .toArray());
        }
    }
}
