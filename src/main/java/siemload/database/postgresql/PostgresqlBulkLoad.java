package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.PGCopyOutputStream;
import org.postgresql.util.ByteConverter;
import siemload.config.DaemonThread;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.PreparedEvents;
import siemload.database.TargetException;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlErrors;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Makes all tables of a layout and loads them at once, each in one transaction: so that the rows are frozen, and no later VACUUM must
 * touch them.
 */
final class PostgresqlBulkLoad implements BulkLoad {
    /** Whose rows of one table are made before those of the next, and sent together: so many fit into a processor's caches. */
    private static final int EVENTS_AT_ONCE = 256;

    /** Of an event in the table that has most of it: with more room there would be more zeros to write in vain. */
    private static final int USUAL_BYTES = 768;

    /**
     * The driver sees only at the end of a COPY that the server has given up. At that end its last 16 MB are left in the server's cache,
     * for the commit to write.
     */
    private static final long BYTES_OF_A_COPY = 128 << 20;

    private static final AddressRange NO_NETWORK = AddressRange.ip4(0);

    private final Layout layout;
    /** In the order of the tables. */
    private final List<TableCopy> tableCopies = new ArrayList<>();

    private long bytes;

    private PostgresqlBulkLoad(Layout layout) {
        this.layout = layout;
    }

