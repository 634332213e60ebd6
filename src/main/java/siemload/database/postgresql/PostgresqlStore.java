package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.Maintenance;
import siemload.database.PlainLookup;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.RunConnection;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.load.PostgresqlMaintenance;
import siemload.database.postgresql.load.PostgresqlSink;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.search.PostgresqlLookup;
import siemload.database.postgresql.search.PostgresqlSearchStatements;
import siemload.database.postgresql.search.PostgresqlSession;
import siemload.database.postgresql.search.SearchConnection;
import siemload.database.registry.Claim;

/** A database that is the copy of one run. */
final class PostgresqlStore implements Store {
    private static final int IDS_AT_ONCE = 10_000;
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final PostgresqlConnections connections;
    private final Databases databases;
    private final Claim claim;
    private final String database;
    private final Variant variant;
    private final Layout layout;
    private final PlannerGuide guide;
    private final PostgresqlSearchStatements statements;
    private Connection guard;
    private final ScheduledThreadPoolExecutor watchers;
    private final List<PostgresqlSession> sessions = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param guard an open connection to the database, which keeps other runs from taking it for abandoned */
    PostgresqlStore(
            PostgresqlConnections connections,
            Databases databases,
            Claim claim,
            Variant variant,
            PlannerGuide guide,
            Connection guard) {
        this.connections = connections;
        this.databases = databases;
        this.claim = claim;
        this.database = claim.name();
        this.variant = variant;
        this.layout = Layout.of(variant.layout());
        this.guide = guide;
        this.statements = new PostgresqlSearchStatements(layout, guide);
        this.guard = guard;
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "postgresql-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
        var unused = watchers.scheduleWithFixedDelay(this::endSilence, 1, 1, TimeUnit.SECONDS);
    }

    private void endSilence() {
        long now = System.nanoTime();
        sessions.forEach(session -> session.endSilence(now, connections.longestSilence()));
    }

    @Override
    public SearchSession openSession() {
        RunConnection connection = new RunConnection(() -> connections.openUnwatched(database, guide.settings()));
        PostgresqlSession session = new PostgresqlSession(
                new SearchConnection(connection, connections.searchTimeout(), watchers), statements);
        try {
            session.connect();
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot open a session in the database " + database, e);
        }
        sessions.add(session);
        return session;
    }

    @Override
    public EventSink openSink() {
        PostgresqlSink sink = new PostgresqlSink(
                layout, new RunConnection(() -> connections.openTimed(database)), connections.searchTimeout());
        try {
            sink.connect();
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot open a sink in the database " + database, e);
        }
        return sink;
    }

    @Override
    public Optional<PlainLookup> openPlainLookup() {
        try {
            return Optional.of(new PostgresqlLookup(connections.openTimed(database), statements));
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot open a connection to the database " + database, e);
        }
    }

    @Override
    public Optional<Counters> openCounters() {
        try {
            PostgresqlCounters counters = new PostgresqlCounters(
                    new RunConnection(() -> connections.openTimed(database)), this::guard, connections.searchTimeout());
            counters.connect();
            return Optional.of(counters);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot read the counters of the database " + database, e);
        }
    }

    @Override
    public long events() {
        try (Connection connection = connections.openMaintenance(database);
                PreparedStatement count =
                        connection.prepareStatement(layout.read("events").sql());
                ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot count the events in the database " + database, e);
        }
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        long found = 0;
        long duplicated = 0;
        try (Connection connection = connections.openMaintenance(database);
                PreparedStatement presence =
                        connection.prepareStatement(layout.read("presence").sql())) {
            for (int from = 0; from < distinct.size(); from += IDS_AT_ONCE) {
                List<String> some = distinct.subList(from, Math.min(from + IDS_AT_ONCE, distinct.size()));
                presence.setString(1, SqlText.textArray(some));
                try (ResultSet row = presence.executeQuery()) {
                    row.next();
                    found += row.getLong(1);
                    duplicated += row.getLong(2);
                }
            }
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot look for events in the database " + database, e);
        }
        return new Presence(found, duplicated);
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        try (Connection connection = connections.openMaintenance(database);
                PreparedStatement running = connection.prepareStatement(
                        SqlTemplate.read("server/running-for.sql").sql())) {
            running.setDouble(1, atLeast.toNanos() / 1e9);
            try (ResultSet row = running.executeQuery()) {
                row.next();
                return OptionalLong.of(row.getLong(1));
            }
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot see what runs in the database " + database, e);
        }
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        SortedMap<String, Long> sizes = new TreeMap<>();
        try (Connection connection = connections.openMaintenance(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        SqlTemplate.read("server/relation-sizes.sql").sql())) {
            while (rows.next()) {
                sizes.put(rows.getString(1), rows.getLong(2));
            }
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot read the sizes of tables in the database " + database, e);
        }
        return sizes;
    }

    @Override
    public synchronized void serverRestarted() {
        try {
            guard.close();
        } catch (SQLException broken) {
            // As was to be expected.
        }
        try {
            guard = connections.openMaintenance(database);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot connect to the database " + database + " after the restart", e);
        }
    }

    private synchronized Connection guard() {
        return guard;
    }

    @Override
    public Optional<Maintenance> maintenance() {
        return Optional.of(new PostgresqlMaintenance(connections, database, layout, variant.indexes()));
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        watchers.shutdownNow();
        try (Connection last = guard()) {
            claim.release();
            databases.sweep();
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot close the connection to the database " + database, e);
        }
    }
}
