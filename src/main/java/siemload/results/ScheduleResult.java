package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * What became of the ticks of one group of tasks that search by the clock, in the measured phase. Immutable.
 *
 * @param group its name
 * @param tasks how many there are
 * @param everySeconds from one tick of a task to its next
 * @param ticks what became of them
 * @param latenessMicros from the instant at which a tick was due until a worker began with it
 * @param responseTimeMicros from that instant to the last row, or to the count where that is asked for, too
 */
public record ScheduleResult(
        String group,
        int tasks,
        double everySeconds,
        @JsonUnwrapped TickCounts ticks,
        MicrosSummary latenessMicros,
        MicrosSummary responseTimeMicros) {
    /**
     * How many ticks came to what end.
     *
     * @param due how many were due, by the timetable alone
     * @param run those that ended; failed ones are among them
     * @param failed those of them that had no answer
     * @param missed those at which the task was still at the tick before
     * @param unfinished those that had not ended when the run gave up waiting
     */
    public record TickCounts(long due, long run, long failed, long missed, long unfinished) {
        /** Ticks of which nobody knows what became of them; 0 unless the load generator has lost some. */
        public long unreported() {
            return due - run - missed - unfinished;
        }
    }
}
