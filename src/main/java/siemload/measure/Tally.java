package siemload.measure;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import siemload.measure.LatencyRecorder.Sample;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.SearchResult;
import siemload.results.SearchKey;
import siemload.results.SearchKey.SearchKind;

/**
 * The counts, times and latest texts of one measured subject, such as a search, by name. Frequent writers should keep references to a
 * tally's counters and histograms. Thread-safe, but only one reader may call {@link #take}.
 */
public sealed class Tally {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, MicrosHistogram> times = new ConcurrentHashMap<>();
    private final Map<String, String> texts = new ConcurrentHashMap<>();
    private final Map<String, Long> told = new HashMap<>();

    Tally() {}

    /**
     * The records of a tally since some instant, for another tally to add. Nothing is lost or rounded: the sum of several tallies equals
     * one tally with all their records.
     *
     * @param counts by name; missing ones are 0
     * @param times in microseconds, by name; missing ones are empty
     * @param texts the latest ones, by name
     */
    public record Recorded(Map<String, Long> counts, Map<String, Histogram> times, Map<String, String> texts) {
        static final Recorded NONE = new Recorded(Map.of(), Map.of(), Map.of());

        long count(String name) {
            return counts.getOrDefault(name, 0L);
        }

        public Recorded {
            counts = Map.copyOf(counts);
            times = Map.copyOf(times);
            texts = Map.copyOf(texts);
        }
    }

    LongAdder count(String name) {
        return counts.computeIfAbsent(name, unused -> new LongAdder());
    }

    MicrosHistogram times(String name) {
        return times.computeIfAbsent(name, unused -> new MicrosHistogram());
    }

    public MicrosHistogram times(TimeMetric metric) {
        return times(metric.name());
    }

    void add(String name, long more) {
        count(name).add(more);
    }

    void say(String name, String text) {
        texts.put(name, text);
    }

    /** The latest text of this name; empty if there is none. */
    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    long sum(String name) {
        LongAdder known = counts.get(name);
        return known == null ? 0 : known.sum();
    }

    Map<String, Long> sums() {
        Map<String, Long> sums = new HashMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return sums;
    }

    /** Returns what was recorded since the last call. */
    Recorded take() {
        Map<String, Long> fresh = new HashMap<>();
        sums().forEach((name, now) -> fresh.put(name, now - Objects.requireNonNullElse(told.put(name, now), 0L)));
        fresh.values().removeIf(since -> since == 0);
        Map<String, Histogram> intervals = new HashMap<>();
        times.forEach((name, one) -> intervals.put(name, one.takeInterval()));
        intervals.values().removeIf(interval -> interval.getTotalCount() == 0);
        return new Recorded(fresh, intervals, texts);
    }

    void add(Recorded more) {
        more.counts().forEach(this::add);
        more.times().forEach((name, micros) -> times(name).add(micros));
        texts.putAll(more.texts());
    }

    void add(Tally other) {
        other.sums().forEach(this::add);
        other.times.forEach((name, one) -> times(name).add(one.all()));
    }

    /**
     * Times in whole microseconds with three significant digits, so that every reported percentile is within 0.1 % of a recorded value.
     * Percentiles are nearest rank: the smallest value that at least that share of values does not exceed. Thread-safe: writers wait for
     * each other, and hardly ever for readers. Many threads should pass their times to one thread, as in {@link LatencyRecorder}.
     */
    public static final class MicrosHistogram {
        private static final int SIGNIFICANT_DIGITS = 3;

        /** Locked by readers. Neither histogram is packed: adding to a packed histogram costs more CPU than the measured searches. */
        private final Histogram taken = new Histogram(SIGNIFICANT_DIGITS);

        /** The new times, which writers add while they lock this object. */
        private Histogram untaken = new Histogram(SIGNIFICANT_DIGITS);

        /** Records a time; a negative time, which the clock of one machine cannot produce, counts as 0. */
        public void recordNanos(long nanos) {
            recordNanos(nanos, 1);
        }

        synchronized void recordNanos(long nanos, long times) {
            untaken.recordValueWithCount(Math.max(0, (nanos + 500) / 1000), times);
        }

