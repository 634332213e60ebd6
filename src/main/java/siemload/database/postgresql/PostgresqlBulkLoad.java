package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.util.ByteConverter;
import siemload.config.DaemonThread;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.PreparedEvents;
import siemload.database.TargetException;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable;
import siemload.database.postgresql.PostgresqlSearchStatements.SqlText;
import siemload.database.server.ServerErrors;
import siemload.database.sql.SqlAccess;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Creates all tables of a layout and loads them in parallel, each in one transaction. A transaction can freeze the rows of tables that it
 * created, so that no later VACUUM needs to touch these rows.
 */
final class PostgresqlBulkLoad implements BulkLoad {
    /** The number of events whose rows are made and sent for one table before the next. The rows fit into a processor's caches. */
    private static final int EVENTS_AT_ONCE = 256;

    /** The usual size of an event in its largest table, in bytes. A larger buffer would only take longer to fill with zeros. */
    private static final int USUAL_BYTES = 768;

    /**
     * The number of bytes after which a COPY ends and the next COPY begins: the driver notices only at the end of a COPY that the server
     * has aborted it. At the end of a COPY, its last 16 MB are still in the server's cache, and the commit must write them.
     */
    private static final long BYTES_OF_A_COPY = 128 << 20;

    /** Stands for the day of a partition in tables without partitions. */
    private static final String WHOLE = "";

    private static final AddressRange NO_NETWORK = AddressRange.ip4(0);

    private final Layout layout;
    private final List<TableCopy> tableCopies = new ArrayList<>();

    private long bytes;

    private PostgresqlBulkLoad(Layout layout) {
        this.layout = layout;
    }

    /** Creates the tables and begins to load them. @throws TargetException if the server refuses */
    static BulkLoad ofNewTables(PostgresqlConnections connections, String database, Layout layout) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(layout);
        try {
            for (LayoutTable table : layout.tables()) {
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.add(load.new TableCopy(table, connection));
                connection.setAutoCommit(false);
                layout.create(table, connection);
                SQL.read("write-early").execute(connection);
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlConnections.PostgresqlErrors.INSTANCE.outsideRun("cannot load the database " + database, e);
        }
    }

    /**
     * Begins to load into existing tables over several connections. Each batch is one transaction, which stores the events first, since the
     * other rows may refer to them.
     *
     * @throws TargetException if the server refuses
     */
    static BulkLoad ofTables(SqlAccess access, Layout layout, String place) {
        return access.load(place, connection -> batch -> {
            long bytes = 0;
            for (LayoutTable table : layout.tables()) {
                CopyRows rows = CopyRows.of(table, batch);
                CopyIn copy = begin(connection, layout, table, WHOLE, "false");
                int unused = rows.send(copy);
                end(copy);
                bytes += rows.jsonBytes;
            }
            return bytes;
        });
    }

    private static CopyIn begin(Connection connection, Layout layout, LayoutTable table, String day, String freeze)
            throws SQLException {
        Map<String, String> parts =
                Map.of("table", Layout.part(table.name(), day), "columns", table.columnNames(), "freeze", freeze);
        CopyIn copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(layout.read("copy", parts).sql());
        copy.writeToCopy(CopyRows.HEADER, 0, CopyRows.HEADER.length);
        return copy;
    }

    private static void end(CopyIn copy) throws SQLException {
        copy.writeToCopy(CopyRows.END, 0, CopyRows.END.length);
        copy.endCopy();
    }

