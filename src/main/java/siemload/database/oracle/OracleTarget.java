package siemload.database.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;

/** An Oracle server. But for the registry's, each call opens a connection of its own. */
final class OracleTarget implements Target {
    private static final int OLDEST_VERSION = 19;
    /** Stands in the names of tables that no data set is copied into. */
    private static final String NO_DATASET = "0000000000000000";

    private static final String CHARACTER_SET = "AL32UTF8";

    private final OracleConnections connections;
    private final TableGroups groups;
    private final Variant variant;
    private final String version;
    private final Transport transport;

    private OracleTarget(
            OracleConnections connections, TableGroups groups, Variant variant, String version, Transport transport) {
        this.connections = connections;
        this.groups = groups;
        this.variant = variant;
        this.version = version;
        this.transport = transport;
    }

    static OracleTarget connect(OracleConnections connections, Tablespaces tablespaces, TargetOptions options) {
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement();
                ResultSet about = statement.executeQuery(
                        TableGroup.FILES.read("server/about.sql").sql())) {
            about.next();
            requireVersion(about.getString(1));
            requireCharacterSet(about.getString(3));
            requireRight(about.getString(2), about.getLong(4));
            connections.checkParameters();
            TableGroups groups = new TableGroups(connections, tablespaces);
            Transport transport = connections.transport(about.getString(5));
            return new OracleTarget(connections, groups, options.variant(), about.getString(1), transport);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot connect to Oracle", e);
        }
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    /** Without a right to see them there is one line that says so. */
    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        TableGroup.FILES.read("server/settings.sql").sql())) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        } catch (SQLException e) {
            if (!OracleErrors.isMissingTable(e)) {
                throw OracleErrors.outsideRun("cannot read the settings of Oracle", e);
            }
            settings.put("v$parameter", "not visible to this user (GRANT SELECT ON v_$parameter)");
        }
        settings.putAll(connections.parameters());
        return settings;
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(OracleServerUse.at(connections));
    }

    @Override
    public boolean holds(DatasetKey key) {
        return groups.kept(key).isPresent();
    }

    @Override
    public void discard(DatasetKey key) {
        groups.discard(key);
    }

    @Override
    public List<String> strangers() {
        try {
            return groups.strangers();
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot list the tables", e);
        }
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        try {
            return OracleLoad.start(connections, groups, key, variant.indexes());
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot create the tables of the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        Entry kept = groups.kept(key)
                .orElseThrow(() -> new TargetException(
                        "the data set '" + key.label() + "' is not loaded into Oracle; load it first"));
        try {
            return store(key.fingerprint(), runId, (connection, tables) -> {
                tables.copyFrom(groups.tables(kept.name()), connection);
                requireWhole(kept, tables.events(connection));
                tables.complete(connection, variant.indexes(), step -> {});
            });
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot copy the data set '" + key.label() + "'", e);
        }
    }

    private static void requireWhole(Entry kept, long events) {
        if (events != kept.events()) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in the tables " + kept.name()
                    + "_... is damaged: of " + kept.events() + " events " + events
                    + " are left (-Dreload=true loads it anew)");
        }
    }

    @Override
    public Store emptyStore(String runId) {
        try {
            return store(NO_DATASET, runId, (connection, tables) -> {});
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot create the tables of the run", e);
        }
    }

    /** New tables, which are dropped again if they cannot be filled. */
    private Store store(String fingerprint, String runId, Filling filling) throws SQLException {
        Claim claim = groups.create(Purpose.RUN, fingerprint, "run " + runId);
        TableGroup tables = groups.tables(claim.name());
        try (Connection connection = connections.open()) {
            filling.fill(connection, tables);
        } catch (SQLException | TargetException e) {
            claim.giveUp(e);
            throw e;
        }
        return new OracleStore(connections, groups, claim, variant);
    }

    /** Fills new tables. */
    @FunctionalInterface
    private interface Filling {
        void fill(Connection connection, TableGroup tables) throws SQLException;
    }

    @Override
    public void close() {
        groups.close();
    }

    private static void requireVersion(String version) {
        if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
            throw new TargetException("the server is Oracle " + version + "; version 19 or newer is needed, which tells"
                    + " whether it followed a hint");
        }
    }

    private static void requireCharacterSet(String characterSet) {
        if (!characterSet.equals(CHARACTER_SET)) {
            throw new TargetException("the database has the character set " + characterSet + ", but events hold any"
                    + " Unicode; use a (pluggable) database with " + CHARACTER_SET);
        }
    }

    private static void requireRight(String user, long createTable) {
        if (createTable == 0) {
            throw new TargetException("the user " + user + " may not create tables, but data sets are loaded into its"
                    + " own schema; let an administrator run: GRANT CREATE TABLE TO " + user);
        }
    }
}
