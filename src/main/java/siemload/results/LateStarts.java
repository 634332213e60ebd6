package siemload.results;

/**
 * Statements of a replay that were begun more than a millisecond late for one reason. Immutable.
 *
 * @param count how many
 * @param latenessMicros how late these were
 */
public record LateStarts(long count, MicrosSummary latenessMicros) {}
