package siemload.results;

/**
 * A plan by which a statement was executed when it was recorded. Immutable.
 *
 * @param shape the plan reduced to what can be compared, as that of now is
 * @param count how often the log has it for this statement; it may not have that of each execution
 */
public record PlanThen(String shape, long count) {}
