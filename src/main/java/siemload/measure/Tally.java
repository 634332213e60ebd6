package siemload.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * The counts, the times, and what was said last of one thing that is measured, by names. Whoever records often keeps the counters and histograms of this at
 * hand. Thread-safe; {@link #take} is for one reader.
 */
public sealed class Tally permits SearchStatistics {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, MicrosHistogram> times = new ConcurrentHashMap<>();
    private final Map<String, String> texts = new ConcurrentHashMap<>();
    private final Map<String, Long> told = new HashMap<>();

    Tally() {}

    /**
     * What a tally has taken since an instant, for another one to add: nothing is lost and nothing rounded, so that one with what several have
     * taken is as one that has taken all of it.
     *
     * @param counts by their names; what is not there is 0
     * @param times in microseconds, by their names; what is not there is none
     * @param texts what was said last, by names
     */
    public record Recorded(Map<String, Long> counts, Map<String, Histogram> times, Map<String, String> texts) {
        public Recorded {
            counts = Map.copyOf(counts);
            times = Map.copyOf(times);
            texts = Map.copyOf(texts);
        }
    }

    /** The counter of this name. */
    LongAdder count(String name) {
        return counts.computeIfAbsent(name, unused -> new LongAdder());
    }

    /** The times of this name. */
    MicrosHistogram times(String name) {
        return times.computeIfAbsent(name, unused -> new MicrosHistogram());
    }

    void add(String name, long more) {
        count(name).add(more);
    }

    void say(String name, String text) {
        texts.put(name, text);
    }

    /** What was said last under this name; empty where nothing was. */
    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** What was counted so far under this name. */
    long sum(String name) {
        LongAdder known = counts.get(name);
        return known == null ? 0 : known.sum();
    }

    /** What was counted so far, by names. */
    Map<String, Long> sums() {
        Map<String, Long> sums = new HashMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return sums;
    }

    /** What was taken since the last call. */
    Recorded take() {
        Map<String, Long> fresh = new HashMap<>();
        sums().forEach((name, now) -> fresh.put(name, now - Objects.requireNonNullElse(told.put(name, now), 0L)));
        fresh.values().removeIf(since -> since == 0);
        Map<String, Histogram> intervals = new HashMap<>();
        times.forEach((name, one) -> intervals.put(name, one.takeInterval()));
        intervals.values().removeIf(interval -> interval.getTotalCount() == 0);
        return new Recorded(fresh, intervals, texts);
    }

    /** Adds what another one has taken. */
    void add(Recorded more) {
        more.counts().forEach(this::add);
        more.times().forEach((name, micros) -> times(name).add(micros));
        texts.putAll(more.texts());
    }

    /** Adds all that another one holds. */
    void add(Tally other) {
        other.sums().forEach(this::add);
        other.times.forEach((name, micros) -> times(name).add(micros));
    }
}
