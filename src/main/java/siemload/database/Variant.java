package siemload.database;

import siemload.query.Paging;

/**
 * What is compared when two runs differ in the database only. Immutable.
 *
 * @param layout the name of one of the target's layouts
 */
public record Variant(String layout, IndexSet indexes, Hint hint, Paging paging) {}
