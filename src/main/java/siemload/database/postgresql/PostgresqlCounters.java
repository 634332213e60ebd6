package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.SessionCounts;
import siemload.database.StatementSource;
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
    private static final List<SqlStatement> VIEWS = Stream.of("relations", "start", "sessions")
            .map(PostgresqlCounters::question)
            .toList();

    private static final int VERSIONS_OF_MAJOR = 10_000;

    private final RunConnection connection;
    private final Supplier<Connection> guard;
    private final PostgresqlStatementTimes statements;
    private final Set<String> gaps = new LinkedHashSet<>();
    private final SessionCounts sessions = new SessionCounts();
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
        About about = question("about").row(connection.get(), About::of);
        List<SqlStatement> asked = new ArrayList<>(VIEWS);
        asked.add(PostgresqlCheckpoints.question(about.version / VERSIONS_OF_MAJOR));
        asked.add(question("database"));
        asked.add(question("wal"));
        if (about.version >= IO_SINCE) {
            asked.add(question("io"));
        } else {
            gaps.add("PostgreSQL before 16 does not count what is written to tables and indexes");
        }
        if (!about.tracked) {
            gaps.add("the server does not count blocks by table and index: its track_counts is off");
        }
        blockSize = about.blockSize;
        views = asked.stream().map(SqlStatement::sql).collect(Collectors.joining(";\n"));
        statements.connect();
    }

    /** Prepares a connection for these counters. */
    static void setUp(Connection connection) throws SQLException {
        question("session").execute(connection);
    }

    /** What must be known of the server to read its views. */
    private record About(int version, long blockSize, boolean tracked) {
        static About of(ResultSet row) throws SQLException {
            return new About(row.getInt("version_number"), row.getLong("block_size"), row.getBoolean("track_counts"));
        }
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
                    case 3 -> seen.addCheckpoints(PostgresqlCheckpoints.reading(rows));
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
}
