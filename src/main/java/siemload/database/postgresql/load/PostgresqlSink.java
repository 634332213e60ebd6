package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import siemload.database.Store.EventSink;
import siemload.database.layout.LayoutTable.Rows;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
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

    /** How the rows of events are inserted into one table: one statement for each event. Used by one thread. */
    private static final class TableInsert {
        private final String sql;
        private final Rows rows;
        private final IdeaWriter writer;
        private final boolean storesJson;
        private final List<Binding> bindings = new ArrayList<>();

        /** Binds one value of a statement. */
        @FunctionalInterface
        private interface Binding {
            void bind(PreparedStatement statement, int place, Values values) throws SQLException;
        }

        /**
         * What is inserted of an event.
         *
         * @param json empty where no value asks for it
         * @param addresses the networks of its addresses, first those of the sources
         * @param sides on which side each of them is
         */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        private record Values(SecurityEvent event, byte[] json, List<AddressRange> addresses, List<String> sides) {}

        TableInsert(SqlStatement insert, Rows rows, IdeaWriter writer) {
            this.sql = insert.sql();
            this.rows = rows;
            this.writer = writer;
            insert.values().forEach(name -> bindings.add(binding(name)));
            this.storesJson = insert.values().contains(StoredField.JSON.label());
        }

        private static Binding binding(String name) {
            return switch (name) {
                case "addresses" ->
                    (statement, place, values) -> statement.setString(place, Networks.array(values.addresses()));
                case "sides" ->
                    (statement, place, values) -> statement.setString(place, SqlText.textArray(values.sides()));
                case "json" -> (statement, place, values) -> statement.setBytes(place, values.json());
                default -> {
                    EventColumn column = EventColumn.of(StoredField.valueOf(name.toUpperCase(Locale.ROOT)));
                    yield (statement, place, values) -> statement.setString(place, column.text(values.event()));
                }
            };
        }

        String sql() {
            return sql;
        }

        /** Inserts the rows of a batch. @return the size of the JSON in them, in bytes */
        long write(List<SecurityEvent> batch, PreparedStatement statement) throws SQLException {
            statement.clearBatch(); // What an earlier batch that failed half-way may have left.
            long bytes = 0;
            for (SecurityEvent event : batch) {
                Values values = values(event);
                if (rows == Rows.EVENTS || !values.addresses().isEmpty()) {
                    for (int i = 0; i < bindings.size(); i++) {
                        bindings.get(i).bind(statement, i + 1, values);
                    }
                    statement.addBatch();
                    bytes += values.json().length;
                }
            }
            statement.executeBatch();
            return bytes;
        }

        private Values values(SecurityEvent event) {
            byte[] json = storesJson ? writer.toBytes(event) : new byte[0];
            if (rows == Rows.EVENTS) {
                return new Values(event, json, List.of(), List.of());
            }
            List<AddressRange> networks = new ArrayList<>(Networks.ofSide(event.sources()));
            List<String> sides = new ArrayList<>(Collections.nCopies(networks.size(), "s"));
            networks.addAll(Networks.ofSide(event.targets()));
            sides.addAll(Collections.nCopies(networks.size() - sides.size(), "t"));
            return new Values(event, json, networks, sides);
        }
    }
}
