package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.load.PostgresqlLoad;
import siemload.database.postgresql.load.TableContents;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Work;

/** A PostgreSQL server. But for the registry's, each call opens a connection of its own. */
final class PostgresqlTarget implements Target {
    private static final int OLDEST_VERSION = 140_000;
    /** Beside the sessions: one for the registry, one that guards the copy, and two for looking after databases. */
    private static final int OWN_CONNECTIONS = 4;
    /** How many workers share a search with the hint {@code full-scan-parallel} where the server would take fewer. */
    private static final int FEWEST_WORKERS = 2;

    private final PostgresqlConnections connections;
    private final Databases databases;
    private final Variant variant;
    private final PlannerGuide guide;
    private final PostgresqlRunParameters parameters;
    private final String version;
    private final Transport transport;
    private Optional<String> runDatabase = Optional.empty();

    private PostgresqlTarget(PostgresqlConnections connections, TargetOptions options, ResultSet about)
            throws SQLException {
        this.connections = connections;
        this.databases = new Databases(connections, about.getInt("version_number"), about.getLong("user_number"));
        this.variant = options.variant();
        this.guide = new PlannerGuide(variant.hint(), Math.max(FEWEST_WORKERS, about.getInt("workers")));
        this.parameters = new PostgresqlRunParameters(options.parameters());
        // Some builds put their origin behind the version: "16.4 (Debian 16.4-1)".
        this.version = about.getString("version").split(" ", 2)[0];
        this.transport = connections.transport(about.getString("tls_version"), about.getString("tls_cipher"));
    }

    static PostgresqlTarget connect(PostgresqlConnections connections, TargetOptions options) {
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, connection -> {
            PostgresqlTarget target = SqlTemplate.read("server/about.sql").row(connection, about -> {
                requireVersion(about, where);
                requireRight(about, where);
                requireConnections(about, where, options.sessions());
                return new PostgresqlTarget(connections, options, about);
            });
            target.parameters.check(connection);
            return target;
        });
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    /** As they hold in the run's own database, where there is one. */
    @Override
    public SortedMap<String, String> settings() {
        Optional<String> own = runDatabase.filter(databases::exists);
        String tried = "read the settings of PostgreSQL at " + connections.where();
        Work<SortedMap<String, String>> read =
                connection -> SqlTemplate.read("server/settings.sql").map(connection, row -> row.getString(2));
        return own.map(connections::quick).orElseGet(connections::quick).get(tried, read);
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(databases.use());
    }

    @Override
    public boolean holds(DatasetKey key) {
        return databases.kept(key).isPresent();
    }

    @Override
    public void discard(DatasetKey key) {
        databases.discard(key);
    }

    @Override
    public List<String> strangers() {
        return databases.strangers();
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        Claim claim = databases.createForLoading(key);
        return PostgresqlLoad.start(connections, claim, key, variant, contents -> databases.keep(claim, key, contents));
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        Entry kept = databases
                .kept(key)
                .orElseThrow(() -> new TargetException("the data set '" + key.label()
                        + "' is not loaded into PostgreSQL at " + connections.where() + "; load it first"));
        Claim claim = databases.copy(kept, runId);
        return store(claim, guard -> requireWhole(kept, TableContents.of(guard, layout())));
    }

    /** A disk that lost pages gives fewer events, and nobody would notice before an answer is checked. */
    private void requireWhole(Entry kept, TableContents copied) {
        if (!copied.summary().equals(kept.contents())) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in the database " + kept.name()
                    + " is damaged: it held " + kept.contents() + " when it was loaded, and now " + copied.summary()
                    + " (look for errors of the disk; -Dreload=true loads it anew)");
        }
    }

    @Override
    public Store emptyStore(String runId) {
        return store(databases.createForRun(runId), guard -> {
            for (String table : layout().tables()) {
                layout().table(table).execute(guard);
            }
        });
    }

    private Layout layout() {
        return Layout.of(variant.layout());
    }

    /** The store of a run in a database that is prepared for it, and dropped again if it cannot be. */
    private Store store(Claim claim, SqlAccess.Task preparation) {
        try {
            return PostgresqlErrors.attempt("cannot prepare the database " + claim.name(), () -> {
                Connection guard =
                        connections.maintenance(claim.name()).opening().open();
                Store store = new PostgresqlStore(connections, databases, claim, variant, guide, guard);
                try {
                    preparation.on(guard);
                    parameters.setFor(claim.name(), guard);
                    runDatabase = Optional.of(claim.name());
                    return store;
                } catch (SQLException | TargetException e) {
                    store.close();
                    throw e;
                }
            });
        } catch (TargetException e) {
            claim.release();
            throw e;
        }
    }

    @Override
    public void close() {
        databases.close();
    }

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
