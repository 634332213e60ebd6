package siemload.results;

import java.util.List;

/**
 * The results of replaying a query recording. Immutable.
 *
 * @param recording the name of the recording's file
 * @param speed the speed of the replay, as a multiple of the recorded speed
 * @param recorded the number of executions in the recording
 * @param leftOut the number of read executions whose statements the scenario leaves out
 * @param due the number of executions, without those left out, that were due before the end of the load
 * @param ended the number of due executions that have ended: answered, failed or given up
 * @param lateByDatabase the executions that waited for the previous statement of their session
 * @param lateByPlayer the executions that the load generator began late although their session was free
 * @param statements the statements, the most frequent first
 * @param failure why the recording could not be replayed to its end; empty if it could
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

    /** Returns the number of executions with an unknown outcome; 0 unless the load generator has lost some executions. */
    public long unreported() {
        return due - ended;
    }

    /**
     * The executions of a replay that began more than a millisecond late for one of two reasons. Immutable.
     *
     * @param count the number of these executions
     * @param latenessMicros the delays of these executions
     */
    public record LateStarts(long count, MicrosSummary latenessMicros) {}

    /**
     * The times of a statement, as the server logged them and in the replay. Immutable.
     *
     * @param name the name of the statement
     * @param count the number of executions in the measured phase
     * @param answered the number of executions that were answered
     * @param failed the number of executions that were not answered, including those that the run gave up waiting for
     * @param thenMicros the server's own times of the statement's executions in the log
     * @param nowMicros the times of answered executions in the replay, from a worker's start to the last row, with the network
     * @param medianRatio the median in the replay divided by the median in the log; 0 if one of the medians is unknown or 0
     */
    public record ReplayedStatement(
            String name,
            long count,
            long answered,
            long failed,
            MicrosSummary thenMicros,
            MicrosSummary nowMicros,
            double medianRatio) {
        /** Makes a record, and computes the ratio of the medians to three decimals. */
        public static ReplayedStatement of(
                String name, long answered, long failed, MicrosSummary thenMicros, MicrosSummary nowMicros) {
            boolean known = answered > 0 && thenMicros.p50() > 0;
            double ratio = known ? Math.round(1_000.0 * nowMicros.p50() / thenMicros.p50()) / 1_000.0 : 0;
            return new ReplayedStatement(name, answered + failed, answered, failed, thenMicros, nowMicros, ratio);
        }
    }
}
