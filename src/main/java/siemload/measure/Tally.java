package siemload.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * The counts and the times of one thing that is measured, by names. Whoever records keeps the counters and histograms of this at hand.
 * Thread-safe; {@link #take} is for one reader.
 */
public final class Tally {
    private final Map<String, LongAdder> counts = new LinkedHashMap<>();
    private final Map<String, MicrosHistogram> times = new LinkedHashMap<>();
    private final Map<String, Long> told = new LinkedHashMap<>();

    Tally() {}

    /**
     * What a tally has taken since an instant, for another one to add: nothing is lost and nothing rounded, so that one with what several have
     * taken is as one that has taken all of it.
     *
     * @param counts by their names; what is not there is 0
     * @param times in microseconds, by their names; what is not there is none
     */
    public record Recorded(Map<String, Long> counts, Map<String, Histogram> times) {
        public Recorded {
            counts = Map.copyOf(counts);
            times = Map.copyOf(times);
        }
    }

    /** The counter of this name. */
    synchronized LongAdder count(String name) {
        return counts.computeIfAbsent(name, unused -> new LongAdder());
    }

    /** The times of this name. */
    synchronized MicrosHistogram times(String name) {
        return times.computeIfAbsent(name, unused -> new MicrosHistogram());
    }

    /** What was counted so far, in the order in which it was first counted. */
    synchronized Map<String, Long> counts() {
        Map<String, Long> sums = new LinkedHashMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return sums;
    }

    /** What was taken since the last call, counts in the order in which they were first counted. */
    synchronized Recorded take() {
        Map<String, Long> fresh = new LinkedHashMap<>();
        counts().forEach((name, now) -> {
            long since = now - Objects.requireNonNullElse(told.put(name, now), 0L);
            if (since != 0) {
                fresh.put(name, since);
            }
        });
        Map<String, Histogram> intervals = new LinkedHashMap<>();
        times.forEach((name, one) -> {
            Histogram interval = one.takeInterval();
            if (interval.getTotalCount() > 0) {
                intervals.put(name, interval);
            }
        });
        return new Recorded(fresh, intervals);
    }

    /** Adds what another one has taken. */
    void add(Recorded more) {
        more.counts().forEach((name, count) -> count(name).add(count));
        more.times().forEach((name, micros) -> times(name).add(micros));
    }

    /** Adds all that another one holds. */
    void add(Tally other) {
        other.counts().forEach((name, count) -> count(name).add(count));
        synchronized (other) {
            other.times.forEach((name, micros) -> times(name).add(micros));
        }
    }
}
