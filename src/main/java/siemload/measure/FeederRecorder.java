package siemload.measure;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
import siemload.measure.Tally.Recorded;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.TimeMetric;
import siemload.scenario.rate.ConstantRate;
import siemload.scenario.rate.Rate;

/**
 * Takes what a feeder did with each batch. The totals are over the whole run, since the ledger must be complete; the
 * rate and the times are of the measured phase. Thread-safe.
 */
public final class FeederRecorder {
    /** What is sent no later than this after it was due is in time. */
    private static final long PUNCTUAL_NANOS = 10_000_000;

    private final RunClock clock;
    private final Rate rate;
    private final Tally recorded = new Tally();
    private final LongAdder sent = recorded.count("sent");
    private final LongAdder acknowledged = recorded.count("acknowledged");
    private final LongAdder givenUp = recorded.count("givenUp");
    private final LongAdder attempts = recorded.count("attempts");
    private final LongAdder failedAttempts = recorded.count("failedAttempts");
    private final LongAdder retries = recorded.count("retries");
    private final LongAdder delayedByItselfNanos = recorded.count("delayedByItselfNanos");
    private final LongAdder delayedByAnswersNanos = recorded.count("delayedByAnswersNanos");
    private final LongAdder measuredBatches = recorded.count("measuredBatches");
    private final LongAdder measuredEvents = recorded.count("measuredEvents");
    private final LongAdder measuredBytes = recorded.count("measuredBytes");
    private final LongAdder dueEvents = recorded.count("dueEvents");
    private final LongAdder reachedEvents = recorded.count("reachedEvents");
    private final MicrosHistogram lateness = recorded.times("lateness");
    private final MicrosHistogram acknowledge = recorded.times("acknowledge");
    private volatile long backlogMax;
    private volatile long backlogAtEnd;
    private volatile String lastFailure = "";

    /** @param rate of events that are due, from the start of the clock on */
    public FeederRecorder(RunClock clock, Rate rate) {
        this.clock = clock;
        this.rate = rate;
    }

    /** One that nobody records with: it adds up what others have taken, and its rate means nothing. */
    public static FeederRecorder ofSums() {
        return new FeederRecorder(RunClock.openEnded(0), new ConstantRate(1));
    }

    /** Notes that a batch due at {@code dueNanos} was sent at {@code sentNanos}. */
    public void sent(int events, long dueNanos, long sentNanos) {
        sent.add(events);
        if (clock.measures(dueNanos)) {
            dueEvents.add(events);
            lateness.recordNanos(sentNanos - dueNanos);
        }
    }

    /**
     * Notes that batches due at about {@code dueNanos} had not been sent when the feeder stopped; they count as late.
     *
     * @param events of each of them
     */
    public void neverSent(long batches, int events, long dueNanos, long nowNanos) {
        if (clock.measures(dueNanos) && nowNanos - dueNanos > 0) {
            dueEvents.add(batches * events);
            lateness.recordNanos(nowNanos - dueNanos, batches);
        }
    }

    /** Notes that the server acknowledged a batch that was due at {@code dueNanos}. */
    public void acknowledged(int events, long bytes, long dueNanos, long sentNanos, long acknowledgedNanos) {
        acknowledged.add(events);
        attempts.increment();
        // By the instant of the acknowledgement the last batch of a phase would be missing, and the first one too many.
        if (clock.measures(sentNanos - dueNanos <= PUNCTUAL_NANOS ? dueNanos : sentNanos)) {
            reachedEvents.add(events);
        }
        if (clock.measures(acknowledgedNanos)) {
            measuredBatches.increment();
            measuredEvents.add(events);
            measuredBytes.add(bytes);
            acknowledge.recordNanos(acknowledgedNanos - sentNanos);
        }
    }

    /**
     * Notes what delayed the batches of a connection.
     *
     * @param dueNanos when a batch was due
     * @param byItself how long after that, and after the end of the batch before it, the feeder sent it
     * @param byAnswer how long the server let it wait beyond the instant at which the next one was due
     */
    public void delayed(long dueNanos, long byItself, long byAnswer) {
        if (clock.measures(dueNanos)) {
            delayedByItselfNanos.add(Math.max(0, byItself));
            delayedByAnswersNanos.add(Math.max(0, byAnswer));
        }
    }

