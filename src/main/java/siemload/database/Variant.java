package siemload.database;

import java.util.Optional;
import siemload.query.Paging;

/**
 * What is compared when two runs differ in the database only. Immutable.
 *
 * @param layout the name of one of the target's layouts, or the label of one's own
 * @param partitions what its tables are cut into
 * @param ownLayout the files of a layout of one's own; empty for one of the target's
 */
public record Variant(
        String layout,
        Partitions partitions,
        IndexSet indexes,
        Hint hint,
        Paging paging,
        Optional<LayoutFolder> ownLayout) {

    public Variant(String layout, Partitions partitions, IndexSet indexes, Hint hint, Paging paging) {
        this(layout, partitions, indexes, hint, paging, Optional.empty());
    }

    public Variant(String layout, IndexSet indexes, Hint hint, Paging paging) {
        this(layout, Partitions.NONE, indexes, hint, paging);
    }

    public Variant with(IndexSet otherIndexes, Hint otherHint) {
        return new Variant(layout, partitions, otherIndexes, otherHint, paging, ownLayout);
    }
}
