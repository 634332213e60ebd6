package siemload.measure;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.TimeMetric;

/**
 * Everything measured of one {@link SearchKey}. Thread-safe.
 *
 * <p>Response times hold the answered searches and those somebody gave up on; service time, wait for a worker, first
 * and last event hold the answered ones only, since a failure has no rows.
 */
public final class SearchStatistics extends Tally {
    private static final Set<TimeMetric> TIMES = EnumSet.range(TimeMetric.RESPONSE_TIME, TimeMetric.FIRST_EVENT);

    private static final String BUSY_NANOS = "busyNanos";
    private static final String ROWS = "rows";
    private static final String BYTES = "bytes";
    /** What the counter of an error begins with; its name in results follows. */
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

    /** The searches that ended this way. */
    public long count(Outcome outcome) {
        return sum(outcome.name());
    }

    /** All searches that ended, however. */
    public long count() {
        return Arrays.stream(Outcome.values()).mapToLong(this::count).sum();
    }

    /** How long workers were busy with these searches, in seconds; of those that failed only the ones that somebody gave up. */
    public double serviceSeconds() {
        return sum(BUSY_NANOS) / 1e9;
    }

    /** The times of one kind. */
    public MicrosHistogram times(TimeMetric metric) {
        return times(metric.name());
    }

    /** Hands over the times since the last call, in microseconds. */
    void takeIntervals(BiConsumer<TimeMetric, Histogram> taker) {
        TIMES.forEach(metric -> taker.accept(metric, times(metric).takeInterval()));
    }

    /** How many rows all answers had. */
    public long rows() {
        return sum(ROWS);
    }

    /** What run.json holds of it. */
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
