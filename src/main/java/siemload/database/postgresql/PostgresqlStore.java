package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import siemload.database.Accounts;
import siemload.database.Counters;
import siemload.database.Counters.CheckpointCounters;
import siemload.database.SearchSession;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.Store.Trends;
import siemload.database.Target.ServerClock;
import siemload.database.postgresql.accounts.PostgresqlAccounts;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.load.PostgresqlDayRemoval;
import siemload.database.postgresql.load.PostgresqlSink;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.search.PostgresqlSearchStatements;
import siemload.database.postgresql.search.PostgresqlSession;
import siemload.database.postgresql.search.PostgresqlTrends;
import siemload.database.server.CopyStore;
import siemload.database.server.IdPortions;
import siemload.database.server.RunCopy;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SilenceWatch;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Opening;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlClock;

/** A database that is the copy of one run. */
final class PostgresqlStore implements CopyStore {
    private static final int IDS_AT_ONCE = 10_000;

    private final PostgresqlConnections connections;
    private final RunCopy copy;
    private final String database;
    private final Layout layout;
    private final PlannerGuide guide;
    private final PostgresqlSearchStatements statements;
    private Connection guard;
    private final SilenceWatch silence;

    /** @param guard an open connection to the database, which keeps other runs from taking it for abandoned */
    PostgresqlStore(
            PostgresqlConnections connections, RunCopy copy, Layout layout, PlannerGuide guide, Connection guard) {
        this.connections = connections;
        this.copy = copy;
        this.database = copy.name();
        this.layout = layout;
        this.guide = guide;
        this.statements = new PostgresqlSearchStatements(layout, guide);
        this.guard = guard;
        this.silence = new SilenceWatch(copy.watchers(), connections.longestSilence());
    }

    @Override
    public RunCopy copy() {
        return copy;
    }

    @Override
    public SearchSession openSession() {
        RunConnection connection = connected("open a session", connections.unwatched(database, guide.settings()));
        return new PostgresqlSession(silence.over(connection), copy.watchers(), statements);
    }

    @Override
    public EventSink openSink() {
        return new PostgresqlSink(layout, connected("open a sink", connections.timed(database)));
    }

    @Override
    public Optional<Counters> openCounters() {
        Opening opening = connections.timed(database).then(PostgresqlCounters::setUp);
        // Those of statements are asked in the database that the url names, since those of runs have no extensions.
        PostgresqlStatementTimes times =
                new PostgresqlStatementTimes(connection(connections.quick().opening()), database);
        RunConnection connection = connected("read the counters", opening);
        return Optional.of(PostgresqlErrors.INSTANCE.attempt(
                "read the counters in the database " + database,
                () -> new PostgresqlCounters(connection, this::guard, times)));
    }

    @Override
    public Optional<Accounts> accounts() {
        return Optional.of(new PostgresqlAccounts(connections, database, silence));
    }

    @Override
    public Optional<DayRemoval> dayRemoval() {
        return Optional.of(new PostgresqlDayRemoval(connections.maintenance(database), layout));
    }

    @Override
    public Optional<Trends> trends() {
        return Optional.of(new PostgresqlTrends(connections.maintenance(database)));
    }

    @Override
    public Optional<CheckpointCounters> openCheckpoints() {
        return Optional.of(
                new PostgresqlCheckpoints(connected("read the counts of checkpoints", connections.timed(database))));
    }

    @Override
    public Optional<ServerClock> openClock() {
        RunConnection connection = connected("read the clock", connections.timed(database));
        return Optional.of(new SqlClock(connection, FILES.read("server/now.sql")));
    }

    private RunConnection connected(String tried, Opening opening) {
        return connection(opening).connected(tried + " in the database " + database);
    }

    private RunConnection connection(Opening opening) {
        return new RunConnection(opening, PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return ask("look for events in the database ", connection -> {
            Presence sum = new Presence(0, 0);
            for (List<String> some : IdPortions.of(ids, IDS_AT_ONCE)) {
                Presence found = layout.read("presence")
                        .row(connection, row -> new Presence(row.getLong(1), row.getLong(2)), SqlText.textArray(some));
                sum = new Presence(sum.found() + found.found(), sum.duplicated() + found.duplicated());
            }
            return sum;
        });
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        return OptionalLong.of(ask(
                "see what runs in the database ",
                connection -> FILES.read("server/running-for.sql").number(connection, atLeast.toNanos() / 1e9)));
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return ask(
                "read the sizes of tables in the database ",
                connection -> FILES.read("server/relation-sizes.sql").map(connection, row -> row.getLong(2)));
    }

    private <T> T ask(String tried, Work<T> work) {
        return connections.maintenance(database).get(tried + database, work);
    }

    @Override
    public synchronized void serverRestarted() {
        SqlAccess.closeQuietly(guard);
        guard = PostgresqlErrors.INSTANCE.attempt(
                "connect to the database " + database + " after the restart",
                () -> connections.maintenance(database).opening().open());
    }

    private synchronized Connection guard() {
        return guard;
    }

    @Override
    public void close() {
        try (Connection last = guard()) {
            copy.close();
        } catch (SQLException e) {
            throw PostgresqlErrors.INSTANCE.outsideRun("cannot close the connection to the database " + database, e);
        }
    }
}
