package siemload.database.postgresql.load;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import siemload.database.EventSink;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.RunConnection;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Inserts batches into all tables, each in one transaction. */
public final class PostgresqlSink implements EventSink {
    private static final String INSERT_EVENT =
            SqlTemplate.read("mentat/insert-event.sql", parts()).sql();
    private static final String INSERT_JSON =
            SqlTemplate.read("mentat/insert-event-json.sql").sql();

    private static final int TELLS_LOG_SINCE = 18;
    private static final String HAND_IN =
            SqlTemplate.read("server/hand-in-counts.sql").sql();
    private static final String LOG_BYTES =
            SqlTemplate.read("server/log-bytes.sql").sql();

    private final Layout layout;
    private final RunConnection connection;
    private final Duration timeout;
    private final TextColumn column = new TextColumn();
    private final IdeaWriter writer = new IdeaWriter();

    public PostgresqlSink(Layout layout, RunConnection connection, Duration timeout) {
        this.layout = layout;
        this.connection = connection;
        this.timeout = timeout;
    }

    public void connect() throws SQLException {
        connection.get().setAutoCommit(false);
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        long start = System.nanoTime();
        try {
            connect();
            long bytes = insert(batch);
            connection.get().commit();
            return bytes;
        } catch (SQLException e) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            giveUp(e);
            throw PostgresqlErrors.inRun(e, elapsed, timeout);
        }
    }

    @Override
    public OptionalLong logBytes() {
        long start = System.nanoTime();
        try {
            connect();
            if (connection.get().getMetaData().getDatabaseMajorVersion() < TELLS_LOG_SINCE) {
                return OptionalLong.empty();
            }
            // A process hands its counts in when it is between two transactions.
            connection.statement(HAND_IN).execute();
            connection.get().commit();
            try (ResultSet row = connection.statement(LOG_BYTES).executeQuery()) {
                row.next();
                return OptionalLong.of(row.getLong(1));
            } finally {
                connection.get().commit();
            }
        } catch (SQLException e) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            giveUp(e);
            throw PostgresqlErrors.inRun(e, elapsed, timeout);
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    private long insert(List<SecurityEvent> batch) throws SQLException {
        PreparedStatement events = connection.statement(INSERT_EVENT);
        PreparedStatement jsons = connection.statement(INSERT_JSON);
        events.clearBatch();
        jsons.clearBatch(); // What an earlier batch that failed half-way may have left.
        long bytes = 0;
        for (SecurityEvent event : batch) {
            for (int i = 0; i < EventColumn.ALL.size(); i++) {
                EventColumn.ALL.get(i).write(event, column);
                events.setString(i + 1, column.value());
            }
            events.addBatch();
            EventColumn.ID.write(event, column);
            jsons.setString(1, column.value());
            byte[] json = writer.toBytes(event);
            bytes += json.length;
            jsons.setBytes(2, json);
            jsons.addBatch();
        }
        events.executeBatch();
        if (layout == Layout.ADDRESS) {
            insertAddresses(batch);
        }
        jsons.executeBatch();
        return bytes;
    }

    private void insertAddresses(List<SecurityEvent> batch) throws SQLException {
        PreparedStatement addresses = connection.statement(AddressInsert.sql());
        addresses.clearBatch();
        for (SecurityEvent event : batch) {
            AddressInsert.add(event, addresses);
        }
        addresses.executeBatch();
    }

    /** Rolls back, or closes a connection that cannot even do that; the next batch then connects again. */
    private void giveUp(SQLException error) {
        if (PostgresqlErrors.lostConnection(error)) {
            connection.close();
            return;
        }
        try {
            connection.get().rollback();
        } catch (SQLException broken) {
            error.addSuppressed(broken);
            connection.close();
        }
    }

    private static Map<String, String> parts() {
        String places = EventColumn.ALL.stream().map(column -> "?").collect(Collectors.joining(", "));
        return Map.of("columns", EventColumn.NAMES, "values", places);
    }
}
