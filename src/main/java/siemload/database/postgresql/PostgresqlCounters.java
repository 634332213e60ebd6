package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;
import siemload.database.Counters.SessionState;
import siemload.database.Counters.StatementSource;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/**
 * Reads the statistics views of the server. A backend hands in its counts at most once a second, when it is between two
 * transactions, and when it ends; one that falls silent within that second holds them back for up to ten.
 */
final class PostgresqlCounters implements Counters {
    private static final int IO_SINCE = 160_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final SqlStatement PENDING = question("pending");
    /** In one request, and so in one transaction: the views then tell of the same moment. */
    private static final List<String> VIEWS = List.of("relations", "start", "sessions", "database", "wal");

    private final RunConnection connection;
    private final Supplier<Connection> guard;
    private final PostgresqlStatementTimes statements;
    private final Set<String> gaps = new LinkedHashSet<>();
    private final Map<String, Long> sessions = new HashMap<>();
    private final String views;
    private final long blockSize;

    /**
     * Finds out what the server does not count.
     *
     * @param connection each time {@link #setUp set up} when it is opened
     * @param guard the connection that stays open until the store is closed; another one after a restart
     * @param statements are closed with these counters
     */
    PostgresqlCounters(RunConnection connection, Supplier<Connection> guard, PostgresqlStatementTimes statements)
            throws SQLException {
        this.connection = connection;
        this.guard = guard;
        this.statements = statements;
        List<String> asked = new ArrayList<>(VIEWS);
        blockSize = FILES.read("server/counters-about.sql").row(connection.get(), about -> {
            int version = about.getInt("version_number");
            asked.add(
                    version >= 180_000
                            ? "checkpoints"
                            : version >= 170_000 ? "checkpoints-17" : "checkpoints-before-17");
            if (version >= IO_SINCE) {
                asked.add("io");
            } else {
                gaps.add("PostgreSQL before 16 does not count what is written to tables and indexes");
            }
            if (!about.getBoolean("track_counts")) {
                gaps.add("the server does not count blocks by table and index: its track_counts is off");
            }
            return about.getLong("block_size");
        });
        views = asked.stream().map(view -> question(view).sql()).collect(Collectors.joining(";\n"));
        statements.connect();
    }

    /** Prepares a connection for these counters. */
    static void setUp(Connection connection) throws SQLException {
        question("session").execute(connection);
    }

    @Override
    public CounterReading read() {
        CounterReading reading = connection.answer(open -> reading());
        return reading.with(statements.read());
    }

    @Override
    public StatementSource statements() {
        return statements.source();
    }

    @Override
    public CounterReading readSettled() {
        long start = System.nanoTime();
        long left = connection.answer(open -> {
            long pending = pending();
            while (pending > 0 && System.nanoTime() - start < PATIENCE_NANOS && slept()) {
                pending = pending();
            }
            return pending;
        });
        if (left > 0) {
            gaps.add(
                    left + " connections had not ended when the counters were read: their last seconds may be missing");
        }
        return read();
    }

    /** For a moment; not if this thread was interrupted. */
    private static boolean slept() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
            return true;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public List<String> gaps() {
        return List.copyOf(gaps);
    }

    @Override
    public void close() {
        statements.close();
        connection.close();
    }

    private long pending() throws SQLException {
        int guarding = guard.get().unwrap(PGConnection.class).getBackendPID();
        return PENDING.number(connection.get(), guarding);
    }

    private CounterReading reading() throws SQLException {
        StatisticsViews seen = new StatisticsViews(sessions);
        PreparedStatement statement = connection.statement(views);
        boolean more = statement.execute();
        for (int view = 0; more; view++) {
            try (ResultSet rows = statement.getResultSet()) {
                switch (view) {
                    case 0 -> seen.addRelations(rows);
                    case 1 -> seen.setStart(rows);
                    case 2 -> seen.addSessions(rows);
                    default -> seen.addCounters(rows);
                }
            }
            more = statement.getMoreResults();
        }
        return seen.reading(blockSize);
    }

    private static SqlStatement question(String name) {
        return FILES.read("server/counters-" + name + ".sql");
    }

    /**
     * The rows of the server's statistics views, and what they mean as input and output. PostgreSQL has no undo log: old
     * versions of rows lie in the tables. Used by one thread.
     */
    static final class StatisticsViews {
        /** Numbers that go up and down, or never change. */
        private static final Set<String> LEVELS = Set.of("datid", "numbackends", "op_bytes");

        private static final Set<Integer> NUMBERS = Set.of(Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DOUBLE);

        private final Map<Relation, Blocks> relations = new HashMap<>();
        private final Map<String, Long> counters = new HashMap<>();
        private long bytesOfAnIo = 1;
        private String start = "";
        private final Map<String, Long> sessions;

        /** @param sessions those found by all readings so far */
        StatisticsViews(Map<String, Long> sessions) {
            this.sessions = sessions;
        }

