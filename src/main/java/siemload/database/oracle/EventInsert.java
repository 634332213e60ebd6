package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Inserts events into the tables by array binding: the one mapping, for loading and for feeding alike. Used by one
 * thread; the caller commits.
 */
final class EventInsert implements AutoCloseable {
    private final List<TableInsertion> tables = new ArrayList<>();
    private final IdeaWriter writer = new IdeaWriter();

    EventInsert(Connection connection, TableGroup tables) throws SQLException {
        for (LayoutTable<OracleField> table : tables.layout().tables()) {
            this.tables.add(new TableInsertion(connection, table.rows(), tables.insert(table)));
        }
    }

    /** Answers the size of the events as IDEA JSON, in bytes. */
    long insert(Collection<SecurityEvent> batch) throws SQLException {
        for (TableInsertion table : tables) {
            table.clear();
        }
        long bytes = 0;
        for (SecurityEvent event : batch) {
            StoredEvent stored = StoredEvent.of(event, writer.toBytes(event));
            bytes += stored.json().length;
            for (int i = 0; i < tables.size(); i++) {
                tables.get(i).add(stored);
            }
        }
        for (TableInsertion table : tables) {
            table.execute();
        }
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        for (TableInsertion table : tables) {
            table.close();
        }
    }
}
