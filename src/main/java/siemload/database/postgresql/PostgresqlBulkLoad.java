package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutTable;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Loads all tables of a layout at once. */
final class PostgresqlBulkLoad implements BulkLoad {
    /** Whose rows of one table are made before those of the next, and sent together: so many fit into a processor's caches. */
    private static final int EVENTS_AT_ONCE = 256;

    /** Of an event in the table that has most of it: with more room there would be more zeros to write in vain. */
    private static final int USUAL_BYTES = 768;

    private static final AddressRange NO_NETWORK = AddressRange.ip4(0);

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
    enum Commits {
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
    static PostgresqlBulkLoad start(
            PostgresqlConnections connections, String database, Layout layout, Commits commits) {
        PostgresqlBulkLoad load = new PostgresqlBulkLoad(layout, commits);
        try {
            List<LayoutTable> tables = layout.tables();
            for (int i = tables.size() - 1; i >= 0; i--) {
                boolean leads = i == 0 && commits == Commits.EACH_PORTION;
                List<TableCopy> followers = leads ? List.copyOf(load.tableCopies) : List.of();
                Connection connection =
                        connections.maintenance(database).opening().open();
                load.tableCopies.push(load.new TableCopy(i, followers, connection));
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
        List<TableRows> tables = layout.tables().stream().map(TableRows::new).toList();
        List<Rows> batches = new ArrayList<>();
        days.split(events).forEach((day, ofDay) -> {
            for (int from = 0; from < ofDay.size(); from += EVENTS_AT_ONCE) {
                int until = Math.min(from + EVENTS_AT_ONCE, ofDay.size());
                batches.add(Rows.of(day, ofDay.subList(from, until), tables));
            }
        });
        return new PreparedEvents(events, prepared -> batches.forEach(this::add));
    }

    private void add(Rows batch) {
        Rows rows = new Rows(days.place(batch.day()), batch.ofTables(), batch.jsonBytes());
        bytes += rows.jsonBytes();
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
         * @return all events under {@link DayPartition#WHOLE} where they go into the tables as a whole
         */
        Map<DayPartition, List<SecurityEvent>> split(List<SecurityEvent> events) {
            return events.stream()
                    .collect(Collectors.groupingBy(
                            event -> byDay ? DayPartition.at(event.detectTime()) : DayPartition.WHOLE,
                            LinkedHashMap::new,
                            Collectors.toList()));
        }

        /** Where events of a day go, in the order of the load: the first days get partitions, as many as there may be. */
        DayPartition place(DayPartition day) {
            boolean hasPlace = !byDay || known.contains(day) || known.size() < DayPartition.MOST_DAYS;
            if (hasPlace) {
                known.add(day);
            }
            return hasPlace ? day : DayPartition.OTHER;
        }
    }

    /** Loads one table over a connection and a thread of its own. */
    private final class TableCopy implements AutoCloseable {
        private static final int MOST_WAITING = 4;
        private static final long LOOK_FOR_FAILURE_MILLIS = 100;

        private final int number;
        private final LayoutTable table;
        private final List<TableCopy> followers;
        private final Connection connection;
        private final BlockingQueue<Rows> queue = new ArrayBlockingQueue<>(MOST_WAITING);
        private final Thread thread;
        private volatile @Nullable Throwable failure;

        /**
         * @param number of the table in the layout, from 0
         * @param followers copies that get rows once those that came with them are committed here
         * @param connection a connection of its own, which this copy closes
         */
        TableCopy(int number, List<TableCopy> followers, Connection connection) {
            this.number = number;
            this.table = layout.tables().get(number);
            this.followers = followers;
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

        /** Waits until all rows are stored and commits them. */
        void finish() {
            add(Rows.END);
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
        void add(Rows rows) {
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
                Rows rows = queue.take();
                while (!rows.isEnd()) {
                    rows = copyPortion(rows);
                }
            } catch (SQLException | InterruptedException | RuntimeException | Error e) {
                failure = e;
            }
        }

        /** One COPY of the transaction, into one partition; answers the rows behind it. */
        private Rows copyPortion(Rows first) throws SQLException, InterruptedException {
            if (!first.day().equals(DayPartition.WHOLE)) {
                layout.createPartition(first.day(), table.name(), connection);
            }
            // Rows can be frozen only in the transaction that created the table.
            Map<String, String> parts = Map.of(
                    "table", first.day().of(table.name()),
                    "columns", table.columnNames(),
                    "freeze", Boolean.toString(commits == Commits.AT_END));
            CopyIn copy = new PGCopyOutputStream(
                    connection.unwrap(PGConnection.class),
                    layout.read("copy", parts).sql());
            long sent = CopyBuffer.beforeRows().send(copy);
            List<Rows> portion = new ArrayList<>();
            Rows rows = first;
            do {
                sent += rows.ofTables().get(number).send(copy);
                if (!followers.isEmpty()) {
                    portion.add(rows);
                }
                rows = queue.take();
            } while (!rows.isEnd() && rows.day().equals(first.day()) && sent < commits.portionBytes);
            CopyBuffer.afterRows().send(copy);
            copy.endCopy();
            if (commits == Commits.EACH_PORTION) {
                connection.commit();
            }
            portion.forEach(stored -> followers.forEach(tableCopy -> tableCopy.add(stored)));
            return rows;
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
     * Some events as rows of all tables of a layout. Nobody writes into them any more, so that any thread can send them.
     *
     * @param day whose partition of each table they go into
     * @param ofTables those of each table, in the layout's order
     * @param jsonBytes the size of the JSON in them
     */
    private record Rows(DayPartition day, List<CopyBuffer> ofTables, long jsonBytes) {
        /** Comes after the last ones, and is for no table. */
        static final Rows END = new Rows(DayPartition.WHOLE, List.of(), 0);

        static Rows of(DayPartition day, List<SecurityEvent> events, List<TableRows> tables) {
            List<CopyBuffer> ofTables = new ArrayList<>();
            long jsonBytes = 0;
            for (TableRows table : tables) {
                CopyBuffer buffer = new CopyBuffer(events.size() * USUAL_BYTES);
                for (int i = 0; i < events.size(); i++) {
                    jsonBytes += table.append(events.get(i), buffer);
                }
                ofTables.add(buffer);
            }
            return new Rows(day, ofTables, jsonBytes);
        }

        boolean isEnd() {
            return ofTables.isEmpty();
        }
    }

    /** Makes rows of one table of events. Used by one thread. */
    static final class TableRows {
        private final LayoutTable.Rows kind;
        private final EventField[] fields;
        private final IdeaWriter writer = new IdeaWriter();

        TableRows(LayoutTable table) {
            kind = table.rows();
            fields = table.columns().values().toArray(EventField[]::new);
        }

        /** Appends the event's rows. @return the size of the JSON in them, in bytes */
        int append(SecurityEvent event, CopyBuffer buffer) {
            return switch (kind) {
                case EVENTS -> append(event, NO_NETWORK, ' ', buffer);
                case ADDRESSES -> {
                    Networks.ofSide(event.sources()).forEach(network -> append(event, network, 's', buffer));
                    Networks.ofSide(event.targets()).forEach(network -> append(event, network, 't', buffer));
                    yield 0;
                }
            };
        }

        private int append(SecurityEvent event, AddressRange network, char side, CopyBuffer buffer) {
            buffer.beginRow(fields.length);
            int jsonBytes = 0;
            for (EventField field : fields) {
                switch (field) {
                    case JSON -> jsonBytes += buffer.json(event, writer);
                    case NETWORK -> buffer.inet(network);
                    case SIDE -> buffer.character(side);
                    default -> buffer.write(field, event);
                }
            }
            return jsonBytes;
        }
    }
}