    /** Groups events by day, since COPY can freeze rows only in a partition that its own transaction has created. */
    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        List<Runnable> batches = new ArrayList<>();
        Map<String, List<SecurityEvent>> byDay = events.stream()
                .collect(Collectors.groupingBy(
                        event -> layout.about().isByDay() ? Layout.day(event.detectTime()) : WHOLE,
                        LinkedHashMap::new,
                        Collectors.toList()));
        byDay.forEach((day, ofDay) -> {
            for (int from = 0; from < ofDay.size(); from += EVENTS_AT_ONCE) {
                List<SecurityEvent> some = ofDay.subList(from, Math.min(from + EVENTS_AT_ONCE, ofDay.size()));
                List<CopyRows> ofTables = layout.tables().stream()
                        .map(table -> CopyRows.of(table, some))
                        .toList();
                batches.add(() -> add(day, ofTables));
            }
        });
        return new PreparedEvents(events, prepared -> batches.forEach(Runnable::run));
    }

    private void add(String day, List<CopyRows> ofTables) {
        for (int i = 0; i < tableCopies.size(); i++) {
            bytes += ofTables.get(i).jsonBytes;
            tableCopies.get(i).add(day, ofTables.get(i));
        }
    }

    @Override
    public long store() {
        // All tasks have ended, successfully or not, before a connection is closed.
        DaemonThread.await(DaemonThread.start(
                "siemload-load",
                tableCopies.stream().<Runnable>map(copy -> copy::commit).toList()));
        close();
        return bytes;
    }

    @Override
    public void close() {
        tableCopies.forEach(TableCopy::close);
        tableCopies.clear();
    }

    /**
     * Loads one table over its own connection, in the transaction that created the table. The server works on all tables in parallel: data
     * that it has not read yet wait in the sockets' buffers, which hold several batches.
     */
    private final class TableCopy {
        private final LayoutTable table;
        private final Connection connection;
        /** The COPY in progress into the partition of {@link #day}, over which {@link #sent} bytes have been sent. */
        private Optional<CopyIn> copy = Optional.empty();

        private String day = WHOLE;
        private long sent;

        /** @param connection used and closed only by this copy */
        TableCopy(LayoutTable table, Connection connection) {
            this.table = table;
            this.connection = connection;
        }

        private void load(ServerErrors.Work<SQLException> work) {
            PostgresqlConnections.PostgresqlErrors.INSTANCE.running("load the table " + table.name(), work);
        }

        /** Sends rows; waits while the server is busy. */
        void add(String place, CopyRows rows) {
            load(() -> {
                if (!place.equals(day) || sent >= BYTES_OF_A_COPY) {
                    endCopy();
                }
                if (copy.isEmpty()) {
                    if (!place.equals(WHOLE)) {
                        layout.createPartition(place, table.name(), connection);
                    }
                    copy = Optional.of(PostgresqlBulkLoad.begin(connection, layout, table, place, "true"));
                    day = place;
                    sent = 0;
                }
                sent += rows.send(copy.get());
            });
        }

        void commit() {
            load(() -> {
                endCopy();
                connection.commit();
            });
        }

        private void endCopy() throws SQLException {
            if (copy.isPresent()) {
                end(copy.get());
                copy = Optional.empty();
            }
        }

        /** Closes the connection, so that the server discards everything that was not committed. */
        void close() {
            try {
                if (copy.isEmpty()) {
                    connection.close();
                } else {
                    connection.abort(Runnable::run);
                }
            } catch (SQLException alreadyBroken) {
                // The driver closes the socket even if it throws an exception.
            }
        }
    }

    /**
     * The rows of events in one table, in COPY's binary format: each value, in the binary form of its type, is preceded by its length. The
     * values equal those of {@link SqlText}, but are not formatted and parsed as text. Threads may use the rows in turn, one at a time.
     */
    static final class CopyRows {
        /** The header before all rows: a signature, no flags, and no extension. */
        static final byte[] HEADER = "PGCOPY\n\u00FF\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

        static final byte[] END = {-1, -1};

        private static final int INT4 = 23;
        private static final int TEXT = 25;
        private static final int EMPTY_RANGE = 1;
        private static final int BOTH_ENDS_INCLUDED = 2 | 4;
        private static final int INET_IP4 = 2;
        private static final int INET_IP6 = 3;

        private final LayoutTable.Rows kind;
        private final EventField[] fields;
        private ByteBuffer rows;
        private long jsonBytes;

        /** @param size the number of bytes that the buffer holds before it must grow */
        CopyRows(LayoutTable table, int size) {
            kind = table.rows();
            fields = table.columns().values().toArray(EventField[]::new);
            rows = ByteBuffer.allocate(size);
        }

        static CopyRows of(LayoutTable table, List<SecurityEvent> events) {
            CopyRows rows = new CopyRows(table, events.size() * USUAL_BYTES);
            IdeaWriter writer = new IdeaWriter();
            events.forEach(event -> rows.append(event, writer));
            return rows;
        }

        void append(SecurityEvent event, IdeaWriter writer) {
            if (kind == LayoutTable.Rows.EVENTS) {
                append(event, NO_NETWORK, ' ', writer);
            } else {
                SqlText.networks(event.sources()).forEach(network -> append(event, network, 's', writer));
                SqlText.networks(event.targets()).forEach(network -> append(event, network, 't', writer));
            }
        }

        @SuppressWarnings("unchecked") // The kind of a field determines the type of its lists.
        private void append(SecurityEvent event, AddressRange network, char side, IdeaWriter writer) {
            room(Short.BYTES).putShort((short) fields.length);
            for (EventField field : fields) {
                switch (field.kind()) {
                    case TEXT -> text((String) field.of(event));
                    case TIME -> bigint(SqlText.micros((Instant) field.of(event)));
                    case TEXTS -> array(TEXT, (List<String>) field.of(event), this::text);
                    case NUMBERS -> array(INT4, (List<Integer>) field.of(event), this::integer);
                    case RANGES -> {
                        int place = beginValue();
                        List<AddressRange> ranges = (List<AddressRange>) field.of(event);
                        int32(ranges.size());
                        ranges.forEach(this::range);
                        endValue(place);
                    }
                    case HULL -> {
                        List<AddressRange> ranges = (List<AddressRange>) field.of(event);
                        if (ranges.isEmpty()) {
                            int32(1);
                            int8(EMPTY_RANGE);
                        } else {
                            range(AddressRange.hull(ranges));
                        }
                    }
                    case WHOLE_EVENT -> {
                        byte[] json = writer.toBytes(event);
                        bytes(json);
                        jsonBytes += json.length;
                    }
                    case OF_ADDRESS -> {
                        if (field == EventField.SIDE) {
                            int32(1);
                            int8(side);
                        } else {
                            inet(network);
                        }
                    }
                }
            }
        }

        /** Begins a value, or a part of a value, that is preceded by its length. Returns the value's position for {@link #endValue}. */
        private int beginValue() {
            int32(0);
            return rows.position();
        }

        private void endValue(int place) {
            rows.putInt(place - Integer.BYTES, rows.position() - place);
        }

        private void text(String text) {
            bytes(EventField.EventText.searchable(text).getBytes(StandardCharsets.UTF_8));
        }

        private void integer(int number) {
            int32(Integer.BYTES);
            int32(number);
        }

        private void bigint(long number) {
            int32(Long.BYTES);
            room(Long.BYTES).putLong(number);
        }

        private <T> void array(int type, List<T> values, Consumer<T> element) {
            int place = beginValue();
            int32(values.isEmpty() ? 0 : 1); // dimensions
            int32(0); // no element is null
            int32(type);
            if (!values.isEmpty()) {
                int32(values.size());
                int32(1); // the first index
                values.forEach(element);
            }
            endValue(place);
        }

        private void range(AddressRange range) {
            int place = beginValue();
            int8(BOTH_ENDS_INCLUDED);
            if (range.family() == AddressRange.Family.IP4) {
                bigint(range.firstLow());
                bigint(range.lastLow());
            } else {
                bytes(ByteConverter.numeric(new BigDecimal(new BigInteger(1, range.firstBytes()))));
                bytes(ByteConverter.numeric(new BigDecimal(new BigInteger(1, range.lastBytes()))));
            }
            endValue(place);
        }

        private void inet(AddressRange network) {
            int place = beginValue();
            int8(network.family() == AddressRange.Family.IP4 ? INET_IP4 : INET_IP6);
            int8(network.sharedBits());
            int8(0); // inet, not cidr
            byte[] address = network.firstBytes();
            int8(address.length);
            room(address.length).put(address);
            endValue(place);
        }

        private void int8(int number) {
            room(1).put((byte) number);
        }

        private void int32(int number) {
            room(Integer.BYTES).putInt(number);
        }

        private void bytes(byte[] value) {
            int32(value.length);
            room(value.length).put(value);
        }

        /** Sends all rows. @return the number of bytes */
        int send(CopyIn copy) throws SQLException {
            copy.writeToCopy(rows.array(), 0, rows.position());
            return rows.position();
        }

        private ByteBuffer room(int more) {
            if (rows.remaining() < more) {
                int size = Math.max(2 * rows.capacity(), rows.position() + more);
                rows = ByteBuffer.allocate(size).put(rows.flip());
            }
            return rows;
        }
    }
}