    /** Begins to load tables that it makes. @throws TargetException if the server refuses */
    static BulkLoad ofNewTables(PostgresqlConnections connections, String database, Layout layout) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(layout);
        try {
            for (LayoutTable table : layout.tables()) {
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.add(load.new TableCopy(table, connection));
            }
            for (TableCopy tableCopy : load.tableCopies) {
                tableCopy.begin();
            }
            return load;
        } catch (SQLException e) {
            load.close();
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the database " + database, e);
        }
    }

    /**
     * Begins to load tables that are there: batches by several connections, each in one transaction, first the events, to which the other
     * rows may refer.
     *
     * @throws TargetException if the server refuses
     */
    static BulkLoad ofTables(SqlAccess access, Layout layout, String label) {
        return access.load(label, connection -> batch -> {
            Rows rows = Rows.of(DayPartition.WHOLE, batch, layout);
            for (int i = 0; i < layout.tables().size(); i++) {
                CopyIn copy = begin(connection, layout, layout.tables().get(i), DayPartition.WHOLE, "false");
                int unused = rows.ofTables().get(i).send(copy);
                end(copy);
            }
            return rows.jsonBytes();
        });
    }

    private static CopyIn begin(
            Connection connection, Layout layout, LayoutTable table, DayPartition day, String freeze)
            throws SQLException {
        Map<String, String> parts =
                Map.of("table", day.of(table.name()), "columns", table.columnNames(), "freeze", freeze);
        CopyIn copy = new PGCopyOutputStream(
                connection.unwrap(PGConnection.class),
                layout.read("copy", parts).sql());
        copy.writeToCopy(CopyRows.HEADER, 0, CopyRows.HEADER.length);
        return copy;
    }

    private static void end(CopyIn copy) throws SQLException {
        copy.writeToCopy(CopyRows.END, 0, CopyRows.END.length);
        copy.endCopy();
    }

    /** COPY can freeze rows only in a partition itself, which its own transaction has made; so events are sorted by day here. */
    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        List<Rows> batches = new ArrayList<>();
        Map<DayPartition, List<SecurityEvent>> byDay = events.stream()
                .collect(Collectors.groupingBy(
                        event -> layout.isByDay() ? DayPartition.at(event.detectTime()) : DayPartition.WHOLE,
                        LinkedHashMap::new,
                        Collectors.toList()));
        byDay.forEach((day, ofDay) -> {
            for (int from = 0; from < ofDay.size(); from += EVENTS_AT_ONCE) {
                int until = Math.min(from + EVENTS_AT_ONCE, ofDay.size());
                batches.add(Rows.of(day, ofDay.subList(from, until), layout));
            }
        });
        return new PreparedEvents(events, prepared -> batches.forEach(this::add));
    }

    private void add(Rows rows) {
        bytes += rows.jsonBytes();
        for (int i = 0; i < tableCopies.size(); i++) {
            tableCopies.get(i).add(rows.day(), rows.ofTables().get(i));
        }
    }

    @Override
    public long store() {
        tableCopies.forEach(TableCopy::commit);
        tableCopies.forEach(tableCopy -> tableCopy.finish(0));
        close();
        return bytes;
    }

    @Override
    public void close() {
        tableCopies.forEach(TableCopy::close);
        tableCopies.clear();
    }

    /** Makes and loads one table over a connection and a thread of its own, which alone works with the connection once it is begun. */
    private final class TableCopy {
        private static final int MOST_WAITING = 4;

        private final LayoutTable table;
        private final Connection connection;
        private final ExecutorService thread;
        /** What the thread has been given and the load has not waited for yet. */
        private final Queue<Future<?>> given = new ArrayDeque<>();
        /** Under way into the partition of this day, with so many bytes sent. */
        private @Nullable CopyIn copy;

        private DayPartition day = DayPartition.WHOLE;
        private long sent;

        /** @param connection a connection of its own, which this copy closes */
        TableCopy(LayoutTable table, Connection connection) {
            this.table = table;
            this.connection = connection;
            thread = Executors.newSingleThreadExecutor(DaemonThread.named("copy-" + table.name()));
        }

        /** Opens the transaction, and creates the table in it. */
        void begin() throws SQLException {
            connection.setAutoCommit(false);
            layout.create(table, connection);
            SQL.read("write-early").execute(connection);
        }

        /** Hands rows over; waits while the copy is busy. */
        void add(DayPartition place, CopyRows rows) {
            finish(MOST_WAITING - 1);
            give(() -> send(place, rows));
        }

        /** Has all rows committed behind those that are on their way. */
        void commit() {
            give(() -> {
                endCopy();
                connection.commit();
            });
        }

        private void give(SqlErrors.Change work) {
            given.add(thread.submit(() -> {
                work.make();
                return table;
            }));
        }

        /** Waits until no more than so many pieces of work are left. */
        void finish(int left) {
            while (given.size() > left) {
                await(given.remove());
            }
        }

        private void send(DayPartition place, CopyRows rows) throws SQLException {
            if (!place.equals(day) || sent >= BYTES_OF_A_COPY) {
                endCopy();
            }
            CopyIn open = copy;
            if (open == null) {
                if (!place.equals(DayPartition.WHOLE)) {
                    layout.createPartition(place, table.name(), connection);
                }
                open = PostgresqlBulkLoad.begin(connection, layout, table, place, "true");
                copy = open;
                day = place;
                sent = 0;
            }
            sent += rows.send(open);
        }

        private void endCopy() throws SQLException {
            CopyIn ended = copy;
            copy = null;
            if (ended != null) {
                end(ended);
            }
        }

        private void await(Future<?> work) {
            String what = "the table " + table.name();
            try {
                Object unused = work.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TargetException("loading " + what + " was interrupted", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof SQLException refused
                        ? PostgresqlErrors.INSTANCE.outsideRun("cannot load " + what, refused)
                        : new TargetException("cannot load " + what + ": " + e.getCause(), e);
            }
        }

        /** Lets go of the connection, and so of whatever was not finished. */
        void close() {
            thread.shutdownNow();
            try {
                if (given.isEmpty()) {
                    connection.close();
                } else {
                    connection.abort(Runnable::run);
                }
            } catch (SQLException alreadyBroken) {
                // The driver has let go of the socket in any case.
            }
        }
    }

    /**
     * Some events as rows of all tables of a layout. Nobody writes into them any more, so that any thread can send them.
     *
     * @param day whose partition of each table they go into
     * @param ofTables those of each table, in the layout's order
     * @param jsonBytes the size of the JSON in them
     */
    private record Rows(DayPartition day, List<CopyRows> ofTables, long jsonBytes) {
        static Rows of(DayPartition day, List<SecurityEvent> events, Layout layout) {
            IdeaWriter writer = new IdeaWriter();
            List<CopyRows> ofTables = new ArrayList<>();
            long jsonBytes = 0;
            for (LayoutTable table : layout.tables()) {
                CopyRows rows = new CopyRows(table, events.size() * USUAL_BYTES);
                for (SecurityEvent event : events) {
                    jsonBytes += rows.append(event, writer);
                }
                ofTables.add(rows);
            }
            return new Rows(day, ofTables, jsonBytes);
        }
    }

    /**
     * Rows of one table of events in COPY's binary format: each value has its length before it and the binary form of its type. They are the
     * same values as in {@link SqlText}, but nobody has to write digits and read them again. Used by one thread at a time.
     */
    static final class CopyRows {
        /** Stands before all rows: a signature, no flags, and no extension. */
        static final byte[] HEADER = "PGCOPY\n\u00FF\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        /** Stands after them. */
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

        /** @param size the bytes that it has room for before it must grow */
        CopyRows(LayoutTable table, int size) {
            kind = table.rows();
            fields = table.columns().values().toArray(EventField[]::new);
            rows = ByteBuffer.allocate(size);
        }

        /** Appends the event's rows. @return the size of the JSON in them, in bytes */
        int append(SecurityEvent event, IdeaWriter writer) {
            return switch (kind) {
                case EVENTS -> append(event, NO_NETWORK, ' ', writer);
                case ADDRESSES -> {
                    Networks.ofSide(event.sources()).forEach(network -> append(event, network, 's', writer));
                    Networks.ofSide(event.targets()).forEach(network -> append(event, network, 't', writer));
                    yield 0;
                }
            };
        }

        private int append(SecurityEvent event, AddressRange network, char side, IdeaWriter writer) {
            room(Short.BYTES).putShort((short) fields.length);
            int jsonBytes = 0;
            for (EventField field : fields) {
                switch (field) {
                    case JSON -> {
                        byte[] json = writer.toBytes(event);
                        bytes(json);
                        jsonBytes += json.length;
                    }
                    case NETWORK -> inet(network);
                    case SIDE -> {
                        int32(1);
                        int8(side);
                    }
                    default -> value(field, event);
                }
            }
            return jsonBytes;
        }

        /** Begins a value, or a part of one that has its length before it; answers its place, for {@link #endValue}. */
        private int beginValue() {
            int32(0);
            return rows.position();
        }

        private void endValue(int place) {
            rows.putInt(place - Integer.BYTES, rows.position() - place);
        }

        /** Appends what an event has of a field. @throws IllegalArgumentException if it is not a field of an event alone */
        @SuppressWarnings("unchecked") // The kind of a field says what its lists hold.
        private void value(EventField field, SecurityEvent event) {
            Object value = field.of(event);
            switch (field.kind()) {
                case TEXT -> text((String) value);
                case TIME -> bigint(SqlText.micros((Instant) value));
                case TEXTS -> array(TEXT, (List<String>) value, this::text);
                case NUMBERS -> array(INT4, (List<Integer>) value, this::integer);
                case RANGES -> ranges((List<AddressRange>) value);
                case HULL -> hull((List<AddressRange>) value);
                case WHOLE_EVENT, OF_ADDRESS ->
                    throw new IllegalArgumentException("no field of an event alone: " + field);
            }
        }

        private void text(String text) {
            bytes(SqlText.clean(text).getBytes(StandardCharsets.UTF_8));
        }

        private void integer(int number) {
            int32(Integer.BYTES);
            int32(number);
        }

        private <T> void array(int type, List<T> values, Consumer<T> element) {
            int column = beginValue();
            int32(values.isEmpty() ? 0 : 1); // dimensions
            int32(0); // no element is null
            int32(type);
            if (!values.isEmpty()) {
                int32(values.size());
                int32(1); // the first index
                values.forEach(element);
            }
            endValue(column);
        }

        private void ranges(List<AddressRange> ranges) {
            int column = beginValue();
            int32(ranges.size());
            ranges.forEach(this::range);
            endValue(column);
        }

        private void hull(List<AddressRange> ranges) {
            if (ranges.isEmpty()) {
                int32(1);
                int8(EMPTY_RANGE);
            } else {
                range(AddressRange.hull(ranges));
            }
        }

        private void range(AddressRange range) {
            int place = beginValue();
            int8(BOTH_ENDS_INCLUDED);
            switch (range.family()) {
                case IP4 -> {
                    bigint(range.firstLow());
                    bigint(range.lastLow());
                }
                case IP6 -> {
                    numeric(range.firstBytes());
                    numeric(range.lastBytes());
                }
            }
            endValue(place);
        }

        private void bigint(long number) {
            int32(Long.BYTES);
            int64(number);
        }

        /** @param number big-endian and without a sign */
        private void numeric(byte[] number) {
            bytes(ByteConverter.numeric(new BigDecimal(new BigInteger(1, number))));
        }

        /** A network as the type {@code inet} has it. */
        private void inet(AddressRange network) {
            int place = beginValue();
            boolean ip4 = network.family() == Family.IP4;
            int8(ip4 ? INET_IP4 : INET_IP6);
            int8(network.sharedBits());
            int8(0); // inet, not cidr
            int8(network.family().bits() / Byte.SIZE);
            if (ip4) {
                int32((int) network.firstLow());
            } else {
                int64(network.firstHigh());
                int64(network.firstLow());
            }
            endValue(place);
        }

        private void int8(int number) {
            room(1).put((byte) number);
        }

        private void int32(int number) {
            room(Integer.BYTES).putInt(number);
        }

        private void int64(long number) {
            room(Long.BYTES).putLong(number);
        }

        private void bytes(byte[] value) {
            int32(value.length);
            room(value.length).put(value);
        }

        /** Sends everything. @return how many bytes that were */
        int send(CopyIn copy) throws SQLException {
            copy.writeToCopy(rows.array(), 0, rows.position());
            return rows.position();
        }

        /** The rows, with room for so many bytes more. */
        private ByteBuffer room(int more) {
            if (rows.remaining() < more) {
                int size = Math.max(2 * rows.capacity(), rows.position() + more);
                rows = ByteBuffer.allocate(size).put(rows.flip());
            }
            return rows;
        }
    }
}
