package siemload.results;

import java.util.List;

/**
 * What became of a query recording that was replayed. Immutable.
 *
 * @param recording the name of its file
 * @param speed how many times as fast as it was recorded it was played
 * @param recorded how many executions the recording has
 * @param leftOut how many of those that were read are of statements that the scenario leaves out
 * @param due how many of the others were due before the end of the load
 * @param ended how many of these have ended: answered, failed or given up
 * @param lateByDatabase those that waited for the statement before them in their session
 * @param lateByPlayer those that the load generator began late though their session was free
 * @param statements the most frequent first
 * @param failure why the recording could not be played to its end; empty if it could
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

    /** Executions of which nobody knows what became of them; 0 unless the load generator has lost some. */
    public long unreported() {
        return due - ended;
    }

    /**
     * Statements of a replay that were begun more than a millisecond late for one reason. Immutable.
     *
     * @param count how many
     * @param latenessMicros how late these were
     */
    public record LateStarts(long count, MicrosSummary latenessMicros) {}

    /**
     * How long a statement took when it was logged, and when a replay asked it again. Immutable.
     *
     * @param name of the statement
     * @param count how often it was asked in the measured phase
     * @param answered how often it was answered
     * @param failed how often it was not; those that the run gave up waiting for are among them
     * @param thenMicros what the log says of these executions: the time that the server worked on them
     * @param nowMicros from a worker's begin to the last row, of those that were answered; the network is in it
     * @param medianRatio the median now by the median then; 0 where one of them is not known or 0
     */
    public record ReplayedStatement(
            String name,
            long count,
            long answered,
            long failed,
            MicrosSummary thenMicros,
            MicrosSummary nowMicros,
            double medianRatio) {
        /** With the ratio of the medians, to three places. */
        public static ReplayedStatement of(
                String name, long answered, long failed, MicrosSummary thenMicros, MicrosSummary nowMicros) {
            boolean known = answered > 0 && thenMicros.p50() > 0;
            double ratio = known ? Math.round(1_000.0 * nowMicros.p50() / thenMicros.p50()) / 1_000.0 : 0;
            return new ReplayedStatement(name, answered + failed, answered, failed, thenMicros, nowMicros, ratio);
        }
    }
}