        /** Takes {@code counters-relations.sql}. */
        void addRelations(ResultSet row) throws SQLException {
            while (row.next()) {
                Relation relation = new Relation(row.getString(1), Relation.Kind.valueOf(row.getString(2)));
                relations.put(relation, new Blocks(row.getLong(3), row.getLong(4)));
            }
        }

        /** Takes {@code counters-start.sql}. */
        void setStart(ResultSet row) throws SQLException {
            row.next();
            start = row.getString(1);
        }

        /** Takes {@code counters-sessions.sql}. */
        void addSessions(ResultSet row) throws SQLException {
            Map<String, Long> found = new HashMap<>();
            while (row.next()) {
                found.put(row.getString(1), row.getLong(2));
            }
            SessionState.add(found, sessions);
            counters.putAll(sessions);
        }

        /** Takes a view with its own columns behind the column {@code source}, which is the first part of their names. */
        void addCounters(ResultSet row) throws SQLException {
            ResultSetMetaData columns = row.getMetaData();
            while (row.next()) {
                for (int column = 2; column <= columns.getColumnCount(); column++) {
                    String name = columns.getColumnName(column);
                    if (name.equals("op_bytes")) {
                        bytesOfAnIo = Math.max(row.getLong(column), bytesOfAnIo);
                    } else if (NUMBERS.contains(columns.getColumnType(column)) && !LEVELS.contains(name)) {
                        double value = row.getDouble(column);
                        if (!row.wasNull()) {
                            counters.put(row.getString(1) + "." + name, Math.round(value));
                        }
                    }
                }
            }
        }

        /** Reads all views. */
        CounterReading reading(long blockSize) {
            Io data = ofRelations(Relation.Kind.TABLE, blockSize);
            Io index = ofRelations(Relation.Kind.INDEX, blockSize);
            // Of temporary files only what was written is counted, when they are removed; they are written block by
            // block.
            long temp = counter("pg_stat_database.temp_bytes");
            Map<Category, Io> io = Map.of(
                    Category.DATA,
                    data,
                    Category.INDEX,
                    index,
                    Category.REDO,
                    redo(),
                    Category.TEMP,
                    new Io(0, 0, (temp + blockSize - 1) / blockSize, temp, 0),
                    Category.REST,
                    server(blockSize).less(data).less(index));
            return new CounterReading(io, relations, counters).startedAt(start);
        }

        private Io ofRelations(Relation.Kind kind, long blockSize) {
            long read = 0;
            long hit = 0;
            for (Map.Entry<Relation, Blocks> relation : relations.entrySet()) {
                if (relation.getKey().kind() == kind) {
                    read += relation.getValue().read();
                    hit += relation.getValue().hit();
                }
            }
            return new Io(read, read * blockSize, 0, 0, hit);
        }

        /** Since version 18 in pg_stat_io; before, bytes are those of the records, not of the blocks that hold them. */
        private Io redo() {
            return counters.containsKey("pg_stat_wal.wal_write")
                    ? new Io(0, 0, counter("pg_stat_wal.wal_write"), counter("pg_stat_wal.wal_bytes"), 0)
                    : new Io(
                            sum(".wal.", ".reads"),
                            sum(".wal.", ".read_bytes"),
                            sum(".wal.", ".writes"),
                            sum(".wal.", ".write_bytes"),
                            0);
        }

        /**
         * What the whole server read, found and wrote; before version 16 the database of the run. Nothing tells whether a written block
         * was one of its tables and indexes.
         */
        private Io server(long blockSize) {
            boolean wholeServer = counters.keySet().stream().anyMatch(name -> name.startsWith("pg_stat_io."));
            long reads = wholeServer ? blocks("read", blockSize) : counter("pg_stat_database.blks_read");
            long hits = wholeServer ? sum("relation.", ".hits") : counter("pg_stat_database.blks_hit");
            long writes = wholeServer ? blocks("write", blockSize) : 0;
            return new Io(reads, reads * blockSize, writes, writes * blockSize, hits);
        }

        /** Version 18 counts operations of several blocks and their bytes, versions 16 and 17 blocks. */
        private long blocks(String direction, long blockSize) {
            boolean countsBytes =
                    counters.keySet().stream().anyMatch(name -> name.endsWith("." + direction + "_bytes"));
            return countsBytes
                    ? sum("relation.", "." + direction + "_bytes") / blockSize
                    : sum("relation.", "." + direction + "s") * bytesOfAnIo / blockSize;
        }

        /** All counters of pg_stat_io about such objects with this name. */
        private long sum(String object, String name) {
            return counters.entrySet().stream()
                    .filter(counter -> counter.getKey().startsWith("pg_stat_io.")
                            && counter.getKey().contains(object)
                            && counter.getKey().endsWith(name))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        private long counter(String name) {
            return counters.getOrDefault(name, 0L);
        }
    }
}
