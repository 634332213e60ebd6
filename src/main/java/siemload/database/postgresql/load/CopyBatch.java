package siemload.database.postgresql.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.SecurityEvent;

/**
 * Some events as rows of all tables of a layout, or of one partition of each. Nobody writes into the rows any more, so that any
 * thread can send them.
 *
 * @param partition empty for the tables as a whole
 * @param rows those of each table, in the layout's order
 * @param jsonBytes the size of the JSON in them
 */
record CopyBatch(Optional<DayPartition> partition, List<CopyBuffer> rows, long jsonBytes) {
    /** Comes after the last one: it has no tables, as no other has. */
    static final CopyBatch END = new CopyBatch(Optional.empty(), List.of(), 0);

    /** About as many as an event takes in the table of the JSON, which takes most. */
    private static final int BYTES_PER_EVENT = 768;

    CopyBatch {
        rows = List.copyOf(rows);
    }

    /** Makes the rows of events. */
    static CopyBatch of(List<SecurityEvent> events, Layout layout, Optional<DayPartition> partition) {
        List<CopyBuffer> rows = new ArrayList<>();
        long jsonBytes = 0;
        for (LayoutTable<StoredField> table : layout.tables()) {
            CopyFormat format = CopyFormat.of(table);
            CopyBuffer ofTable = new CopyBuffer(events.size() * BYTES_PER_EVENT);
            for (SecurityEvent event : events) {
                jsonBytes += format.rows(event, ofTable);
            }
            rows.add(ofTable);
        }
        return new CopyBatch(partition, rows, jsonBytes);
    }

    /** The same rows somewhere else. */
    CopyBatch into(Optional<DayPartition> other) {
        return new CopyBatch(other, rows, jsonBytes);
    }

    boolean isEnd() {
        return rows.isEmpty();
    }
}
