package siemload.database.postgresql.load;

import java.util.List;
import java.util.Optional;
import siemload.database.postgresql.layout.DayPartition;

/**
 * Rows on their way into all tables of a layout, or into one partition of each. Immutable.
 *
 * @param partition empty for the tables as a whole
 * @param ofTables those of each table, in the layout's order
 */
record PlacedRows(Optional<DayPartition> partition, List<CopyBuffer> ofTables) {
    /** Comes after the last ones, and is for no table. */
    static final PlacedRows END = new PlacedRows(Optional.empty(), List.of());

    PlacedRows {
        ofTables = List.copyOf(ofTables);
    }

    boolean isEnd() {
        return ofTables.isEmpty();
    }
}
