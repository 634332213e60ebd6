package siemload.database.oracle;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.database.EventSink;
import siemload.database.sql.RunConnection;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Inserts batches into the three tables, each in one transaction. Only after the server has refused a batch because it
 * knows an id is it asked which ones: a feeder that meets no trouble pays nothing for its right to write again.
 */
record OracleSink(RunConnection connection, TableGroup tables) implements EventSink {

    @Override
    public long write(List<SecurityEvent> batch) {
        return connection.transaction(open -> insert(open, batch));
    }

    @Override
    public void close() {
        connection.close();
    }

    private long insert(Connection open, List<SecurityEvent> batch) throws SQLException {
        try (EventInsert insert = new EventInsert(open, tables)) {
            try {
                return insert.insert(batch);
            } catch (BatchUpdateException e) {
                if (!OracleErrors.isDuplicate(e)) {
                    throw e;
                }
                open.rollback();
                insert.insert(missing(open, batch));
                IdeaWriter writer = new IdeaWriter();
                return batch.stream()
                        .mapToLong(event -> writer.toBytes(event).length)
                        .sum();
            }
        }
    }

    private List<SecurityEvent> missing(Connection open, List<SecurityEvent> batch) throws SQLException {
        Map<String, SecurityEvent> missing = new LinkedHashMap<>();
        batch.forEach(event -> missing.putIfAbsent(event.id(), event));
        Set<String> present =
                StoredIds.among(new ArrayList<>(missing.keySet()), open, tables).keySet();
        missing.keySet().removeAll(present);
        return List.copyOf(missing.values());
    }
}
