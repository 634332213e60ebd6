package siemload.database.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.Accounts;
import siemload.database.Counters;
import siemload.database.DayRemoval;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.ServerClock;
import siemload.database.Trends;
import siemload.database.server.CopyStore;
import siemload.database.server.RunCopy;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlClock;

/** The tables that are the copy of one run. */
record OracleStore(OracleConnections connections, RunCopy copy, TableGroup tables, OracleSearchStatements statements)
        implements CopyStore {

    @Override
    public SearchSession openSession() {
        RunConnection connection = connections.ofRun().connected("open a session");
        return new OracleSession(
                connection, OracleAnswers.of(tables), statements, connections.searchTimeout(), copy.watchers());
    }

    @Override
    public EventSink openSink() {
        return new OracleSink(connections.ofRun().connected("open a sink"), tables);
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OracleCounters(connections.ofRun(), CountedObjects.of(tables)));
    }

    @Override
    public Optional<ServerClock> openClock() {
        RunConnection connection = connections.ofRun().connected("read the clock");
        return Optional.of(new SqlClock(connection, TableGroup.FILES.read("server/now.sql")));
    }

    @Override
    public Optional<Accounts> accounts() {
        return Optional.of(new OracleAccounts(connections, copy, tables));
    }

    @Override
    public Optional<DayRemoval> dayRemoval() {
        return Optional.of(new OracleDayRemoval(connections, tables));
    }

    @Override
    public Optional<Trends> trends() {
        return Optional.of(new OracleTrends(connections, copy, tables));
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        Map<String, Long> stored = connections
                .maintenance()
                .get(
                        "look for events in " + tables.events(),
                        connection -> StoredIds.among(new ArrayList<>(new LinkedHashSet<>(ids)), connection, tables));
        long duplicated = stored.values().stream().filter(times -> times > 1).count();
        return new Presence(stored.size(), duplicated);
    }

    /** Under the names of the layout: those in the database also tell which copy it is. */
    @Override
    public SortedMap<String, Long> relationBytes() {
        String prefix = tables.prefix() + "_";
        SortedMap<String, Long> sizes = new TreeMap<>();
        connections
                .maintenance()
                .get(
                        "read the sizes of " + copy.tables().place(),
                        connection -> TableGroup.FILES
                                .read("server/relation-sizes.sql")
                                .map(connection, row -> row.getLong(2), prefix))
                .forEach((name, bytes) -> sizes.put(name.substring(prefix.length()), bytes));
        return sizes;
    }

    /** Keeps no connection of its own; but whoever restarted the server waits for it here. */
    @Override
    public void serverRestarted() {
        connections.quick().run("connect to Oracle after the restart", connection -> {});
    }
}
