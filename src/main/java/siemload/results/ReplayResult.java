package siemload.results;

import java.util.List;

/**
 * The results of a replay. Immutable.
 *
 * @param recording the name of the recording's file
 * @param speed the speed of the replay, as a multiple of the recorded speed
 * @param recorded the number of executions in the recording
 * @param leftOut the number of executions read that are of statements that the scenario leaves out
 * @param due the number of other executions that were due before the end of the load
 * @param ended the number of due executions that have ended: answered, failed or given up
 * @param lateByDatabase the executions that waited for the previous statement of their session
 * @param lateByPlayer the executions that the load generator began late although their session was free
 * @param statements the statements, the most frequent first
 * @param failure why the recording could not be replayed to its end; otherwise empty
 */
public record ReplayResult(
        String recording,
        double speed,
        long recorded,
        long leftOut,
        long due,
        long ended,
        LateStarts lateByDatabase,
        LateStarts lateByPlayer,
        List<ReplayedStatement> statements,
        String failure) {
    public ReplayResult {
        statements = List.copyOf(statements);
    }

    /** The number of executions with an unknown outcome; 0 unless the load generator has lost some. */
    public long unreported() {
        return due - ended;
    }

    /**
     * Statements of a replay that began more than a millisecond late for one reason. Immutable.
     *
     * @param count the number of statements
     * @param latenessMicros how late the statements were
     */
    public record LateStarts(long count, MicrosSummary latenessMicros) {}

    /**
     * The times of a statement when it was logged, and in the replay. Immutable.
     *
     * @param name the name of the statement
     * @param count the number of executions in the measured phase
     * @param answered the number of executions that were answered
     * @param failed the number of executions that were not answered, including those that the run gave up waiting for
     * @param thenMicros the server's time of these executions in the log
     * @param nowMicros the time from a worker's start to the last row of answered executions, with the network
     * @param medianRatio the median now divided by the median then; 0 if one of the medians is unknown or 0
     */
    public record ReplayedStatement(
            String name,
            long count,
            long answered,
            long failed,
            MicrosSummary thenMicros,
            MicrosSummary nowMicros,
            double medianRatio) {
        /** Makes a record with the ratio of the medians, to three decimals. */
        public static ReplayedStatement of(
                String name, long answered, long failed, MicrosSummary thenMicros, MicrosSummary nowMicros) {
            boolean known = answered > 0 && thenMicros.p50() > 0;
            double ratio = known ? Math.round(1_000.0 * nowMicros.p50() / thenMicros.p50()) / 1_000.0 : 0;
            return new ReplayedStatement(name, answered + failed, answered, failed, thenMicros, nowMicros, ratio);
        }
    }
}
