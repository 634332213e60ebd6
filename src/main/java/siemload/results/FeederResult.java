package siemload.results;

/**
 * The results of the feeder. Unless stated otherwise, counts are events over the whole run with its warm-up; rates and times are of the
 * measured phase.
 *
 * @param eventsPerSecond the target rate, on average; 0 without a feeder
 * @param rate the target rate as scenario files have it
 * @param achievedEventsPerSecond the rate of acknowledged events
 * @param dueEvents the events of batches that were due in the measured phase; a batch is due when its last event is due
 * @param reachedEvents the events of acknowledged batches; a batch counts at its due time, or when it was sent if it was late
 * @param batches the batches acknowledged in the measured phase
 * @param backlogMax the largest number of events due, and neither acknowledged nor given up, at the end of a second of the measured phase
 * @param backlogAtEnd the events due, and neither acknowledged nor given up, at the end of the measured phase
 * @param delayedByAnswersRatio the share of the feeder's delays, 0 to 1, that arose while it waited for an acknowledgement
 * @param sent events sent at least once: all acknowledged, stored but unacknowledged, failed and unknown events
 * @param storedUnacknowledged events found in the store although their acknowledgement was lost
 * @param failed events never acknowledged and not found in the store
 * @param unknown events never acknowledged, for which the store could not be checked
 * @param retries batches sent again after a failure
 * @param lost acknowledged events not found in the store afterwards; -1 if the store could not be asked
 * @param duplicated events found more than once; -1 if the store could not be asked
 * @param latenessMicros the delay with which batches were sent, compared with the timetable
 * @param acknowledgeMicros the time from sending a batch to its acknowledgement
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
    /** Returns the acknowledged share of the events that were due in whole batches; 1 if no events were due. */
    public double achievedRatio() {
        return dueEvents == 0 ? 1 : (double) reachedEvents / dueEvents;
    }

    /**
     * The result of looking for the fed events in the store after the load. Immutable.
     *
     * @param lost acknowledged events that are not in the store; -1 if the store could not be checked
     * @param duplicated events that are in the store more than once; -1 if the store could not be checked
     * @param withoutAcknowledgement events that are in the store although their acknowledgement was lost
     * @param failed events that were sent, never acknowledged, and are not in the store
     * @param unknown events that were sent and never acknowledged, and for which the store could not be checked
     */
    public record StoredEvents(long lost, long duplicated, long withoutAcknowledgement, long failed, long unknown) {

        /** The result without any difference: nothing was fed, or all acknowledged events are in the store once. */
        public static final StoredEvents ALL = new StoredEvents(0, 0, 0, 0, 0);

        /** Returns the sum of two results; a number of lost or duplicated events is unknown if it is unknown in one of the two. */
        public StoredEvents plus(StoredEvents other) {
            return new StoredEvents(
                    lost < 0 || other.lost < 0 ? -1 : lost + other.lost,
                    duplicated < 0 || other.duplicated < 0 ? -1 : duplicated + other.duplicated,
                    withoutAcknowledgement + other.withoutAcknowledgement,
                    failed + other.failed,
                    unknown + other.unknown);
        }

        /** Returns the result for events for which the store could not be checked. */
        public static StoredEvents unseen(long unacknowledged) {
            return new StoredEvents(-1, -1, 0, 0, unacknowledged);
        }
    }

    /**
     * The time that fed events took to become visible: from the acknowledgement of a sampled event to the answer of the first probe search
     * that returned it. Immutable.
     *
     * @param sampled the events that were looked for
     * @param seen the sampled events that a probe returned before the run ended
     * @param unseen the acknowledged sampled events that no probe returned
     * @param visibleMicros the times of the seen events; never less than the time of the probe search
     */
    public record VisibilityResult(long sampled, long seen, long unseen, MicrosSummary visibleMicros) {}
}
