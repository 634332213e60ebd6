package siemload.scenario;

import java.util.List;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.scenario.replay.RecordedPlan;

/**
 * What the log has of a statement from which a scenario was learnt, to be shown beside what a run measures: nothing that a run does
 * depends on it. Immutable.
 *
 * @param plans by which it was executed then, the commonest first, without their texts; none where the log has none
 */
public record StatementThen(
        @Key("micros") Logged times, @Key(standard = "[]") List<RecordedPlan> plans) {
    static final String MICROS = "0 to 9223372036854";

    public StatementThen {
        plans = List.copyOf(plans);
        if (plans.size() > RecordedPlan.MOST) {
            throw new Misfit("plans", "has " + plans.size() + " plans (allowed: at most " + RecordedPlan.MOST + ")");
        }
    }

    /** How long the server worked on it, in microseconds, 0 or more; percentiles are nearest rank. Immutable. */
    public record Logged(
            @Key(allowed = MICROS) long min,
            @Key(allowed = MICROS) double mean,
            @Key(allowed = MICROS) long p50,
            @Key(allowed = MICROS) long p90,
            @Key(allowed = MICROS) long p95,
            @Key(allowed = MICROS) long p99,
            @Key(allowed = MICROS) long p999,
            @Key(allowed = MICROS) long max) {}
}
