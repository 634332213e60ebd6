package siemload.database;

import java.util.Optional;
import siemload.query.Paging;

/**
 * The variant of a database that a run uses: layout, partitions, indexes, hint and paging. Immutable.
 *
 * @param layout the name of one of the target's layouts, or the label of a user's layout
 * @param partitions how its tables are partitioned
 * @param ownLayout the files of a user's layout; empty for one of the target's layouts
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
