package siemload.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
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
    /** What the counter of an error begins with; its name in results follows. */
    private static final String ERROR = "error/";

    private final Tally recorded = new Tally();
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
    private final LongAdder busyNanos = recorded.count("busyNanos");
    private final LongAdder rows = recorded.count("rows");
    private final LongAdder bytes = recorded.count("bytes");
    private final MicrosHistogram responseTime = recorded.times(TimeMetric.RESPONSE_TIME.name());
    private final MicrosHistogram serviceTime = recorded.times(TimeMetric.SERVICE_TIME.name());
    private final MicrosHistogram lateness = recorded.times(TimeMetric.SEARCH_LATENESS.name());
    private final MicrosHistogram workerWait = recorded.times(TimeMetric.WORKER_WAIT.name());
    private final MicrosHistogram firstEvent = recorded.times(TimeMetric.FIRST_EVENT.name());

    public SearchStatistics() {
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, recorded.count(outcome.name()));
        }
    }

    /** Adds a finished search. */
    public void record(Sample sample) {
        counter(sample.outcome()).increment();
        if (sample.outcome() == Outcome.OK || sample.outcome().gaveUp()) {
            responseTime.recordNanos(sample.responseNanos());
            busyNanos.add(sample.end() - sample.taken());
        }
        if (sample.outcome() == Outcome.OK) {
            recordAnswer(sample);
        } else {
            recorded.count(ERROR + errorName(sample)).increment();
        }
    }

    private void recordAnswer(Sample sample) {
        serviceTime.recordNanos(sample.end() - sample.taken());
        lateness.recordNanos(sample.handedOver() - sample.intendedStart());
        workerWait.recordNanos(sample.taken() - sample.intendedStart());
        firstEvent.recordNanos(sample.firstEvent() - sample.taken());
        rows.add(sample.rows());
        bytes.add(sample.bytes());
    }

    private static String errorName(Sample sample) {
        String kind = sample.outcome().label();
        return sample.code().isEmpty() ? kind : kind + " " + sample.code();
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

    /** From the intended start to the last row. */
    public MicrosHistogram responseTimes() {
        return responseTime;
    }

    /** How long workers were busy with these searches, in seconds; of those that failed only the ones that somebody gave up. */
    public double serviceSeconds() {
        return busyNanos.sum() / 1e9;
    }

    /** From the intended start to a worker's start, lateness included. */
    public MicrosHistogram workerWaits() {
        return workerWait;
    }

    /**
     * The times of one kind.
     *
     * @throws IllegalArgumentException for one that searches do not have
     */
    public MicrosHistogram times(TimeMetric metric) {
        return switch (metric) {
            case RESPONSE_TIME -> responseTime;
            case SERVICE_TIME -> serviceTime;
            case SEARCH_LATENESS -> lateness;
            case WORKER_WAIT -> workerWait;
            case FIRST_EVENT -> firstEvent;
            case FEEDER_ACKNOWLEDGE, FEEDER_LATENESS ->
                throw new IllegalArgumentException("searches have no " + metric);
        };
    }

    /** Hands over the times since the last call, in microseconds. */
    void takeIntervals(BiConsumer<TimeMetric, Histogram> taker) {
        taker.accept(TimeMetric.RESPONSE_TIME, responseTime.takeInterval());
        taker.accept(TimeMetric.SERVICE_TIME, serviceTime.takeInterval());
        taker.accept(TimeMetric.SEARCH_LATENESS, lateness.takeInterval());
        taker.accept(TimeMetric.WORKER_WAIT, workerWait.takeInterval());
        taker.accept(TimeMetric.FIRST_EVENT, firstEvent.takeInterval());
    }

    private Map<String, Long> errors() {
        Map<String, Long> errors = new TreeMap<>();
        recorded.counts().forEach((name, count) -> {
            if (name.startsWith(ERROR)) {
                errors.put(name.substring(ERROR.length()), count);
            }
        });
        return errors;
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
        return new SearchResult(
                kind,
                count,
                ok,
                count - ok,
                errors(),
                rows.sum(),
                bytes.sum(),
                new SearchResult.SearchTimes(
                        responseTime.summary(),
                        serviceTime.summary(),
                        lateness.summary(),
                        workerWait.summary(),
                        firstEvent.summary(),
                        serviceTime.summary()));
    }
}
