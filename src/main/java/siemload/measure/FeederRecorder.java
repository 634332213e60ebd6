package siemload.measure;

import siemload.measure.Tally.MicrosHistogram;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.RunFile.TimeMetric;
import siemload.scenario.Rate;

/**
 * Records a feeder's batches, and when probes found some of its events. The totals cover the whole run, since the ledger must be complete;
 * rate and times cover the measured phase. Thread-safe.
 */
public final class FeederRecorder {
    /** A batch is in time if it is sent at most this long after it was due. */
    private static final long PUNCTUAL_NANOS = 10_000_000;

    private final RunClock clock;
    private final Rate rate;
    private final Tally recorded;
    private volatile long backlogMax;
    private volatile long backlogAtEnd;

    FeederRecorder(RunClock clock, Rate rate, Tally recorded) {
        this.clock = clock;
        this.rate = rate;
        this.recorded = recorded;
    }

    public boolean isOn() {
        return !rate.isNone();
    }

    public void sent(int events, long dueNanos, long sentNanos) {
        recorded.add("sent", events);
        if (clock.measures(dueNanos)) {
            recorded.add("dueEvents", events);
            recorded.times(TimeMetric.FEEDER_LATENESS).recordNanos(sentNanos - dueNanos);
        }
    }

    /**
     * Notes that batches due at about {@code dueNanos} had not been sent when the feeder stopped; they count as late.
     *
     * @param events the number of events in each batch
     */
    public void neverSent(long batches, int events, long dueNanos, long nowNanos) {
        if (clock.measures(dueNanos) && nowNanos - dueNanos > 0) {
            recorded.add("dueEvents", batches * events);
            recorded.times(TimeMetric.FEEDER_LATENESS).recordNanos(nowNanos - dueNanos, batches);
        }
    }

    public void acknowledged(int events, long bytes, long dueNanos, long sentNanos, long acknowledgedNanos) {
        recorded.add("acknowledged", events);
        recorded.add("attempts", 1);
        // If acknowledgements decided, a phase would miss its last batch and contain one of the phase before.
        if (clock.measures(sentNanos - dueNanos <= PUNCTUAL_NANOS ? dueNanos : sentNanos)) {
            recorded.add("reachedEvents", events);
        }
        if (clock.measures(acknowledgedNanos)) {
            recorded.add("measuredBatches", 1);
            recorded.add("measuredEvents", events);
            recorded.add("measuredBytes", bytes);
            recorded.times(TimeMetric.FEEDER_ACKNOWLEDGE).recordNanos(acknowledgedNanos - sentNanos);
        }
    }

    /**
     * Notes what delayed a connection's batches: the feeder itself, or the server's answers.
     *
     * @param dueNanos when a batch was due
     * @param byItself the time from when the batch was due and the previous batch had ended until the feeder sent it
     * @param byAnswer the time from when the next batch was due until the server's answer to this batch
     */
    public void delayed(long dueNanos, long byItself, long byAnswer) {
        if (clock.measures(dueNanos)) {
            recorded.add("delayedByItselfNanos", Math.max(0, byItself));
            recorded.add("delayedByAnswersNanos", Math.max(0, byAnswer));
        }
    }

    public void retried() {
        recorded.add("retries", 1);
        failed();
    }

    private void failed() {
        recorded.add("attempts", 1);
        recorded.add("failedAttempts", 1);
    }

    /** Notes that a batch was given up, with the server's message. It is unknown whether that batch is stored. */
    public void givenUp(int events, Throwable failure) {
        recorded.add("givenUp", events);
        failed();
        recorded.say("lastFailure", String.valueOf(failure.getMessage()));
    }

    /** Returns the server's message about the last batch that was given up; empty if none was given up. */
    public String lastFailure() {
        return recorded.text("lastFailure");
    }

    /** The events acknowledged so far, in any phase. */
    public long acknowledgedSoFar() {
        return recorded.sum("acknowledged");
    }

    /** The number of events that are due by this instant, or by the end of the run if that is earlier. */
    long eventsDue(long nowNanos) {
        return Math.round(rate.dueUntil(clock.secondsSinceStart(nowNanos)));
    }

    /** Notes the feeder's backlog at the end of each second. @return the number of events that were due and have no answer, 0 or more */
    long noteBacklog(long nowNanos) {
        long behind = Math.max(0, eventsDue(nowNanos) - recorded.sum("acknowledged") - recorded.sum("givenUp"));
        if (clock.measures(nowNanos)) {
            backlogMax = Math.max(backlogMax, behind);
            backlogAtEnd = behind;
        }
        return behind;
    }

    /** Notes that an event acknowledged at the first instant was in the probe's answer at the second instant. */
    public void seen(long acknowledgedNanos, long answeredNanos) {
        if (clock.measures(acknowledgedNanos)) {
            recorded.times(TimeMetric.VISIBILITY).recordNanos(answeredNanos - acknowledgedNanos);
        }
    }

    /** Notes that the probe had not found an event acknowledged at this instant when the run ended. */
    public void neverSeen(long acknowledgedNanos) {
        recorded.add("unseen", clock.measures(acknowledgedNanos) ? 1 : 0);
    }

    /** Returns how long sampled events took until a probe found them. */
    public VisibilityResult visibility() {
        long unseen = recorded.sum("unseen");
        MicrosHistogram seen = recorded.times(TimeMetric.VISIBILITY);
        return new VisibilityResult(seen.count() + unseen, seen.count(), unseen, seen.summary());
    }

    /**
     * The feeder's part of run.json.
     *
     * @param nowNanos now, or the end of the run
     * @param stored the events that were found in the store afterwards
     */
    public FeederResult result(long nowNanos, StoredEvents stored) {
        double seconds = clock.measuredSeconds(nowNanos);
        double achieved = seconds == 0 ? 0 : recorded.sum("measuredEvents") / seconds;
        double byAnswers = recorded.sum("delayedByAnswersNanos");
        double delays = byAnswers + recorded.sum("delayedByItselfNanos");
        double kilobytes = seconds == 0 ? 0 : recorded.sum("measuredBytes") / seconds / 1000;
        return new FeederResult(
                rate.mean(clock.secondsSinceStart(clock.measureNanos()), clock.secondsSinceStart(clock.endNanos())),
                rate.toString(),
                round(achieved),
                recorded.sum("dueEvents"),
                recorded.sum("reachedEvents"),
                recorded.sum("sent"),
                recorded.sum("acknowledged"),
                stored.withoutAcknowledgement(),
                stored.failed(),
                stored.unknown(),
                recorded.sum("retries"),
                stored.lost(),
                stored.duplicated(),
                round(kilobytes),
                recorded.sum("measuredBatches"),
                backlogMax,
                backlogAtEnd,
                delays == 0 ? 0 : Math.round(byAnswers / delays * 1e4) / 1e4,
                recorded.times(TimeMetric.FEEDER_LATENESS).summary(),
                recorded.times(TimeMetric.FEEDER_ACKNOWLEDGE).summary());
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
