package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import siemload.database.EventSink;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Inserts batches into all tables, each in one transaction. */
public final class PostgresqlSink implements EventSink {
    private static final String INSERT_EVENT =
            FILES.read("mentat/insert-event.sql", parts()).sql();
    private static final String INSERT_JSON =
            FILES.read("mentat/insert-event-json.sql").sql();

    private static final SqlStatement INSERT_ADDRESSES = Layout.ADDRESS.read("insert-event-address");
    private static final int TELLS_LOG_SINCE = 18;
    private static final String HAND_IN =
            FILES.read("server/hand-in-counts.sql").sql();
    private static final String LOG_BYTES = FILES.read("server/log-bytes.sql").sql();

    private final Layout layout;
    private final RunConnection connection;
    private final IdeaWriter writer = new IdeaWriter();

    public PostgresqlSink(Layout layout, RunConnection connection) {
        this.layout = layout;
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

    private long insert(List<SecurityEvent> batch) throws SQLException {
        PreparedStatement events = connection.statement(INSERT_EVENT);
        PreparedStatement jsons = connection.statement(INSERT_JSON);
        events.clearBatch();
        jsons.clearBatch(); // What an earlier batch that failed half-way may have left.
        long bytes = 0;
        for (SecurityEvent event : batch) {
            for (int i = 0; i < EventColumn.ALL.size(); i++) {
                events.setString(i + 1, EventColumn.ALL.get(i).text(event));
            }
            events.addBatch();
            jsons.setString(1, EventColumn.ID.text(event));
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

    /** The rows of an event with one statement. */
    private void insertAddresses(List<SecurityEvent> batch) throws SQLException {
        PreparedStatement addresses = connection.statement(INSERT_ADDRESSES.sql());
        addresses.clearBatch();
        for (SecurityEvent event : batch) {
            List<AddressRange> networks = new ArrayList<>(Networks.ofSide(event.sources()));
            List<String> sides = new ArrayList<>(Collections.nCopies(networks.size(), "s"));
            networks.addAll(Networks.ofSide(event.targets()));
            sides.addAll(Collections.nCopies(networks.size() - sides.size(), "t"));
            if (!networks.isEmpty()) {
                Map<String, String> values = Map.of(
                        "detect_time", SqlText.timestamp(event.detectTime()),
                        "id", SqlText.clean(event.id()),
                        "addresses", Networks.array(networks),
                        "sides", SqlText.textArray(sides));
                for (int i = 0; i < INSERT_ADDRESSES.values().size(); i++) {
                    addresses.setString(
                            i + 1, values.get(INSERT_ADDRESSES.values().get(i)));
                }
                addresses.addBatch();
            }
        }
        addresses.executeBatch();
    }

    private static Map<String, String> parts() {
        String places = EventColumn.ALL.stream().map(column -> "?").collect(Collectors.joining(", "));
        return Map.of("columns", EventColumn.NAMES, "values", places);
    }
}
