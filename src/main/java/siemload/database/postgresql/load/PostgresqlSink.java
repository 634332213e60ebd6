package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final int TELLS_LOG_SINCE = 18;
    private static final String HAND_IN =
            FILES.read("server/hand-in-counts.sql").sql();
    private static final String LOG_BYTES = FILES.read("server/log-bytes.sql").sql();

    private final String insertEvent;
    private final SqlStatement insertJson;
    /** Empty where no table has the addresses. */
    private final Optional<SqlStatement> insertAddresses;

    private final RunConnection connection;
    private final IdeaWriter writer = new IdeaWriter();

    public PostgresqlSink(Layout layout, RunConnection connection) {
        this.insertEvent = layout.read("insert-event", parts()).sql();
        this.insertJson = layout.read("insert-event-json");
        this.insertAddresses =
                layout.hasAddressTable() ? Optional.of(layout.read("insert-event-address")) : Optional.empty();
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
        PreparedStatement events = connection.statement(insertEvent);
        PreparedStatement jsons = connection.statement(insertJson.sql());
        events.clearBatch();
        jsons.clearBatch(); // What an earlier batch that failed half-way may have left.
        long bytes = 0;
        for (SecurityEvent event : batch) {
            for (int i = 0; i < EventColumn.ALL.size(); i++) {
                events.setString(i + 1, EventColumn.ALL.get(i).text(event));
            }
            events.addBatch();
            byte[] json = writer.toBytes(event);
            bytes += json.length;
            bindJson(jsons, event, json);
            jsons.addBatch();
        }
        events.executeBatch();
        if (insertAddresses.isPresent()) {
            insertAddresses(batch, insertAddresses.orElseThrow());
        }
        jsons.executeBatch();
        return bytes;
    }

    private void bindJson(PreparedStatement jsons, SecurityEvent event, byte[] json) throws SQLException {
        for (int i = 0; i < insertJson.values().size(); i++) {
            switch (insertJson.values().get(i)) {
                case "id" -> jsons.setString(i + 1, EventColumn.ID.text(event));
                case "detect_time" -> jsons.setString(i + 1, EventColumn.DETECT_TIME.text(event));
                case "event" -> jsons.setBytes(i + 1, json);
                default -> throw new AssertionError("no value for " + insertJson);
            }
        }
    }

    /** The rows of an event with one statement. */
    private void insertAddresses(List<SecurityEvent> batch, SqlStatement insert) throws SQLException {
        PreparedStatement addresses = connection.statement(insert.sql());
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
                for (int i = 0; i < insert.values().size(); i++) {
                    addresses.setString(i + 1, values.get(insert.values().get(i)));
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
