package siemload.results;

import java.util.List;

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
