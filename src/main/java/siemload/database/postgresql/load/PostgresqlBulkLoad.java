package siemload.database.postgresql.load;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.PGCopyOutputStream;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.PreparedEvents;
import siemload.database.TargetException;
import siemload.database.layout.LayoutTable;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.StoredField;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Loads all tables of a layout at once. */
public final class PostgresqlBulkLoad implements BulkLoad {
    /** Of memory for rows that are made before it is their turn: where events are unusually large, the rest of them is made then. */
    private static final long MOST_AHEAD_BYTES = 4 << 20;

    private final Layout layout;
    private final Commits commits;
    private final LoadedDays days;
    /** In the order of the tables. */
    private final Deque<TableCopy> tableCopies = new ArrayDeque<>();

    private long bytes;

    private PostgresqlBulkLoad(Layout layout, Commits commits) {
        this.layout = layout;
        this.commits = commits;
        this.days = LoadedDays.of(layout, commits);
    }

    /** How much is stored at once. The driver sees only at the end of a COPY that the server has given up. */
    public enum Commits {
        /**
         * All in one transaction, the one that creates the table: so that the rows are frozen, and no later VACUUM must touch them. At
         * the end of a COPY its last 16 MB are left in the server's cache, for the commit to write.
         */
        AT_END(128 << 20),
        /**
         * Each portion, into tables that are there: the rows of the other tables may refer to those of the first one and follow
         * them once these are committed.
         */
        EACH_PORTION(4 << 20);

        final long portionBytes;

        Commits(long portionBytes) {
            this.portionBytes = portionBytes;
        }
    }

