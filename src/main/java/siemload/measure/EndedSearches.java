package siemload.measure;

/**
 * How searches ended, in any phase. Immutable.
 *
 * @param answered how many were answered
 * @param failed how many were not
 * @param rows of all of them
 */
public record EndedSearches(long answered, long failed, long rows) {}
