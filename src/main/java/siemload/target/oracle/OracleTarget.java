package siemload.target.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetException;
import siemload.target.TargetOptions;
import siemload.target.Variant;

/** An Oracle server. Holds no connection of its own: each call opens one. */
final class OracleTarget implements Target {
    private static final int OLDEST_VERSION = 19;
    /** Stands in the names of tables that no data set is copied into. */
    private static final String NO_DATASET = "0000000000000000";

    private static final String CHARACTER_SET = "AL32UTF8";

    private final Connections connections;
    private final Registry registry;
    private final Variant variant;
    private final String version;

    private OracleTarget(Connections connections, Registry registry, Variant variant, String version) {
        this.connections = connections;
        this.registry = registry;
        this.variant = variant;
        this.version = version;
    }

    static OracleTarget connect(Connections connections, Tablespaces tablespaces, TargetOptions options) {
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement();
                ResultSet about = statement.executeQuery(
                        TableGroup.FILES.read("server/about.sql").sql())) {
            about.next();
            requireVersion(about.getString(1));
            requireCharacterSet(about.getString(3));
            requireRight(about.getString(2), about.getLong(4));
            connections.checkParameters();
            Registry registry = new Registry(connections, tablespaces);
            return new OracleTarget(connections, registry, options.variant(), about.getString(1));
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot connect to Oracle", e);
        }
    }

    @Override
    public String version() {
        return version;
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
            if (!SqlErrors.isMissingTable(e)) {
                throw SqlErrors.outsideRun("cannot read the settings of Oracle", e);
            }
            settings.put("v$parameter", "not visible to this user (GRANT SELECT ON v_$parameter)");
        }
        settings.putAll(connections.parameters());
        return settings;
    }

    @Override
    public boolean holds(DatasetKey key) {
        try {
            return registry.kept(key.fingerprint()).isPresent();
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot look for the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        try {
            return OracleLoad.start(connections, registry, key, variant.indexes());
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot create the tables of the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        try {
            TableGroup kept = registry.kept(key.fingerprint())
                    .orElseThrow(() -> new TargetException(
                            "the data set '" + key.label() + "' is not loaded into Oracle; load it first"));
            return store(key.fingerprint(), runId, (connection, tables) -> {
                tables.copyFrom(kept, connection);
                tables.complete(connection, variant.indexes(), step -> {});
            });
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot copy the data set '" + key.label() + "'", e);
        }
    }

    @Override
    public Store emptyStore(String runId) {
        try {
            return store(NO_DATASET, runId, (connection, tables) -> {});
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot create the tables of the run", e);
        }
    }

    /** New tables, which are dropped again if they cannot be filled. */
    private Store store(String fingerprint, String runId, Filling filling) throws SQLException {
        Registry.Claim claim = registry.claim("run", fingerprint, runId);
        try (Connection connection = connections.open()) {
            claim.tables().create(connection);
            filling.fill(connection, claim.tables());
        } catch (SQLException e) {
            registry.drop(claim);
            throw e;
        }
        return new OracleStore(connections, registry, claim, variant);
    }

    /** Fills new tables. */
    @FunctionalInterface
    private interface Filling {
        void fill(Connection connection, TableGroup tables) throws SQLException;
    }

    @Override
    public void close() {}

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
