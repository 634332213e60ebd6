package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.IndexSet;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.database.registry.Claim;

/** The tables that are the copy of one run. */
final class OracleStore implements Store {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final OracleConnections connections;
    private final TableGroups groups;
    private final Claim claim;
    private final TableGroup tables;
    private final IndexSet indexes;
    private final OracleSearchStatements statements;
    private final ScheduledThreadPoolExecutor watchers;
    private final AtomicBoolean closed = new AtomicBoolean();

    OracleStore(OracleConnections connections, TableGroups groups, Claim claim, Variant variant) {
        this.connections = connections;
        this.groups = groups;
        this.claim = claim;
        this.tables = groups.tables(claim.name());
        this.indexes = variant.indexes();
        this.statements = new OracleSearchStatements(tables, new HintText(variant.hint(), variant.indexes(), tables));
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "oracle-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public SearchSession openSession() {
        OracleSession session = new OracleSession(
                new OpenConnection(connections), tables, statements, connections.searchTimeout(), watchers);
        try {
            session.connect();
            return session;
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot open a session", e);
        }
    }

    @Override
    public EventSink openSink() {
        OracleSink sink = new OracleSink(new OpenConnection(connections), tables, connections.searchTimeout());
        try {
            sink.connect();
            return sink;
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot open a sink", e);
        }
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OracleCounters(new OpenConnection(connections), tables, connections.searchTimeout()));
    }

    @Override
    public long events() {
        try (Connection connection = connections.open()) {
            return tables.events(connection);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot count the events in " + tables.name("event"), e);
        }
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        try (Connection connection = connections.open()) {
            Map<String, Long> stored = StoredIds.among(new ArrayList<>(new LinkedHashSet<>(ids)), connection, tables);
            long duplicated =
                    stored.values().stream().filter(times -> times > 1).count();
            return new Presence(stored.size(), duplicated);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot look for events in " + tables.name("event"), e);
        }
    }

    /** Under the names of the layout: those in the database also tell which copy it is. */
    @Override
    public SortedMap<String, Long> relationBytes() {
        SortedMap<String, Long> sizes = new TreeMap<>();
        String prefix = tables.prefix() + "_";
        try (Connection connection = connections.open();
                PreparedStatement statement = connection.prepareStatement(
                        TableGroup.FILES.read("server/relation-sizes.sql").sql())) {
            statement.setString(1, prefix);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sizes.put(rows.getString(1).substring(prefix.length()), rows.getLong(2));
                }
            }
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot read the sizes of the tables " + prefix + "...", e);
        }
        return sizes;
    }

    /** Keeps no connection of its own; but whoever restarted the server waits for it here. */
    @Override
    public void serverRestarted() {
        try {
            connections.openQuick().close();
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot connect to Oracle after the restart", e);
        }
    }

    @Override
    public Optional<Maintenance> maintenance() {
        return Optional.of(new OracleMaintenance(connections, tables, indexes));
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        watchers.shutdownNow();
        claim.release();
        groups.sweep();
    }
}
