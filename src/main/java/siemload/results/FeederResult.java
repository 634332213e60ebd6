package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;

/**
 * What the feeder did. Counts are events over the whole run with its warm-up; rates and times are of the measured
 * phase.
 *
 * @param eventsPerSecond the rate that was asked for, on average; 0 where nothing was to be fed
 * @param rate the rate as it is written in scenario files
 * @param achievedEventsPerSecond the rate of acknowledged events
 * @param dueEvents those of the batches that were due in the measured phase; a batch is due when its last event is
 * @param reachedEvents those of acknowledged batches, each counted when it was due if it was sent in time, else when it was sent
 * @param batches acknowledged in the measured phase
 * @param backlogMax the most events that were due and not acknowledged, at the end of any second of that phase
 * @param backlogAtEnd those at its end
 * @param delayedByAnswersRatio which share of its delays arose while it waited for an acknowledgement, 0 to 1; the rest are
 *     its own
 * @param times of the batches
 */
public record FeederResult(
        double eventsPerSecond,
        String rate,
        double achievedEventsPerSecond,
        long dueEvents,
        long reachedEvents,
        @JsonUnwrapped FedEventCounts events,
        double kilobytesPerSecond,
        long batches,
        long backlogMax,
        long backlogAtEnd,
        double delayedByAnswersRatio,
        @JsonUnwrapped BatchTimes times) {
    /** Nothing was to be fed. */
    static final FeederResult NONE = new FeederResult(
            0,
            "",
            0,
            0,
            0,
            new FedEventCounts(0, 0, 0, 0, 0, 0, 0, 0),
            0,
            0,
            0,
            0,
            0,
            new BatchTimes(MicrosSummary.NONE, MicrosSummary.NONE));

    /** The same with these times. */
    public FeederResult with(BatchTimes others) {
        return new FeederResult(
                eventsPerSecond,
                rate,
                achievedEventsPerSecond,
                dueEvents,
                reachedEvents,
                events,
                kilobytesPerSecond,
                batches,
                backlogMax,
                backlogAtEnd,
                delayedByAnswersRatio,
                others);
    }

    /** What a reader should know of a rate that changes with time: how it is written; empty where it does not. */
    public Optional<String> changingRate() {
        return Optional.of(rate).filter(text -> text.contains(" "));
    }

    /** What was reached of what was due in whole batches; 1 where nothing was due. */
    public double achievedRatio() {
        return dueEvents == 0 ? 1 : (double) reachedEvents / dueEvents;
    }

    /**
     * What became of the fed events.
     *
     * @param sent events sent at least once: those acknowledged, those stored without it, failed and unknown ones
     * @param storedUnacknowledged events found in the store although their acknowledgement was lost
     * @param failed events never acknowledged and not found in the store
     * @param unknown events never acknowledged, for which the store could not be asked
     * @param retries batches sent once more after a failure
     * @param lost acknowledged events not found in the store afterwards; -1 if it could not be asked
     * @param duplicated acknowledged events found more than once; -1 if it could not be asked
     */
    public record FedEventCounts(
            long sent,
            long acknowledged,
            long storedUnacknowledged,
            long failed,
            long unknown,
            long retries,
            long lost,
            long duplicated) {}

    /**
     * How long batches took.
     *
     * @param latenessMicros how late batches were sent against the timetable
     * @param acknowledgeMicros from sending a batch to its acknowledgement
     */
    public record BatchTimes(MicrosSummary latenessMicros, MicrosSummary acknowledgeMicros) {}
}
