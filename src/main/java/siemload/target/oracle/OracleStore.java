package siemload.target.oracle;

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
import siemload.target.Counters;
import siemload.target.EventSink;
import siemload.target.IndexSet;
import siemload.target.Maintenance;
import siemload.target.SearchSession;
import siemload.target.Store;
import siemload.target.Variant;

/** The tables that are the copy of one run. */
final class OracleStore implements Store {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final Connections connections;
    private final Registry registry;
    private Registry.Claim claim;
    private final TableGroup tables;
    private final IndexSet indexes;
    private final SearchStatements statements;
    private final ScheduledThreadPoolExecutor watchers;
    private final AtomicBoolean closed = new AtomicBoolean();

    OracleStore(Connections connections, Registry registry, Registry.Claim claim, Variant variant) {
        this.connections = connections;
        this.registry = registry;
        this.claim = claim;
        this.tables = claim.tables();
        this.indexes = variant.indexes();
        this.statements = new SearchStatements(tables, new HintText(variant.hint(), variant.indexes(), claim.tables()));
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
            throw SqlErrors.outsideRun("cannot open a session", e);
        }
    }

    @Override
    public EventSink openSink() {
        OracleSink sink = new OracleSink(new OpenConnection(connections), tables, connections.searchTimeout());
        try {
            sink.connect();
            return sink;
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot open a sink", e);
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
            throw SqlErrors.outsideRun("cannot count the events in " + tables.name("event"), e);
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
            throw SqlErrors.outsideRun("cannot look for events in " + tables.name("event"), e);
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
            throw SqlErrors.outsideRun("cannot read the sizes of the tables " + prefix + "...", e);
        }
        return sizes;
    }

    @Override
    public synchronized void serverRestarted() {
        try {
            claim = registry.renew(claim);
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot connect to Oracle after the restart", e);
        }
    }

    private synchronized Registry.Claim claim() {
        return claim;
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
        try {
            registry.drop(claim());
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot drop the tables " + tables.prefix() + "_...", e);
        }
    }
}
