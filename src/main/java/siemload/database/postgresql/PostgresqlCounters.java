package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;
import siemload.database.Counters.SessionState;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchException;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;

/**
 * Reads the statistics views of the server. A backend hands in its counts at most once a second, when it is between two
 * transactions, and when it ends; one that falls silent within that second holds them back for up to ten.
 */
final class PostgresqlCounters implements Counters {
    private static final int IO_SINCE = 160_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final SqlStatement PENDING = question("pending");

    private final RunConnection connection;
    private final Supplier<Connection> guard;
    private final TimedStatements statements;
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
    PostgresqlCounters(RunConnection connection, Supplier<Connection> guard, TimedStatements statements)
            throws SQLException {
        this.connection = connection;
        this.guard = guard;
        this.statements = statements;
        List<String> asked = new ArrayList<>(List.of("database", "wal"));
        blockSize = SQL.read("counters-about").row(connection.get(), about -> {
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
        // In one statement: the views then tell of the same moment.
        views = Stream.concat(
                        Stream.of("relations", "start", "sessions")
                                .map(view -> question(view).sql()),
                        asked.stream().map(PostgresqlCounters::numbersOf))
                .collect(Collectors.joining("\nUNION ALL\n"));
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

    private static SqlStatement question(String name) {
        return SQL.read("counters-" + name);
    }

    private static String numbersOf(String view) {
        return SQL.read("counters-of-view", Map.of("view", question(view).sql()))
                .sql();
    }

    private CounterReading reading() throws SQLException {
        List<Relation> relations = new ArrayList<>();
        Map<String, Long> counters = new HashMap<>();
        Map<String, Long> working = new HashMap<>();
        String start = "";
        try (ResultSet row = connection.statement(views).executeQuery()) {
            while (row.next()) {
                String name = row.getString(2);
                long number = Math.round(row.getDouble(3));
                switch (row.getString(1)) {
                    case "counter" -> counters.put(name, number);
                    case "session" -> working.put(name, number);
                    case "start" -> start = name;
                    default ->
                        relations.add(new Relation(
                                name, row.getString(1).toLowerCase(Locale.ROOT), number, Math.round(row.getDouble(4))));
                }
            }
        }
        SessionState.add(working, sessions);
        List<Io> io = new CountedIo(relations, counters, blockSize).byCategory();
        counters.putAll(sessions);
        return new CounterReading(io, relations, counters).startedAt(start);
    }

    /**
     * What the server's counters mean as input and output. PostgreSQL has no undo log: old versions of rows lie in the tables.
     *
     * @param counters by the names of views, objects and columns
     */
    record CountedIo(List<Relation> relations, Map<String, Long> counters, long blockSize) {
        private static final String IO = "pg_stat_io.";

        List<Io> byCategory() {
            Io data = ofRelations(Io.DATA, "table");
            Io index = ofRelations(Io.INDEX, "index");
            // Of temporary files only what was written is counted, when they are removed; they are written block by
            // block.
            long temp = counter("pg_stat_database.temp_bytes");
            return List.of(
                    data,
                    index,
                    redo(),
                    new Io(Io.TEMP, 0, 0, (temp + blockSize - 1) / blockSize, temp, 0),
                    server().less(data).less(index));
        }

        private Io ofRelations(String category, String kind) {
            long read = 0;
            long hit = 0;
            for (Relation relation : relations) {
                if (relation.kind().equals(kind)) {
                    read += relation.blocksRead();
                    hit += relation.blocksHit();
                }
            }
            return new Io(category, read, read * blockSize, 0, 0, hit);
        }

        /** Since version 18 in pg_stat_io; before, bytes are those of the records, not of the blocks that hold them. */
        private Io redo() {
            return counters.containsKey("pg_stat_wal.wal_write")
                    ? new Io(Io.REDO, 0, 0, counter("pg_stat_wal.wal_write"), counter("pg_stat_wal.wal_bytes"), 0)
                    : new Io(
                            Io.REDO,
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
        private Io server() {
            boolean wholeServer = counters.keySet().stream().anyMatch(name -> name.startsWith(IO));
            long reads = wholeServer ? blocks("read") : counter("pg_stat_database.blks_read");
            long hits = wholeServer ? sum("relation.", ".hits") : counter("pg_stat_database.blks_hit");
            long writes = wholeServer ? blocks("write") : 0;
            return new Io(Io.REST, reads, reads * blockSize, writes, writes * blockSize, hits);
        }

        /** Version 18 counts operations of several blocks and their bytes, versions 16 and 17 blocks. */
        private long blocks(String direction) {
            boolean countsBytes =
                    counters.keySet().stream().anyMatch(name -> name.endsWith("." + direction + "_bytes"));
            return countsBytes
                    ? sum("relation.", "." + direction + "_bytes") / blockSize
                    : sum("relation.", "." + direction + "s");
        }

        /** All counters of pg_stat_io about such objects with this name. */
        private long sum(String object, String name) {
            return counters.entrySet().stream()
                    .filter(counter -> counter.getKey().startsWith(IO)
                            && counter.getKey().contains(object)
                            && counter.getKey().endsWith(name))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        private long counter(String name) {
            return counters.getOrDefault(name, 0L);
        }
    }

    /**
     * Reads how long the server has worked on each statement, by the extension {@code pg_stat_statements}, which counts for all
     * databases and can be asked in each that has it. Statements are told apart by their query identifiers. Used by one thread at
     * a time.
     */
    static final class TimedStatements implements AutoCloseable {
        private static final String VIEW = "pg_stat_statements";
        private static final String MISSING =
                "the extension pg_stat_statements is not there (an administrator adds it to"
                        + " shared_preload_libraries, restarts the server, and creates it in the database that the url names)";
        private static final String INSUFFICIENT_PRIVILEGE = "42501";
        private static final double NANOS_PER_MILLISECOND = 1e6;

        private final RunConnection connection;
        private final String database;
        private StatementSource source = StatementSource.none(MISSING);
        private Optional<SqlStatement> question = Optional.empty();

        /**
         * Asks nothing yet.
         *
         * @param connection to a database that may have the extension; it is closed with these times
         * @param database whose statements are told
         */
        TimedStatements(RunConnection connection, String database) {
            this.connection = connection;
            this.database = database;
        }

        /** Finds out whether the server tells them. */
        StatementSource connect() {
            Map<String, StatementTime> unused = asked(open -> {
                find(open);
                return times(open);
            });
            return source;
        }

        /** Those of all statements since the server counts them, by query identifier; none where it does not tell. */
        Map<String, StatementTime> read() {
            return question.isEmpty() ? Map.of() : asked(this::times);
        }

        private Map<String, StatementTime> asked(Work<Map<String, StatementTime>> work) {
            try {
                return connection.answer(work);
            } catch (SearchException refused) {
                if (question.isEmpty() || refused.kind() != SearchException.Kind.CONNECTION) {
                    question = Optional.empty();
                    source = StatementSource.none(
                            refused.code().equals(INSUFFICIENT_PRIVILEGE)
                                    ? "this user may not read pg_stat_statements (an administrator grants EXECUTE on the function"
                                            + " pg_stat_statements(boolean) and USAGE on its schema): "
                                            + refused.getMessage()
                                    : "pg_stat_statements cannot be read: " + refused.getMessage());
                }
                return Map.of();
            }
        }

        StatementSource source() {
            return source;
        }

        @Override
        public void close() {
            connection.close();
        }

        private void find(Connection open) throws SQLException {
            List<String> unused = SQL.read("statement-times-where").rows(open, row -> {
                String schema = row.getString("schema_name");
                question = Optional.of(SQL.read("statement-times", Map.of("schema", schema)));
                source = StatementSource.of(
                        VIEW,
                        row.getBoolean("plans_counted")
                                ? "planning and execution, with handing the rows to the network; parsing and binding are not in it"
                                : "execution, with handing the rows to the network; parsing, binding and planning are not in it,"
                                        + " since pg_stat_statements.track_planning is off");
                return schema;
            });
        }

        private Map<String, StatementTime> times(Connection open) throws SQLException {
            return question.isEmpty()
                    ? Map.of()
                    : question.get()
                            .map(
                                    open,
                                    row -> new StatementTime(
                                            row.getLong(2),
                                            Math.round(row.getDouble(3) * NANOS_PER_MILLISECOND),
                                            Math.round(row.getDouble(4) * NANOS_PER_MILLISECOND)),
                                    database);
        }
    }
}
