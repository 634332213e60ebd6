package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.SessionCounts;
import siemload.database.StatementSource;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.sql.RunConnection;

/**
 * Reads the statistics views of the server. A backend hands in its counts at most once a second, when it is between two
 * transactions, and when it ends; one that falls silent within that second holds them back for up to ten.
 */
final class PostgresqlCounters implements Counters {
    private static final int IO_SINCE = 160_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final String ABOUT = read("about");
    private static final String SESSION = read("session");
    private static final String PENDING = read("pending");
    /** In one request, and so in one transaction: the views then tell of the same moment. */
    private static final List<String> VIEWS =
            List.of(read("tables"), read("indexes"), read("start"), read("sessions"), read("database"), read("wal"));

    private final RunConnection connection;
    private final Supplier<Connection> guard;
    private final PostgresqlStatementTimes statements;
    private final Set<String> gaps = new LinkedHashSet<>();
    private final SessionCounts sessions = new SessionCounts();
    private @Nullable About about;

    /**
     * Connects nowhere yet.
     *
     * @param guard the connection that stays open until the store is closed; another one after a restart
     * @param statements are closed with these counters
     */
    PostgresqlCounters(RunConnection connection, Supplier<Connection> guard, PostgresqlStatementTimes statements) {
        this.connection = connection;
        this.guard = guard;
        this.statements = statements;
    }

    /** What must be known of the server to read its views, over a connection that was set up for it. */
    private record About(Connection from, int version, long blockSize) {}

    /** Connects, and finds out what the server does not count. */
    void connect() throws SQLException {
        connected();
        statements.connect();
    }

    @Override
    public CounterReading read() {
        CounterReading reading = connection.answer(open -> reading(connected()));
        return reading.with(statements.read());
    }

    @Override
    public StatementSource statements() {
        return statements.source();
    }

    @Override
    public CounterReading readSettled() {
        long start = System.nanoTime();
        int left = connection.answer(open -> {
            connected();
            int pending = pending();
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

    private About connected() throws SQLException {
        About known = about;
        Connection open = connection.get();
        if (known != null && known.from == open) {
            return known;
        }
        try (Statement statement = open.createStatement()) {
            statement.execute(SESSION);
            try (ResultSet row = statement.executeQuery(ABOUT)) {
                row.next();
                known = new About(open, row.getInt("version_number"), row.getLong("block_size"));
                noteGaps(known.version, row.getBoolean("track_counts"));
            }
        }
        about = known;
        return known;
    }

    private void noteGaps(int version, boolean tracked) {
        if (!tracked) {
            gaps.add("the server does not count blocks by table and index: its track_counts is off");
        }
        if (version < IO_SINCE) {
            gaps.add("PostgreSQL before 16 does not count what is written to tables and indexes");
        }
    }

    private int pending() throws SQLException {
        PreparedStatement pending = connection.statement(PENDING);
        pending.setInt(1, guard.get().unwrap(PGConnection.class).getBackendPID());
        try (ResultSet row = pending.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private CounterReading reading(About server) throws SQLException {
        List<String> views = new ArrayList<>(VIEWS);
        if (server.version >= IO_SINCE) {
            views.add(read("io"));
        }
        StatisticsViews seen = new StatisticsViews(sessions);
        PreparedStatement statement = connection.statement(String.join(";\n", views));
        boolean more = statement.execute();
        for (int view = 0; more; view++) {
            try (ResultSet rows = statement.getResultSet()) {
                switch (view) {
                    case 0 -> seen.addTables(rows);
                    case 1 -> seen.addIndexes(rows);
                    case 2 -> seen.setStart(rows);
                    case 3 -> seen.addSessions(rows);
                    default -> seen.addCounters(rows);
                }
            }
            more = statement.getMoreResults();
        }
        return seen.reading(server.blockSize);
    }

    private static String read(String question) {
        return SqlTemplate.read("server/counters-" + question + ".sql").sql();
    }
}
