package siemload.results;

import java.util.List;

/**
 * The results of a replay. Immutable.
 *
 * @param recording the name of its file
 * @param speed of the replay, as a multiple of the recorded one
 * @param recorded how many executions the recording has
 * @param leftOut how many of those read are of statements that the scenario leaves out
 * @param due how many of the others were due before the end of the load
 * @param ended how many of these have ended: answered, failed or given up
 * @param lateByDatabase those that waited for the statement before them in their session
 * @param lateByPlayer those that the load generator began late although their session was free
 * @param statements the most frequent first
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

    /** Executions whose fate is unknown; 0 unless the load generator has lost some. */
    public long unreported() {
        return due - ended;
    }

    /**
     * Statements of a replay that began more than a millisecond late for one reason. Immutable.
     *
     * @param count how many
     * @param latenessMicros how late they were
     */
    public record LateStarts(long count, MicrosSummary latenessMicros) {}

    /**
     * The times of a statement when it was logged, and in the replay. Immutable.
     *
     * @param name of the statement
     * @param count how often it was executed in the measured phase
     * @param answered how often it was answered
     * @param failed how often it was not, including executions that the run gave up waiting for
     * @param thenMicros the server's time of these executions in the log
     * @param nowMicros from a worker's start to the last row, of answered ones, with the network
     * @param medianRatio the median now divided by the median then; 0 if one of them is unknown or 0
     */
    public record ReplayedStatement(
            String name,
            long count,
            long answered,
            long failed,
            MicrosSummary thenMicros,
            MicrosSummary nowMicros,
            double medianRatio) {
        /** With the ratio of the medians, to three decimals. */
        public static ReplayedStatement of(
                String name, long answered, long failed, MicrosSummary thenMicros, MicrosSummary nowMicros) {
            boolean known = answered > 0 && thenMicros.p50() > 0;
            double ratio = known ? Math.round(1_000.0 * nowMicros.p50() / thenMicros.p50()) / 1_000.0 : 0;
            return new ReplayedStatement(name, answered + failed, answered, failed, thenMicros, nowMicros, ratio);
        }
    }
}
