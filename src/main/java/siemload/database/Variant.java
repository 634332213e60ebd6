package siemload.database;

import siemload.query.Paging;

/**
 * What is compared when two runs differ in the database only. Immutable.
 *
 * @param layout the name of one of the target's layouts
 * @param partitions what its tables are cut into
 */
public record Variant(String layout, Partitions partitions, IndexSet indexes, Hint hint, Paging paging) {

    /** With tables in one piece. */
    public Variant(String layout, IndexSet indexes, Hint hint, Paging paging) {
        this(layout, Partitions.NONE, indexes, hint, paging);
    }
}
