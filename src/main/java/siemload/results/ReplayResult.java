package siemload.results;

import java.util.List;
import java.util.Map;

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

    /** The same with the plans of then, by the names of statements; those that are not there have none. */
    public ReplayResult with(Map<String, List<PlanThen>> plansThen) {
        List<ReplayedStatement> planned = statements.stream()
                .map(statement -> statement.with(plansThen.getOrDefault(statement.name(), List.of())))
                .toList();
        return new ReplayResult(
                recording, speed, recorded, leftOut, due, ended, lateByDatabase, lateByPlayer, planned, failure);
    }

    /** Executions of which nobody knows what became of them; 0 unless the load generator has lost some. */
    public long unreported() {
        return due - ended;
    }

    /** How many executions were not due, since the load ended before. */
    public long notDue() {
        return recorded - leftOut - due;
    }

    /**
     * Statements of a replay that were begun more than a millisecond late for one reason. Immutable.
     *
     * @param count how many
     * @param latenessMicros how late these were
     */
    public record LateStarts(long count, MicrosSummary latenessMicros) {}

    /**
     * How long a statement took when it was logged, and when it was asked again: by a replay, or by a scenario that was learnt. Immutable.
     *
     * @param name of the statement
     * @param count how often it was asked in the measured phase
     * @param answered how often it was answered
     * @param failed how often it was not; those that the run gave up waiting for are among them
     * @param thenMicros what the log says of these executions, or, of a scenario that was learnt, of all that it has: the time that the
     *     server worked on them
     * @param nowMicros from a worker's begin to the last row, of those that were answered; the network is in it
     * @param medianRatio the median now by the median then; 0 where one of them is not known or 0
     * @param plansThen by which it was executed then, the commonest first; none where the log had none
     */
    public record ReplayedStatement(
            String name,
            long count,
            long answered,
            long failed,
            MicrosSummary thenMicros,
            MicrosSummary nowMicros,
            double medianRatio,
            List<PlanThen> plansThen) {
        public ReplayedStatement {
            plansThen = List.copyOf(plansThen);
        }

        /** The same with the plans of then. */
        public ReplayedStatement with(List<PlanThen> plans) {
            return new ReplayedStatement(name, count, answered, failed, thenMicros, nowMicros, medianRatio, plans);
        }

        /** With the ratio of the medians, to three places. */
        public static ReplayedStatement of(
                String name, long answered, long failed, MicrosSummary thenMicros, MicrosSummary nowMicros) {
            boolean known = answered > 0 && thenMicros.p50() > 0;
            double ratio = known ? Math.round(1_000.0 * nowMicros.p50() / thenMicros.p50()) / 1_000.0 : 0;
            return new ReplayedStatement(
                    name, answered + failed, answered, failed, thenMicros, nowMicros, ratio, List.of());
        }
    }

    /**
     * A plan by which a statement was executed when it was recorded. Immutable.
     *
     * @param shape the plan reduced to what can be compared, as that of now is
     * @param count how often the log has it for this statement; it may not have that of each execution
     */
    public record PlanThen(String shape, long count) {}
}
