package siemload.results;

/**
 * The results of the feeder. Counts are events over the whole run with its warm-up; rates and times are of the measured phase.
 *
 * @param eventsPerSecond the target rate, on average; 0 without a feeder
 * @param rate the rate as written in scenario files
 * @param achievedEventsPerSecond the rate of acknowledged events
 * @param dueEvents those of the batches that were due in the measured phase; a batch is due when its last event is
 * @param reachedEvents those of acknowledged batches, each counted when it was due if it was sent in time, else when it was sent
 * @param batches acknowledged in the measured phase
 * @param backlogMax the most events that were due and not acknowledged, at the end of any second of that phase
 * @param backlogAtEnd those at its end
 * @param delayedByAnswersRatio the share of its delays that arose while it waited for an acknowledgement, 0 to 1; the rest are its own
 * @param sent events sent at least once: those acknowledged, those stored without it, failed and unknown ones
 * @param storedUnacknowledged events found in the store although their acknowledgement was lost
 * @param failed events never acknowledged and not found in the store
 * @param unknown events never acknowledged, for which the store could not be checked
 * @param retries batches sent again after a failure
 * @param lost acknowledged events not found in the store afterwards; -1 if it could not be asked
 * @param duplicated acknowledged events found more than once; -1 if it could not be asked
 * @param latenessMicros how late batches were sent against the timetable
 * @param acknowledgeMicros from sending a batch to its acknowledgement
 */
public record FeederResult(
        double eventsPerSecond,
        String rate,
        double achievedEventsPerSecond,
        long dueEvents,
        long reachedEvents,
        long sent,
        long acknowledged,
        long storedUnacknowledged,
        long failed,
        long unknown,
        long retries,
        long lost,
        long duplicated,
        double kilobytesPerSecond,
        long batches,
        long backlogMax,
        long backlogAtEnd,
        double delayedByAnswersRatio,
        MicrosSummary latenessMicros,
        MicrosSummary acknowledgeMicros) {
    /** Completed share of what was due in whole batches; 1 if nothing was due. */
    public double achievedRatio() {
        return dueEvents == 0 ? 1 : (double) reachedEvents / dueEvents;
    }

    /**
     * What was found of the fed events after the load. Immutable.
     *
     * @param lost acknowledged events that are not in the store; -1 if it could not be checked
     * @param duplicated events that are in the store more than once; -1 if it could not be checked
     * @param withoutAcknowledgement events that are in the store although their acknowledgement was lost
     * @param failed events that were sent, never acknowledged, and are not in the store
     * @param unknown events that were sent and never acknowledged, and which the store could not be asked for
     */
    public record StoredEvents(long lost, long duplicated, long withoutAcknowledgement, long failed, long unknown) {

        /** No difference: nothing was fed, or all events are as they should be. */
        public static final StoredEvents ALL = new StoredEvents(0, 0, 0, 0, 0);

        /** The sum of two; unknown if one of them is. */
        public StoredEvents plus(StoredEvents other) {
            return new StoredEvents(
                    lost < 0 || other.lost < 0 ? -1 : lost + other.lost,
                    duplicated < 0 || other.duplicated < 0 ? -1 : duplicated + other.duplicated,
                    withoutAcknowledgement + other.withoutAcknowledgement,
                    failed + other.failed,
                    unknown + other.unknown);
        }

        /** The store could not be checked for these. */
        public static StoredEvents unseen(long unacknowledged) {
            return new StoredEvents(-1, -1, 0, 0, unacknowledged);
        }
    }

    /**
     * How long fed events took to become visible: from the acknowledgement of a sampled event to the answer of the first probe search that
     * returned it. Immutable.
     *
     * @param sampled events that were looked for
     * @param seen those that a probe returned before the run ended
     * @param unseen acknowledged ones that no probe returned
     * @param visibleMicros of those seen; never less than the time of the probe search
     */
    public record VisibilityResult(long sampled, long seen, long unseen, MicrosSummary visibleMicros) {}
}
