package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import siemload.database.Counters;
import siemload.database.ExistingStore;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Watchers;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SilenceWatch;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Opening;

/** A database that was there before the run, and stays as it is but for what statements write that say so. */
abstract class ExistingPostgresqlStore implements ExistingStore {
    private final PostgresqlConnections connections;
    private final Connection guard;
    private final String database;
    private final ScheduledThreadPoolExecutor watchers;
    private final SilenceWatch silence;

    /**
     * Opens it.
     *
     * @param connections that can only read
     */
    ExistingPostgresqlStore(PostgresqlConnections connections) throws SQLException {
        this.connections = connections;
        this.guard = connections.quick().opening().open();
        this.database = guard.getCatalog();
        this.watchers = Watchers.start();
        this.silence = new SilenceWatch(watchers, connections.longestSilence());
    }

    /** One more connection, whose silence is noticed; it is for whoever asks to close it. */
    final RunConnection watched(Opening opening) {
        return silence.over(connected("open a session", opening));
    }

    /** Carry out what stops a search. */
    final ScheduledExecutorService watchers() {
        return watchers;
    }

    final PostgresqlConnections connections() {
        return connections;
    }

    @Override
    public final Optional<Counters> openCounters() {
        Opening opening = connections.timed(database).then(PostgresqlCounters::setUp);
        PostgresqlStatementTimes times = new PostgresqlStatementTimes(
                connection(connections.quick().opening().then(PostgresqlCounters::setUp)), database);
        RunConnection connection = connected("read the counters", opening);
        return Optional.of(PostgresqlErrors.INSTANCE.attempt(
                "read the counters of " + place(), () -> new PostgresqlCounters(connection, () -> guard, times)));
    }

    @Override
    public final SortedMap<String, Long> relationBytes() {
        return connections
                .maintenance(database)
                .get(
                        "read the sizes of tables in " + place(),
                        connection -> FILES.read("server/relation-sizes.sql").map(connection, row -> row.getLong(2)));
    }

    @Override
    public final OptionalLong rowsWritten() {
        return OptionalLong.of(connections
                .quick()
                .get(
                        "see what is written in " + place(),
                        connection -> FILES.read("server/rows-written.sql").number(connection)));
    }

    @Override
    public final OptionalLong runningFor(Duration atLeast) {
        return OptionalLong.of(connections
                .quick()
                .get(
                        "see what runs in " + place(),
                        connection ->
                                FILES.read("server/running-for.sql").number(connection, atLeast.toNanos() / 1e9)));
    }

    final String place() {
        return "the database " + database;
    }

    private RunConnection connected(String tried, Opening opening) {
        return connection(opening).connected(tried + " in " + place());
    }

    private RunConnection connection(Opening opening) {
        return new RunConnection(opening, PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    @Override
    public final void close() {
        watchers.shutdownNow();
        SqlAccess.closeQuietly(guard);
    }
}
