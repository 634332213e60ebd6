package siemload.database.postgresql.layout;

import java.util.List;
import java.util.Locale;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.query.Paging;

/**
 * What {@code layout.yaml} says. Immutable.
 *
 * @param base the folders of siemload whose files it has where its own folder does not have them, the first one first
 * @param loading what siemload stores in its tables
 * @param tables the first one has a row for each event; those that refer to others come behind them
 * @param partitions what they are cut into
 * @param indexSets which it has, the default first
 * @param hints which it can follow, the default first
 * @param pagings which ways of paging it serves, the default first
 */
record LayoutAbout(
        String description,
        List<String> base,
        Loading loading,
        List<LayoutTable> tables,
        Partitions partitions,
        List<IndexSet> indexSets,
        List<Hint> hints,
        List<Paging> pagings) {
    LayoutAbout {
        base = List.copyOf(base);
        tables = List.copyOf(tables);
        indexSets = List.copyOf(indexSets);
        hints = List.copyOf(hints);
        pagings = List.copyOf(pagings);
    }

    /** What is stored in the tables of a layout by siemload. */
    enum Loading {
        /** The events of data sets, which it also feeds. */
        EVENTS,
        /** Nothing: they are somebody's, and are searched alone. */
        NONE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it says how to search events that are there already, and nothing else. */
    boolean isForSearchesAlone() {
        return loading == Loading.NONE;
    }

    boolean isByDay() {
        return partitions == Partitions.DAY;
    }

    /** Whether events are found by a table of addresses. */
    boolean hasAddressTable() {
        return tables.stream().anyMatch(table -> table.rows() == LayoutTable.Rows.ADDRESSES);
    }
}
