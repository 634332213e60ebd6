package siemload.scenario.replay;

import siemload.config.YamlRecords.Key;

/**
 * One of the plans by which a statement of a query recording was executed then, as far as the log has them. Immutable.
 *
 * @param shape the plan reduced to what can be compared with others
 * @param count how often the log has a plan of this shape for the statement, 1 or more
 */
public record RecordedPlan(
        String shape,
        @Key(allowed = "1 to 9223372036854775807") long count) {
    /** More shapes than this are not kept of a statement. */
    public static final int MOST = 10;
}
