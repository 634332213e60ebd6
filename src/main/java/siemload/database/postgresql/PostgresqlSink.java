package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import siemload.database.Store.EventSink;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutTable;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Inserts batches into all tables, each in one transaction. */
final class PostgresqlSink implements EventSink {
    private static final int TELLS_LOG_SINCE = 18;
    private static final String HAND_IN = SQL.read("hand-in-counts").sql();
    private static final String LOG_BYTES = SQL.read("log-bytes").sql();

    private final List<TableInsert> inserts;
    private final IdeaWriter writer = new IdeaWriter();
    private final RunConnection connection;

    PostgresqlSink(Layout layout, RunConnection connection) {
        this.inserts = layout.tables().stream()
                .map(table -> TableInsert.of(layout, table))
                .toList();
        this.connection = connection;
    }

    /** The rows that others refer to come first. */
    @Override
    public long write(List<SecurityEvent> batch) {
        return connection.transaction(open -> {
            long bytes = 0;
            for (TableInsert insert : inserts) {
                bytes += insert.write(batch, writer, connection.statement(insert.sql));
            }
            return bytes;
        });
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

    /** How the rows of events are inserted into one table: one statement for each event that has any. */
    private record TableInsert(String sql, List<EventField> fields, boolean ofAddresses) {
        static TableInsert of(Layout layout, LayoutTable table) {
            SqlStatement insert = layout.insert(table);
            List<EventField> fields =
                    insert.values().stream().map(TableInsert::field).toList();
            return new TableInsert(insert.sql(), fields, table.rows() == LayoutTable.Rows.ADDRESSES);
        }

        /** The addresses of an event are one value, and so are their sides. */
        private static EventField field(String name) {
            return switch (name) {
                case "addresses" -> EventField.NETWORK;
                case "sides" -> EventField.SIDE;
                default -> EventField.valueOf(name.toUpperCase(Locale.ROOT));
            };
        }

        /** Inserts the rows of a batch. @return the size of the JSON in them, in bytes */
        long write(List<SecurityEvent> batch, IdeaWriter writer, PreparedStatement statement) throws SQLException {
            statement.clearBatch(); // What an earlier batch that failed half-way may have left.
            long bytes = 0;
            for (SecurityEvent event : batch) {
                List<AddressRange> networks = new ArrayList<>();
                List<String> sides = new ArrayList<>();
                if (ofAddresses) {
                    networks.addAll(Networks.ofSide(event.sources()));
                    sides.addAll(Collections.nCopies(networks.size(), "s"));
                    networks.addAll(Networks.ofSide(event.targets()));
                    sides.addAll(Collections.nCopies(networks.size() - sides.size(), "t"));
                }
                if (!ofAddresses || !networks.isEmpty()) {
                    for (int i = 0; i < fields.size(); i++) {
                        switch (fields.get(i)) {
                            case NETWORK -> statement.setString(i + 1, Networks.array(networks));
                            case SIDE -> statement.setString(i + 1, SqlText.textArray(sides));
                            case JSON -> {
                                byte[] json = writer.toBytes(event);
                                statement.setBytes(i + 1, json);
                                bytes += json.length;
                            }
                            default -> statement.setString(i + 1, SqlText.of(fields.get(i), event));
                        }
                    }
                    statement.addBatch();
                }
            }
            statement.executeBatch();
            return bytes;
        }
    }
}
