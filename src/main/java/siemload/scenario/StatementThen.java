package siemload.scenario;

import java.util.List;
import siemload.scenario.replay.RecordedPlan;

/**
 * What the log has of a statement from which a scenario was learnt, to be shown beside what a run measures: nothing that a run does
 * depends on it. Immutable.
 *
 * @param plans by which it was executed then, the commonest first, without their texts; none where the log has none
 */
public record StatementThen(Logged times, List<RecordedPlan> plans) {
    public StatementThen {
        plans = List.copyOf(plans);
    }

    /** How long the server worked on it, in microseconds, 0 or more; percentiles are nearest rank. Immutable. */
    public record Logged(long min, double mean, long p50, long p90, long p95, long p99, long p999, long max) {}
}
