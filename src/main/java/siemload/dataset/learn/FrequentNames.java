package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The most frequent of many names with their counts, in bounded memory: once it is full, a new name takes the place of the
 * rarest and its count (Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams,
 * 2005). Counts are exact until then, and a count is afterwards too large by at most what its name began with. Not thread-safe.
 *
 * @param <T> what else is measured of each name
 */
final class FrequentNames<T> {
    private final int most;
    private final Supplier<T> details;
    private final Map<String, Entry<T>> entries = new HashMap<>();
    private Optional<Entry<T>> last = Optional.empty();
    private long all;

    /** @param most how many names are kept */
    FrequentNames(int most, Supplier<T> details) {
        this.most = most;
        this.details = details;
    }

    /** A name that was met. */
    static final class Entry<T> {
        private final String name;
        private final T details;
        private long count;

        /** @param excess how much of the count may belong to other names */
        Entry(String name, long excess, T details) {
            this.name = name;
            this.details = details;
            count = excess;
        }

        String name() {
            return name;
        }

        long count() {
            return count;
        }

        T details() {
            return details;
        }
    }

    /** Counts a name once more. */
    T count(String name) {
        all++;
        Entry<T> entry = last.filter(known -> known.name.equals(name)).orElseGet(() -> entry(name));
        entry.count++;
        return entry.details;
    }

    private Entry<T> entry(String name) {
        Entry<T> entry = entries.get(name);
        if (entry == null) {
            long excess = entries.size() < most ? 0 : removeRarest();
            entry = new Entry<>(name, excess, details.get());
            entries.put(name, entry);
        }
        last = Optional.of(entry);
        return entry;
    }

    private long removeRarest() {
        Entry<T> rarest = entries.values().stream()
                .min(Comparator.comparingLong(Entry::count))
                .orElseThrow();
        entries.remove(rarest.name);
        return rarest.count;
    }

    /** How often any name was counted. */
    long all() {
        return all;
    }

    /** From the most frequent one down. */
    List<Entry<T>> ranked() {
        List<Entry<T>> ranked = new ArrayList<>(entries.values());
        ranked.sort(Comparator.<Entry<T>>comparingLong(entry -> -entry.count).thenComparing(Entry::name));
        return ranked;
    }
}
