package siemload.database.postgresql.load;

import java.util.List;
import java.util.Optional;
import siemload.database.postgresql.layout.DayPartition;

/**
 * Some events as rows of all tables of a layout. Nobody writes into the rows any more, so that any thread can send them.
 *
 * @param day of all the events; empty where they go into the tables as a whole
 * @param rows those of each table, in the layout's order
 * @param jsonBytes the size of the JSON in them
 */
record CopyBatch(Optional<DayPartition> day, List<CopyBuffer> rows, long jsonBytes) {
    CopyBatch {
        rows = List.copyOf(rows);
    }

    /** How many bytes of memory its rows take. */
    long memoryBytes() {
        return rows.stream().mapToLong(CopyBuffer::memoryBytes).sum();
    }
}
