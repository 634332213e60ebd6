package siemload.scenario;

import java.util.List;
import java.util.OptionalDouble;
import siemload.scenario.replay.RecordedPlan;

/**
 * What the log, or the counts, have of a statement from which a scenario was learnt, to be shown beside what a run measures: nothing that a run does
 * depends on it. Immutable.
 *
 * @param plans by which it was executed then, the commonest first, without their texts; none where the log has none
 */
public record StatementThen(Times times, List<RecordedPlan> plans) {
    public StatementThen {
        plans = List.copyOf(plans);
    }

    /** How long the server worked on it, in microseconds, 0 or more. */
    public sealed interface Times permits Logged, Counted {}

    /** As a log has each execution; percentiles are nearest rank. Immutable. */
    public record Logged(long min, double mean, long p50, long p90, long p95, long p99, long p999, long max)
            implements Times {}

    /**
     * As a server has counted them, which keeps no single time: a mean, and no percentiles. Immutable.
     *
     * @param calls how many there were, 1 or more
     * @param stddev the standard deviation; empty where the counts do not tell, as the others are
     */
    public record Counted(long calls, double mean, OptionalDouble stddev, OptionalDouble min, OptionalDouble max)
            implements Times {}
}
