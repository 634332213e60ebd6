package siemload.target.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetException;
import siemload.target.TargetOptions;
import siemload.target.Variant;

/** A PostgreSQL server. Holds no connection of its own: each call opens one. */
final class PostgresqlTarget implements Target {
    private static final int OLDEST_VERSION = 140_000;
    /** Beside the sessions: one that guards the copy, and two for loading or looking after databases. */
    private static final int OWN_CONNECTIONS = 3;
    /** How many workers share a search with the hint {@code full-scan-parallel} where the server would take fewer. */
    private static final int FEWEST_WORKERS = 2;

    private final Connections connections;
    private final Databases databases;
    private final Variant variant;
    private final PlannerGuide guide;
    private final RunParameters parameters;
    private final String version;
    private Optional<String> runDatabase = Optional.empty();

    private PostgresqlTarget(
            Connections connections,
            Databases databases,
            Variant variant,
            PlannerGuide guide,
            RunParameters parameters,
            String version) {
        this.connections = connections;
        this.databases = databases;
        this.variant = variant;
        this.guide = guide;
        this.parameters = parameters;
        this.version = version;
    }

    static PostgresqlTarget connect(Connections connections, TargetOptions options) {
        String where = connections.where();
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement();
                ResultSet about = statement.executeQuery(
                        SqlTemplate.read("server/about.sql").sql())) {
            about.next();
            requireVersion(about, where);
            requireRight(about, where);
            requireConnections(about, where, options.sessions());
            // Some builds put their origin behind the version: "16.4 (Debian 16.4-1)".
            String version = about.getString("version").split(" ", 2)[0];
            Databases databases = new Databases(connections, about.getInt("version_number"));
            int workers = Math.max(FEWEST_WORKERS, about.getInt("workers"));
            Variant variant = options.variant();
            PlannerGuide guide = new PlannerGuide(variant.hint(), workers);
            RunParameters parameters = new RunParameters(options.parameters());
            parameters.check(connection);
            return new PostgresqlTarget(connections, databases, variant, guide, parameters, version);
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot connect to PostgreSQL at " + where, e);
        }
    }

    @Override
    public String version() {
        return version;
    }

    /** As they hold in the run's own database, where there is one. */
    @Override
    public SortedMap<String, String> settings() {
        SortedMap<String, String> settings = new TreeMap<>();
        Optional<String> own = runDatabase.filter(databases::exists);
        try (Connection connection = own.isPresent() ? connections.open(own.orElseThrow()) : connections.open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        SqlTemplate.read("server/settings.sql").sql())) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        } catch (SQLException e) {
            throw SqlErrors.outsideRun("cannot read the settings of PostgreSQL at " + connections.where(), e);
        }
        return settings;
    }

    @Override
    public boolean holds(DatasetKey key) {
        return databases.exists(Databases.kept(key.fingerprint()));
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return PostgresqlLoad.start(connections, databases, key, variant);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        if (!holds(key)) {
            throw new TargetException("the data set '" + key.label() + "' is not loaded into PostgreSQL at "
                    + connections.where() + "; load it first");
        }
        return store(runId, databases.copy(key.fingerprint(), runId));
    }

    @Override
    public Store emptyStore(String runId) {
        Store store = store(runId, databases.createForRun(runId));
        Layout layout = Layout.of(variant.layout());
        try (Connection connection = connections.open(Databases.run(runId));
                Statement statement = connection.createStatement()) {
            for (String table : layout.tables()) {
                statement.execute(layout.table(table).sql());
            }
            return store;
        } catch (SQLException e) {
            store.close();
            throw SqlErrors.outsideRun("cannot create the tables of the run", e);
        }
    }

    private Store store(String runId, Connection guard) {
        String database = Databases.run(runId);
        Store store = new PostgresqlStore(connections, databases, database, variant, guide, guard);
        try {
            parameters.setFor(database, guard);
        } catch (SQLException e) {
            store.close();
            throw SqlErrors.outsideRun("cannot set the parameters of the database " + database, e);
        }
        runDatabase = Optional.of(database);
        return store;
    }

    @Override
    public void close() {}

    private static void requireVersion(ResultSet about, String where) throws SQLException {
        if (about.getInt("version_number") < OLDEST_VERSION) {
            throw new TargetException("PostgreSQL at " + where + " is version " + about.getString("version")
                    + "; version 14 or newer is needed, for its multiranges");
        }
    }

    private static void requireRight(ResultSet about, String where) throws SQLException {
        if (!about.getBoolean("may_create_databases")) {
            String user = about.getString("user_name");
            throw new TargetException("the user " + user + " may not create databases on PostgreSQL at " + where
                    + ", but every run works on a copy of its own; let an administrator run: ALTER ROLE \"" + user
                    + "\" CREATEDB");
        }
    }

    private static void requireConnections(ResultSet about, String where, int sessions) throws SQLException {
        int free = about.getInt("connections") - about.getInt("taken");
        int needed = sessions + OWN_CONNECTIONS;
        if (free < needed) {
            throw new TargetException(
                    "PostgreSQL at " + where + " has " + free + " free connections, but this run needs " + needed
                            + "; raise its max_connections, or lower the number of workers");
        }
    }
}
