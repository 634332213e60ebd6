package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.search.AskedStatements;
import siemload.database.postgresql.search.StatementSession;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SilenceWatch;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Opening;
import siemload.query.Statement;

/** A database that was there before the run, and stays as it is but for what statements write that say so. */
final class ExistingPostgresqlStore implements StatementStore {
    private static final int WATCHERS = 2;

    private final PostgresqlConnections connections;
    private final PostgresqlConnections ofSessions;
    private final AskedStatements statements;
    private final Connection guard;
    private final String database;
    private final ScheduledThreadPoolExecutor watchers;
    private final SilenceWatch silence;

    /**
     * Opens it.
     *
     * @param connections that can only read
     * @param ofSessions those of the sessions that ask the statements; the same where none of these writes
     */
    ExistingPostgresqlStore(
            PostgresqlConnections connections, PostgresqlConnections ofSessions, List<Statement> statements)
            throws SQLException {
        this.connections = connections;
        this.ofSessions = ofSessions;
        this.statements = new AskedStatements(statements);
        this.guard = connections.quick().opening().open();
        this.database = guard.getCatalog();
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "siemload-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
        this.silence = new SilenceWatch(watchers, connections.longestSilence());
    }

    @Override
    public SearchSession openSession() {
        return session(ofSessions);
    }

    private StatementSession session(PostgresqlConnections of) {
        RunConnection connection = connected("open a session", of.asking());
        return new StatementSession(silence.over(connection), watchers, statements);
    }

    @Override
    public Optional<String> refusal(Statement statement) {
        try (StatementSession session = session(connections)) {
            return session.refusal(statement);
        } catch (SearchException wrong) {
            return Optional.of("the server says: " + wrong.getMessage()
                    + (wrong.code().isEmpty() ? "" : " (SQLSTATE " + wrong.code() + ")"));
        }
    }

    @Override
    public List<String> values(String query, int most) {
        try (StatementSession session = session(connections)) {
            return session.values(query, most);
        } catch (SearchException wrong) {
            throw new TargetException("a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
    }

    @Override
    public Optional<Counters> openCounters() {
        Opening opening = connections.timed(database).then(PostgresqlCounters::setUp);
        PostgresqlStatementTimes times = new PostgresqlStatementTimes(
                connection(connections.quick().opening().then(PostgresqlCounters::setUp)), database);
        RunConnection connection = connected("read the counters", opening);
        return Optional.of(PostgresqlErrors.INSTANCE.attempt(
                "read the counters of " + place(), () -> new PostgresqlCounters(connection, () -> guard, times)));
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return connections
                .maintenance(database)
                .get(
                        "read the sizes of tables in " + place(),
                        connection -> FILES.read("server/relation-sizes.sql").map(connection, row -> row.getLong(2)));
    }

    @Override
    public OptionalLong rowsWritten() {
        return OptionalLong.of(connections
                .quick()
                .get(
                        "see what is written in " + place(),
                        connection -> FILES.read("server/rows-written.sql").number(connection)));
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        return OptionalLong.of(connections
                .quick()
                .get(
                        "see what runs in " + place(),
                        connection ->
                                FILES.read("server/running-for.sql").number(connection, atLeast.toNanos() / 1e9)));
    }

    private String place() {
        return "the database " + database;
    }

    private RunConnection connected(String tried, Opening opening) {
        return connection(opening).connected(tried + " in " + place());
    }

    private RunConnection connection(Opening opening) {
        return new RunConnection(opening, PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    @Override
    public void close() {
        watchers.shutdownNow();
        SqlAccess.closeQuietly(guard);
    }
}
