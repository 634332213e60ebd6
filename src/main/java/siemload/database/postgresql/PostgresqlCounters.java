package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final int IO_SINCE = 16;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double NANOS_PER_MILLISECOND = 1e6;
    private static final SqlStatement PENDING = question("pending");

    private final RunConnection connection;
    private final RunConnection timing;
    private final String database;
    private final Set<String> gaps = new LinkedHashSet<>();
    private final Map<String, Long> sessions = new HashMap<>();
    private final String views;
    private StatementSource source = StatementSource.none(
            "the extension pg_stat_statements is not there (an administrator adds it to"
                    + " shared_preload_libraries, restarts the server, and creates it in the database that the url names)");
    /** Asks for the times of statements. */
    private Optional<SqlStatement> times = Optional.empty();

    /**
     * Finds out what the server does not count.
     *
     * @param connection to the database that is counted; it and the other one are {@link #setUp set up} each time they are opened
     * @param timing to a database that may have the extension pg_stat_statements, which counts for all databases; statements are told apart
     *     by their query identifiers
     * @param database whose statements are told
     */
    PostgresqlCounters(RunConnection connection, RunConnection timing, String database) throws SQLException {
        this.connection = connection;
        this.timing = timing;
        this.database = database;
        int version = connection.get().getMetaData().getDatabaseMajorVersion();
        if (version < IO_SINCE) {
            gaps.add("PostgreSQL before " + IO_SINCE + " does not count what is written to tables and indexes");
        }
        // In one statement: the views then tell of the same moment.
        views = Stream.concat(
                        Stream.of("relations", "start", "sessions", "temp", "traffic")
                                .map(view -> question(view, version).sql()),
                        Stream.of("database", "wal", "checkpoints", "io")
                                .map(view -> SQL.part(
                                        "counters-of-view",
                                        Map.of("view", question(view, version).sql()))))
                .collect(Collectors.joining("\nUNION ALL\n"));
        Map<String, StatementTime> unused = timed(this::findTimes);
    }

    /** Prepares a connection for these counters. */
    static void setUp(Connection connection) throws SQLException {
        question("session").execute(connection);
    }

    @Override
    public CounterReading read() {
        CounterReading reading = connection.answer(open -> reading());
        return times.isEmpty() ? reading : reading.with(timed(this::times));
    }

    @Override
    public StatementSource statements() {
        return source;
    }

    @Override
    public CounterReading readSettled() {
        long start = System.nanoTime();
        long left = connection.number(PENDING);
        while (left > 0
                && System.nanoTime() - start < PATIENCE_NANOS
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            left = connection.number(PENDING);
        }
        if (left > 0) {
            gaps.add(
                    left + " connections had not ended when the counters were read: their last seconds may be missing");
        }
        return read();
    }

    @Override
    public List<String> gaps() {
        return List.copyOf(gaps);
    }

    @Override
    public void close() {
        timing.close();
        connection.close();
    }

    private static SqlStatement question(String name) {
        return SQL.read("counters-" + name);
    }

    /** In its newest form that is not newer than the server. */
    private static SqlStatement question(String name, int version) {
        String since = name + "-" + version;
        return SQL.has("counters-" + since)
                ? question(since)
                : version == 0 ? question(name) : question(name, version - 1);
    }

    /** PostgreSQL has no undo log: old versions of rows lie in the tables. */
    private CounterReading reading() throws SQLException {
        Map<String, Io> io = new HashMap<>();
        Stream.of(Io.DATA, Io.INDEX, Io.REDO, Io.TEMP, Io.REST)
                .forEach(category -> io.put(category, new Io(category, 0, 0, 0, 0, 0)));
        List<Relation> relations = new ArrayList<>();
        Map<String, Long> counters = new HashMap<>();
        String start = "";
        try (ResultSet row = connection.statement(views).executeQuery()) {
            while (row.next()) {
                String name = row.getString(2);
                long one = Math.round(row.getDouble(3));
                long other = Math.round(row.getDouble(4));
                switch (row.getString(1)) {
                    case "counter" -> counters.put(name, one);
                    case "session" ->
                        sessions.merge(
                                SessionState.valueOf(name.toUpperCase(Locale.ROOT))
                                        .counter(),
                                one,
                                Long::sum);
                    case "start" -> start = name;
                    case "reads" -> io.merge(name, new Io(name, one, other, 0, 0, 0), Io::plus);
                    case "writes" -> io.merge(name, new Io(name, 0, 0, one, other, 0), Io::plus);
                    case "hits" -> io.merge(name, new Io(name, 0, 0, 0, 0, one), Io::plus);
                    default -> relations.add(new Relation(name, row.getString(1), one, other));
                }
            }
        }
        // Nothing tells whether a block that the server wrote was one of the run's tables and indexes.
        io.computeIfPresent(
                Io.REST,
                (name, all) -> all.less(io.getOrDefault(Io.DATA, Io.NONE)).less(io.getOrDefault(Io.INDEX, Io.NONE)));
        sessions.merge(SessionState.READINGS, 1L, Long::sum);
        counters.putAll(sessions);
        return new CounterReading(io.values(), relations, counters).startedAt(start);
    }

    /** Finds out whether the server tells how long it works on statements, and where. */
    private Map<String, StatementTime> findTimes(Connection open) throws SQLException {
        SQL.read("statement-times-where").map(open, row -> row.getString(2)).forEach((schema, covered) -> {
            times = Optional.of(SQL.read("statement-times", Map.of("schema", schema)));
            source = StatementSource.of("pg_stat_statements", covered);
        });
        return times(open);
    }

    /** Those of all statements since the server counts them, by query identifier; none where it does not tell. */
    private Map<String, StatementTime> times(Connection open) throws SQLException {
        return times.isEmpty() ? Map.of() : times.get().map(open, PostgresqlCounters::time, database);
    }

    private static StatementTime time(ResultSet row) throws SQLException {
        return new StatementTime(
                row.getLong(2),
                Math.round(row.getDouble(3) * NANOS_PER_MILLISECOND),
                Math.round(row.getDouble(4) * NANOS_PER_MILLISECOND));
    }

    private Map<String, StatementTime> timed(Work<Map<String, StatementTime>> work) {
        try {
            return timing.answer(work);
        } catch (SearchException refused) {
            if (times.isEmpty() || refused.kind() != SearchException.Kind.CONNECTION) {
                times = Optional.empty();
                source = StatementSource.none("pg_stat_statements cannot be read: " + refused.getMessage());
            }
            return Map.of();
        }
    }
}
