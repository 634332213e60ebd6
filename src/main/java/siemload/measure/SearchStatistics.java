package siemload.measure;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
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
public final class SearchStatistics {
    private static final Set<TimeMetric> TIMES = EnumSet.range(TimeMetric.RESPONSE_TIME, TimeMetric.FIRST_EVENT);

    /** What the counter of an error begins with; its name in results follows. */
    private static final String ERROR = "error/";

    private final Tally recorded = new Tally();
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
    private final Map<TimeMetric, MicrosHistogram> times = new EnumMap<>(TimeMetric.class);
    private final LongAdder busyNanos = recorded.count("busyNanos");
    private final LongAdder rows = recorded.count("rows");
    private final LongAdder bytes = recorded.count("bytes");

    public SearchStatistics() {
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, recorded.count(outcome.name()));
        }
        TIMES.forEach(metric -> times.put(metric, recorded.times(metric.name())));
    }

    /** Adds a finished search. */
    public void record(Sample sample) {
        Outcome outcome = sample.outcome();
        counter(outcome).increment();
        if (outcome == Outcome.OK || outcome.gaveUp()) {
            times(TimeMetric.RESPONSE_TIME).recordNanos(sample.responseNanos());
            busyNanos.add(sample.end() - sample.taken());
        }
        if (outcome == Outcome.OK) {
            times(TimeMetric.SERVICE_TIME).recordNanos(sample.end() - sample.taken());
            times(TimeMetric.SEARCH_LATENESS).recordNanos(sample.handedOver() - sample.intendedStart());
            times(TimeMetric.WORKER_WAIT).recordNanos(sample.taken() - sample.intendedStart());
            times(TimeMetric.FIRST_EVENT).recordNanos(sample.firstEvent() - sample.taken());
            rows.add(sample.rows());
            bytes.add(sample.bytes());
        } else {
            recorded.add(ERROR + (outcome.label() + " " + sample.code()).strip(), 1);
        }
    }

    /** The searches that ended this way. */
    public long count(Outcome outcome) {
        return counter(outcome).sum();
    }

    /** All searches that ended, however. */
    public long count() {
        return outcomes.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private LongAdder counter(Outcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome), "all outcomes have a counter");
    }

    /** How long workers were busy with these searches, in seconds; of those that failed only the ones that somebody gave up. */
    public double serviceSeconds() {
        return busyNanos.sum() / 1e9;
    }

    /**
     * The times of one kind.
     *
     * @throws IllegalArgumentException for one that searches do not have
     */
    public MicrosHistogram times(TimeMetric metric) {
        MicrosHistogram known = times.get(metric);
        if (known == null) {
            throw new IllegalArgumentException("searches have no " + metric);
        }
        return known;
    }

    /** Hands over the times since the last call, in microseconds. */
    void takeIntervals(BiConsumer<TimeMetric, Histogram> taker) {
        times.forEach((metric, one) -> taker.accept(metric, one.takeInterval()));
    }

    /** Where all that is counted and timed is. */
    Tally recorded() {
        return recorded;
    }

    /** How many rows all answers had. */
    long rows() {
        return rows.sum();
    }

    /** What run.json holds of it. */
    SearchResult result(SearchKind kind) {
        long count = count();
        long ok = count(Outcome.OK);
        Map<String, Long> errors = new TreeMap<>();
        recorded.sums().forEach((name, sum) -> {
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
                rows.sum(),
                bytes.sum(),
                new SearchResult.SearchTimes(
                        times(TimeMetric.RESPONSE_TIME).summary(),
                        service,
                        times(TimeMetric.SEARCH_LATENESS).summary(),
                        times(TimeMetric.WORKER_WAIT).summary(),
                        times(TimeMetric.FIRST_EVENT).summary(),
                        service));
    }
}
