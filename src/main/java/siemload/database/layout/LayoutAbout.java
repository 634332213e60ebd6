package siemload.database.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.Partitions;

/**
 * What {@code layout.yaml} says. Immutable.
 *
 * @param isForSearchesAlone whether it says how to search events that are there already, and neither loads nor feeds any
 * @param hints which it can follow, none first
 * @param base the folders of siemload whose blocks it has where its own folder does not have them, the first one first, which also says what
 *     {@code layout.yaml} leaves out
 * @param tables the first one has a row for each event; those that refer to others come behind them; none where a database has no tables
 * @param partitions what they are cut into
 * @param searched the index that is searched, where siemload loads none; else empty
 */
public record LayoutAbout(
        boolean isForSearchesAlone,
        List<Hint> hints,
        List<String> base,
        List<LayoutTable> tables,
        Partitions partitions,
        String searched) {
    /** What counts where a layout leaves something out and rests on no other one. */
    static final LayoutAbout NOTHING =
            new LayoutAbout(false, List.of(Hint.NONE), List.of(), List.of(), Partitions.NONE, "");

    /** Whether the rows of each day lie in a partition of their own. */
    public boolean isByDay() {
        return partitions == Partitions.DAY;
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return tables.stream().anyMatch(table -> table.rows() == LayoutTable.Rows.ADDRESSES);
    }

    /**
     * A table of a layout. Immutable.
     *
     * @param columns what fills each of its columns, but for those that the server fills, in the order in which they are written
     */
    public record LayoutTable(String name, Rows rows, Map<String, EventField> columns) {

        public LayoutTable {
            columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        }

        /** What has a row of its own. */
        public enum Rows {
            /** Each event. */
            EVENTS,
            /** Each address of an event on one side. */
            ADDRESSES
        }

        public String columnNames() {
            return String.join(", ", columns.keySet());
        }

        /** Their values as the names of values, separated by commas. */
        public String columnValues() {
            return columns.values().stream()
                    .map(field -> ":'" + field.label() + "'")
                    .collect(Collectors.joining(", "));
        }

        /** The columns that this field fills. */
        public List<String> filledBy(EventField field) {
            return columns.entrySet().stream()
                    .filter(column -> column.getValue() == field)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /** Its name in those of blocks: {@code events-json}. */
        public String label() {
            return name.replace('_', '-');
        }
    }
}