    /** Begins to load. @throws TargetException if the server refuses */
    public static PostgresqlBulkLoad start(
            PostgresqlConnections connections, String database, Layout layout, Commits commits) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(layout, commits);
        try {
            List<LayoutTable<StoredField>> tables = layout.tables();
            for (int i = tables.size() - 1; i >= 0; i--) {
                boolean leads = i == 0 && commits == Commits.EACH_PORTION;
                List<TableCopy> followers = leads ? List.copyOf(load.tableCopies) : List.of();
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.push(new TableCopy(layout, i, commits, followers, connection));
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

    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        CopyBatches batches = new CopyBatches(layout, days.split(events));
        List<CopyBatch> ahead = new ArrayList<>();
        long aheadBytes = 0;
        while (batches.hasNext() && aheadBytes < MOST_AHEAD_BYTES) {
            CopyBatch batch = batches.next();
            aheadBytes += batch.memoryBytes();
            ahead.add(batch);
        }
        return new PreparedEvents(events, prepared -> {
            ahead.forEach(this::add);
            batches.forEachRemaining(this::add);
        });
    }

    private void add(CopyBatch batch) {
        PlacedRows rows = new PlacedRows(days.place(batch.day()), batch.rows());
        bytes += batch.jsonBytes();
        switch (commits) {
            case AT_END -> tableCopies.forEach(tableCopy -> tableCopy.add(rows));
            case EACH_PORTION -> tableCopies.getFirst().add(rows);
        }
    }

    @Override
    public long store() {
        tableCopies.forEach(TableCopy::finish);
        close();
        return bytes;
    }

    @Override
    public void close() {
        tableCopies.descendingIterator().forEachRemaining(TableCopy::close);
        tableCopies.clear();
    }

    /**
     * Tells each event of a load which table it goes into. COPY can freeze rows only in a partition itself, which its own transaction
     * has made; so a data set's events are sorted by day here, and into tables that are there the server sorts them. Used by one thread,
     * but for {@link #split}.
     */
    static final class LoadedDays {
        private final boolean byDay;
        private final Set<DayPartition> known = new HashSet<>();

        private LoadedDays(boolean byDay) {
            this.byDay = byDay;
        }

        static LoadedDays of(Layout layout, Commits commits) {
            return new LoadedDays(layout.isByDay() && commits == Commits.AT_END);
        }

        /**
         * The events of each day, in their order; the days in that of their first events. Called by any thread, by several at once.
         *
         * @return all events under no day where they go into the tables as a whole
         */
        Map<Optional<DayPartition>, List<SecurityEvent>> split(List<SecurityEvent> events) {
            if (events.isEmpty()) {
                return Map.of();
            }
            if (!byDay) {
                return Map.of(Optional.empty(), events);
            }
            return events.stream()
                    .collect(Collectors.groupingBy(
                            event -> Optional.of(DayPartition.at(event.detectTime())),
                            LinkedHashMap::new,
                            Collectors.toList()));
        }

        /** Where events of a day go, in the order of the load: the first days get partitions, as many as there may be. */
        Optional<DayPartition> place(Optional<DayPartition> day) {
            return day.map(each -> known.contains(each) || (known.size() < DayPartition.MOST_DAYS && known.add(each))
                    ? each
                    : DayPartition.OTHER);
        }
    }

    /** Loads one table over a connection and a thread of its own. */
    private static final class TableCopy implements AutoCloseable {
        private static final int MOST_WAITING = 4;
        private static final long LOOK_FOR_FAILURE_MILLIS = 100;

        private final Layout layout;
        private final int number;
        private final LayoutTable<StoredField> table;
        private final Commits commits;
        private final List<TableCopy> followers;
        private final Connection connection;
        private final BlockingQueue<PlacedRows> queue = new ArrayBlockingQueue<>(MOST_WAITING);
        private final Thread thread;
        /** The next one, where it goes into another partition than the one before; the thread's own. */
        private Optional<PlacedRows> next = Optional.empty();

        private volatile @Nullable Throwable failure;

        /**
         * @param number of the table in the layout, from 0
         * @param followers copies that get rows once those that came with them are committed here
         * @param connection a connection of its own, which this copy closes
         */
        TableCopy(Layout layout, int number, Commits commits, List<TableCopy> followers, Connection connection) {
            this.layout = layout;
            this.number = number;
            this.table = layout.tables().get(number);
            this.commits = commits;
            this.followers = List.copyOf(followers);
            this.connection = connection;
            thread = new Thread(this::run, "copy-" + table.name());
            thread.setDaemon(true);
        }

        /** Opens the transaction, and creates the table in it where the rows are to be frozen. */
        void begin() throws SQLException {
            connection.setAutoCommit(false);
            if (commits == Commits.AT_END) {
                layout.create(table, connection);
                FILES.read("server/write-early.sql").execute(connection);
            }
            thread.start();
        }

        /** Rows can be frozen only in the transaction that created the table. */
        private String copySql(Optional<DayPartition> partition) {
            Map<String, String> parts = Map.of(
                    "table",
                    partition.map(day -> day.of(table.name())).orElse(table.name()),
                    "columns",
                    table.columnNames(),
                    "freeze",
                    Boolean.toString(commits == Commits.AT_END));
            return layout.read("copy", parts).sql();
        }

        /** Waits until all rows are stored and commits them. */
        void finish() {
            add(PlacedRows.END);
            try {
                thread.join();
                throwFailure();
                connection.commit();
            } catch (InterruptedException e) {
                throw interrupted(e);
            } catch (SQLException e) {
                throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the table " + table.name(), e);
            }
        }

        /** Lets go of the connection, and so of whatever was not finished. */
        @Override
        public void close() {
            try {
                if (thread.isAlive()) {
                    connection.abort(Runnable::run);
                    thread.interrupt();
                } else {
                    connection.close();
                }
            } catch (SQLException alreadyBroken) {
                // The driver has let go of the socket in any case.
            }
        }

        /** Hands rows over; waits while the copy is busy. */
        void add(PlacedRows rows) {
            try {
                do {
                    throwFailure();
                } while (!queue.offer(rows, LOOK_FOR_FAILURE_MILLIS, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }

        private void run() {
            try {
                boolean more = true;
                while (more) {
                    more = copyPortion();
                }
            } catch (SQLException | InterruptedException | RuntimeException | Error e) {
                failure = e;
            }
        }

        /** One COPY of the transaction, into one partition; answers whether there are more rows. */
        private boolean copyPortion() throws SQLException, InterruptedException {
            PlacedRows rows = next.isPresent() ? next.orElseThrow() : queue.take();
            next = Optional.empty();
            if (rows.isEnd()) {
                return false;
            }
            Optional<DayPartition> partition = rows.partition();
            if (partition.isPresent()) {
                layout.createPartition(partition.orElseThrow(), table.name(), connection);
            }
            CopyIn copy = new PGCopyOutputStream(connection.unwrap(PGConnection.class), copySql(partition));
            long sent = CopyBuffer.beforeRows().send(copy);
            List<PlacedRows> portion = new ArrayList<>();
            while (!rows.isEnd()) {
                if (!rows.partition().equals(partition)) {
                    next = Optional.of(rows);
                    break;
                }
                sent += rows.ofTables().get(number).send(copy);
                if (!followers.isEmpty()) {
                    portion.add(rows);
                }
                if (sent >= commits.portionBytes) {
                    break;
                }
                rows = queue.take();
            }
            CopyBuffer.afterRows().send(copy);
            copy.endCopy();
            if (commits == Commits.EACH_PORTION) {
                connection.commit();
            }
            portion.forEach(stored -> followers.forEach(tableCopy -> tableCopy.add(stored)));
            return !rows.isEnd();
        }

        private void throwFailure() {
            Throwable cause = failure;
            if (cause instanceof SQLException e) {
                throw PostgresqlErrors.INSTANCE.outsideRun("cannot load the table " + table.name(), e);
            } else if (cause instanceof TargetException follower) {
                throw new TargetException(String.valueOf(follower.getMessage()), follower);
            } else if (cause != null) {
                throw new TargetException("cannot load the table " + table.name() + ": " + cause, cause);
            }
        }

        private TargetException interrupted(InterruptedException e) {
            Thread.currentThread().interrupt();
            return new TargetException("loading the table " + table.name() + " was interrupted", e);
        }
    }

    /**
     * Makes rows of events, as many at once as fit into a processor's caches, of however many events these are. Used by one thread
     * at a time.
     */
    private static final class CopyBatches implements Iterator<CopyBatch> {
        /** Of a batch: some hundred events of the usual size. */
        private static final int ENOUGH_BYTES = 1 << 18;
        /** Events whose rows of one table are made before those of the next: the code for one table at a time is faster. */
        private static final int AT_ONCE = 32;
        /** Of one table in a batch, where JSON takes most: more would be zeroed in vain. */
        private static final int USUAL_BYTES = 3 << 16;
        /** Of an event in that table. */
        private static final int USUAL_BYTES_OF_EVENT = USUAL_BYTES / 256;

        private final List<CopyFormat> formats;
        private final Iterator<Map.Entry<Optional<DayPartition>, List<SecurityEvent>>> days;
        private Optional<DayPartition> day = Optional.empty();
        private Iterator<SecurityEvent> ofDay = Collections.emptyIterator();
        /** What there may be of a day's events in one batch, unless these are large. */
        private int usualBytes;

        /** @param byDay events by the day that they have in common; none of the lists is empty */
        CopyBatches(Layout layout, Map<Optional<DayPartition>, List<SecurityEvent>> byDay) {
            formats = layout.tables().stream().map(CopyFormat::of).toList();
            days = byDay.entrySet().iterator();
        }

        @Override
        public boolean hasNext() {
            return ofDay.hasNext() || days.hasNext();
        }

        @Override
        public CopyBatch next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            if (!ofDay.hasNext()) {
                Map.Entry<Optional<DayPartition>, List<SecurityEvent>> next = days.next();
                day = next.getKey();
                ofDay = next.getValue().iterator();
                usualBytes = Math.min(USUAL_BYTES, next.getValue().size() * USUAL_BYTES_OF_EVENT);
            }
            List<CopyBuffer> rows = new ArrayList<>();
            formats.forEach(format -> rows.add(new CopyBuffer(usualBytes)));
            long jsonBytes = 0;
            int bytes = 0;
            while (ofDay.hasNext() && bytes < ENOUGH_BYTES) {
                List<SecurityEvent> some = some();
                bytes = 0;
                for (int table = 0; table < rows.size(); table++) {
                    CopyFormat format = formats.get(table);
                    CopyBuffer ofTable = rows.get(table);
                    for (SecurityEvent event : some) {
                        jsonBytes += format.rows(event, ofTable);
                    }
                    bytes += ofTable.size();
                }
            }
            return new CopyBatch(day, rows, jsonBytes);
        }

        private List<SecurityEvent> some() {
            List<SecurityEvent> some = new ArrayList<>(AT_ONCE);
            while (ofDay.hasNext() && some.size() < AT_ONCE) {
                some.add(ofDay.next());
            }
            return some;
        }
    }

    /**
     * Some events as rows of all tables of a layout. Nobody writes into the rows any more, so that any thread can send them.
     *
     * @param day of all the events; empty where they go into the tables as a whole
     * @param rows those of each table, in the layout's order
     * @param jsonBytes the size of the JSON in them
     */
    private record CopyBatch(Optional<DayPartition> day, List<CopyBuffer> rows, long jsonBytes) {
        CopyBatch {
            rows = List.copyOf(rows);
        }

        /** How many bytes of memory its rows take. */
        long memoryBytes() {
            return rows.stream().mapToLong(CopyBuffer::memoryBytes).sum();
        }
    }

    /**
     * Rows on their way into all tables of a layout, or into one partition of each. Immutable.
     *
     * @param partition empty for the tables as a whole
     * @param ofTables those of each table, in the layout's order
     */
    private record PlacedRows(Optional<DayPartition> partition, List<CopyBuffer> ofTables) {
        /** Comes after the last ones, and is for no table. */
        static final PlacedRows END = new PlacedRows(Optional.empty(), List.of());

        PlacedRows {
            ofTables = List.copyOf(ofTables);
        }

        boolean isEnd() {
            return ofTables.isEmpty();
        }
    }

    /** How COPY gets the rows of one table. Used by one thread. */
    @FunctionalInterface
    interface CopyFormat {
        int INET_IP4 = 2;
        int INET_IP6 = 3;

        /** Appends the event's rows. @return the size of the JSON in them, in bytes */
        int rows(SecurityEvent event, CopyBuffer buffer);

        /** The format of a table. */
        static CopyFormat of(LayoutTable<StoredField> table) {
            return switch (table.rows()) {
                case EVENTS -> events(CopiedColumn.of(table));
                case ADDRESSES -> addresses(CopiedColumn.of(table));
                case SEVERAL_ADDRESSES, VALUES, SEVERAL_VALUES ->
                    throw new AssertionError("the reader of layouts takes no such table: " + table.name());
            };
        }

        private static CopyFormat events(List<CopiedColumn> columns) {
            return (event, buffer) -> {
                buffer.beginRow(columns.size());
                int jsonBytes = 0;
                for (int i = 0; i < columns.size(); i++) {
                    jsonBytes += columns.get(i).write(event, buffer);
                }
                return jsonBytes;
            };
        }

        private static CopyFormat addresses(List<CopiedColumn> columns) {
            return (event, buffer) -> {
                side(event.sources(), 's', event, columns, buffer);
                side(event.targets(), 't', event, columns, buffer);
                return 0;
            };
        }

        private static void side(
                List<Endpoint> ends, char side, SecurityEvent event, List<CopiedColumn> columns, CopyBuffer buffer) {
            for (AddressRange network : Networks.ofSide(ends)) {
                buffer.beginRow(columns.size());
                for (int i = 0; i < columns.size(); i++) {
                    switch (columns.get(i).field()) {
                        case NETWORK -> {
                            int address = buffer.beginValue();
                            inet(network, buffer);
                            buffer.endValue(address);
                        }
                        case SIDE -> {
                            buffer.int32(1);
                            buffer.int8(side);
                        }
                        default -> columns.get(i).write(event, buffer);
                    }
                }
            }
        }

        /** Appends the network as the type {@code inet} sends and receives it. */
        private static void inet(AddressRange network, CopyBuffer buffer) {
            boolean ip4 = network.family() == Family.IP4;
            buffer.int8(ip4 ? INET_IP4 : INET_IP6);
            buffer.int8(network.sharedBits());
            buffer.int8(0); // inet, not cidr
            buffer.int8(network.family().bits() / Byte.SIZE);
            if (ip4) {
                buffer.int32((int) network.firstLow());
            } else {
                buffer.int64(network.firstHigh());
                buffer.int64(network.firstLow());
            }
        }

        /**
         * A column of a table that COPY fills, in binary form. Used by one thread.
         *
         * @param writing appends what the event has of the field; nothing for a field of an address
         */
        record CopiedColumn(StoredField field, Writing writing) {

            /** Appends a value with its length before it. */
            @FunctionalInterface
            interface Writing {
                /** Appends it. @return the size of the JSON in it, in bytes */
                int write(SecurityEvent event, CopyBuffer buffer);
            }

            static List<CopiedColumn> of(LayoutTable<StoredField> table) {
                return table.columns().values().stream()
                        .map(field -> new CopiedColumn(field, writing(field)))
                        .toList();
            }

            private static Writing writing(StoredField field) {
                if (field == StoredField.JSON) {
                    return json(new IdeaWriter());
                }
                if (field == StoredField.NETWORK || field == StoredField.SIDE) {
                    return (event, buffer) -> 0;
                }
                EventColumn column = EventColumn.of(field);
                return (event, buffer) -> {
                    column.write(event, buffer.column());
                    return 0;
                };
            }

            /** The bytes as they are. */
            private static Writing json(IdeaWriter writer) {
                return (event, buffer) -> {
                    int json = buffer.beginValue();
                    try {
                        writer.write(event, buffer.stream());
                    } catch (IOException e) {
                        throw new UncheckedIOException("a buffer in memory cannot fail", e);
                    }
                    return buffer.endValue(json);
                };
            }

            int write(SecurityEvent event, CopyBuffer buffer) {
                return writing.write(event, buffer);
            }
        }
    }
}
