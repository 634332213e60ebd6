package siemload.database.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

    /** The names of the columns, separated by commas. */
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