    /** The share of all delays that the server caused; 0 where there were none. */
    private double delayedByAnswersRatio() {
        double byAnswers = delayedByAnswersNanos.sum();
        double all = byAnswers + delayedByItselfNanos.sum();
        return all == 0 ? 0 : Math.round(byAnswers / all * 1e4) / 1e4;
    }

    /** Notes that a batch is tried once more. */
    public void retried() {
        retries.increment();
        attempts.increment();
        failedAttempts.increment();
    }

    /** Notes that a batch was given up, and the server's words about it. Whether it is stored is unknown. */
    public void givenUp(int events, Throwable failure) {
        givenUp.add(events);
        attempts.increment();
        failedAttempts.increment();
        lastFailure = String.valueOf(failure.getMessage());
    }

    /** The server's words about the last batch that was given up; empty if none was. */
    public String lastFailure() {
        return lastFailure;
    }

    /** How often a batch was sent so far with an answer of whatever kind, in any phase. */
    public long attemptsSoFar() {
        return attempts.sum();
    }

    /** Those of {@link #attemptsSoFar} that failed. */
    public long failedAttemptsSoFar() {
        return failedAttempts.sum();
    }

    /** The events acknowledged so far, in any phase. */
    public long acknowledgedSoFar() {
        return acknowledged.sum();
    }

    /**
     * How many of the events that were due by this instant have not been acknowledged.
     *
     * @return 0 or more
     */
    long eventsBehind(long nowNanos) {
        return Math.max(0, eventsDue(nowNanos) - acknowledged.sum() - givenUp.sum());
    }

    /** The events that are due until this instant, or until the end of the run. */
    long eventsDue(long nowNanos) {
        return Math.round(rate.dueUntil(clock.secondsSinceStart(nowNanos)));
    }

    /** Notes how far behind the feeder is; called at the end of every second. @return the events */
    long noteBacklog(long nowNanos) {
        long behind = eventsBehind(nowNanos);
        if (clock.measures(nowNanos)) {
            backlogMax = Math.max(backlogMax, behind);
            backlogAtEnd = behind;
        }
        return behind;
    }

    /** Hands over the times since the last call, in microseconds. */
    void takeIntervals(BiConsumer<TimeMetric, Histogram> taker) {
        taker.accept(TimeMetric.FEEDER_LATENESS, lateness.takeInterval());
        taker.accept(TimeMetric.FEEDER_ACKNOWLEDGE, acknowledge.takeInterval());
    }

    /**
     * What a recorder has taken since an instant, for another one to {@link #add}.
     *
     * @param lastFailure the server's words about the last batch that was given up; empty where none was
     */
    public record RecordedFeeder(Recorded recorded, String lastFailure) {}

    /** What was taken since the last call; for one reader only. */
    public RecordedFeeder takeRecorded() {
        return new RecordedFeeder(recorded.take(), lastFailure);
    }

    /** Adds what another recorder has taken. */
    public void add(RecordedFeeder more) {
        recorded.add(more.recorded());
        lastFailure = more.lastFailure().isEmpty() ? lastFailure : more.lastFailure();
    }

    /**
     * What run.json holds.
     *
     * @param nowNanos now, or the end of the run
     * @param stored what was found in the store afterwards
     */
    public FeederResult result(long nowNanos, StoredEvents stored) {
        double seconds = clock.measuredSeconds(nowNanos);
        double achieved = seconds == 0 ? 0 : measuredEvents.sum() / seconds;
        double kilobytes = seconds == 0 ? 0 : measuredBytes.sum() / seconds / 1000;
        return new FeederResult(
                rate.mean(clock.secondsSinceStart(clock.measureNanos()), clock.secondsSinceStart(clock.endNanos())),
                rate.toString(),
                round(achieved),
                dueEvents.sum(),
                reachedEvents.sum(),
                new FeederResult.FedEventCounts(
                        sent.sum(),
                        acknowledged.sum(),
                        stored.withoutAcknowledgement(),
                        stored.failed(),
                        stored.unknown(),
                        retries.sum(),
                        stored.lost(),
                        stored.duplicated()),
                round(kilobytes),
                measuredBatches.sum(),
                backlogMax,
                backlogAtEnd,
                delayedByAnswersRatio(),
                new FeederResult.BatchTimes(lateness.summary(), acknowledge.summary()));
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
