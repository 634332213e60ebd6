package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import siemload.database.EventSink;
import siemload.database.postgresql.layout.Layout;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Inserts batches into all tables, each in one transaction. */
public final class PostgresqlSink implements EventSink {
    private static final int TELLS_LOG_SINCE = 18;
    private static final String HAND_IN =
            FILES.read("server/hand-in-counts.sql").sql();
    private static final String LOG_BYTES = FILES.read("server/log-bytes.sql").sql();

    private final List<TableInsert> inserts;

    private final RunConnection connection;

    public PostgresqlSink(Layout layout, RunConnection connection) {
        IdeaWriter writer = new IdeaWriter();
        this.inserts = layout.tables().stream()
                .map(table -> new TableInsert(layout.insert(table), table.rows(), writer))
                .toList();
        this.connection = connection;
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        return connection.transaction(open -> insert(batch));
    }

    @Override
    public OptionalLong logBytes() {
        return connection.transaction(open -> {
            if (open.getMetaData().getDatabaseMajorVersion() < TELLS_LOG_SINCE) {
                return OptionalLong.empty();
            }
            // A process hands its counts in when it is between two transactions.
            connection.statement(HAND_IN).execute();
            open.commit();
            return OptionalLong.of(SqlStatement.row(connection.statement(LOG_BYTES), row -> row.getLong(1)));
        });
    }

    @Override
    public void close() {
        connection.close();
    }

    /** The rows that others refer to come first. */
    private long insert(List<SecurityEvent> batch) throws SQLException {
        long bytes = 0;
        for (TableInsert insert : inserts) {
            bytes += insert.write(batch, connection.statement(insert.sql()));
        }
        return bytes;
    }
}