        public long count() {
            return all().getTotalCount();
        }

        /** The summary of the recorded times: mean, percentiles and extremes. */
        public MicrosSummary summary() {
            return MicrosSummary.of(all());
        }

        /** Adds times in microseconds with the same precision. */
        synchronized void add(Histogram micros) {
            untaken.add(micros);
        }

        /** Returns the times recorded since the last call, in microseconds; the caller owns the histogram. */
        Histogram takeInterval() {
            synchronized (taken) {
                Histogram interval;
                synchronized (this) {
                    interval = untaken;
                    untaken = new Histogram(SIGNIFICANT_DIGITS);
                }
                taken.add(interval);
                return interval;
            }
        }

        /** Returns a copy of all times, since writers may continue. */
        private Histogram all() {
            synchronized (taken) {
                Histogram all = taken.copy();
                synchronized (this) {
                    all.add(untaken);
                }
                return all;
            }
        }
    }

    /**
     * All measurements of one {@link SearchKey}. Thread-safe.
     *
     * <p>Response times include answered searches and those that timed out or were given up. Service time, the wait for a worker, and the
     * times of the first and last event include only answered searches, since a failure has no rows.
     */
    public static final class SearchStatistics extends Tally {
        private static final String BUSY_NANOS = "busyNanos";
        private static final String ROWS = "rows";
        private static final String BYTES = "bytes";
        /** The prefix of an error's counter, followed by its name in results. */
        private static final String ERROR = "error/";

        public SearchStatistics() {}

        /** Adds a finished search. */
        public void record(Sample sample) {
            Outcome outcome = sample.outcome();
            add(outcome.name(), 1);
            if (outcome == Outcome.OK || outcome.gaveUp()) {
                times(TimeMetric.RESPONSE_TIME).recordNanos(sample.responseNanos());
                add(BUSY_NANOS, sample.end() - sample.taken());
            }
            if (outcome == Outcome.OK) {
                times(TimeMetric.SERVICE_TIME).recordNanos(sample.end() - sample.taken());
                times(TimeMetric.SEARCH_LATENESS).recordNanos(sample.handedOver() - sample.intendedStart());
                times(TimeMetric.WORKER_WAIT).recordNanos(sample.taken() - sample.intendedStart());
                times(TimeMetric.FIRST_EVENT).recordNanos(sample.firstEvent() - sample.taken());
                add(ROWS, sample.rows());
                add(BYTES, sample.bytes());
            } else {
                add(ERROR + (outcome.label() + " " + sample.code()).strip(), 1);
            }
        }

        /** Returns the number of searches with this outcome. */
        public long count(Outcome outcome) {
            return sum(outcome.name());
        }

        /** Returns the number of searches that ended, with any outcome. */
        public long count() {
            return Arrays.stream(Outcome.values()).mapToLong(this::count).sum();
        }

        /** How many seconds workers were busy with these searches; failed searches count only if they timed out or were given up. */
        public double serviceSeconds() {
            return sum(BUSY_NANOS) / 1e9;
        }

        /** Returns the number of rows in all answers. */
        public long rows() {
            return sum(ROWS);
        }

        /** The entry of the search in run.json. */
        SearchResult result(SearchKind kind) {
            long count = count();
            long ok = count(Outcome.OK);
            Map<String, Long> errors = new TreeMap<>();
            sums().forEach((name, sum) -> {
                if (name.startsWith(ERROR)) {
                    errors.put(name.substring(ERROR.length()), sum);
                }
            });
            MicrosSummary service = times(TimeMetric.SERVICE_TIME).summary();
            return new SearchResult(
                    kind,
                    count,
                    ok,
                    count - ok,
                    errors,
                    rows(),
                    sum(BYTES),
                    times(TimeMetric.RESPONSE_TIME).summary(),
                    service,
                    times(TimeMetric.SEARCH_LATENESS).summary(),
                    times(TimeMetric.WORKER_WAIT).summary(),
                    times(TimeMetric.FIRST_EVENT).summary(),
                    service);
        }
    }
}
