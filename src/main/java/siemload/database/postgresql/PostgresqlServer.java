package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import siemload.database.Replica;
import siemload.database.Replication;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.DatabaseServer;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;
import siemload.database.sql.SqlAccess.Task;
import siemload.database.sql.SqlRegistry;

/**
 * A PostgreSQL server. In databases of their own lie data sets, {@code siemload_data_<fingerprint>_<random>}, and runs,
 * {@code siemload_run_<run id>_<random>}. But for the registry's, each call opens a connection of its own.
 */
final class PostgresqlServer implements DatabaseServer {
    private static final int OLDEST_VERSION = 140_000;
    /** Beside the sessions: one for the registry, one that guards the copy, and three for counters and databases. */
    private static final int OWN_CONNECTIONS = 5;
    /** How many workers share a search with the hint {@code full-scan-parallel} where the server would take fewer. */
    private static final int FEWEST_WORKERS = 2;

    private static final int LONGEST_NAME = 63;

    private final PostgresqlConnections connections;
    private final Variant variant;
    private final Layout layout;
    private final PlannerGuide guide;
    private final PostgresqlRunParameters parameters;
    private final int versionNumber;
    private final String version;
    private final Transport transport;
    private final Target.Sessions sessions;
    private final RegistryDatabase registryDatabase;
    private final SqlRegistry registry;
    private final RegisteredDatabases objects;
    private Optional<RunDatabase> runDatabase = Optional.empty();

    /** The database of the run, and how it is connected to. */
    private record RunDatabase(String name, PostgresqlConnections connections) {}

    private PostgresqlServer(PostgresqlConnections connections, TargetOptions options, ResultSet about)
            throws SQLException {
        this.connections = connections;
        this.variant = options.variant();
        this.layout = Layout.of(variant);
        this.guide = new PlannerGuide(variant.hint(), workers(about));
        this.parameters = new PostgresqlRunParameters(options.parameters());
        this.versionNumber = about.getInt("version_number");
        // Some builds put their origin behind the version: "16.4 (Debian 16.4-1)".
        this.version = about.getString("version").split(" ", 2)[0];
        this.transport = connections.transport(about.getString("tls_version"), about.getString("tls_cipher"));
        this.sessions = sessions(about, connections);
        this.registryDatabase = new RegistryDatabase(connections, about.getLong("user_number"));
        this.registry = registryDatabase.registry();
        this.objects = new RegisteredDatabases(connections);
    }

    /** How many workers share a search where a hint asks for several. */
    static int workers(ResultSet about) throws SQLException {
        return Math.max(FEWEST_WORKERS, about.getInt("workers"));
    }

    static PostgresqlServer connect(PostgresqlConnections given, TargetOptions options) {
        PostgresqlConnections connections = given.choosingByServer().inServerTimeZone();
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, connection -> {
            PostgresqlServer server = FILES.read("server/about.sql").row(connection, about -> {
                requireVersion(about, where);
                requirePrimary(about, where);
                requireRight(about, where);
                requireConnections(about, where, options.sessions());
                return new PostgresqlServer(connections, options, about);
            });
            server.parameters.check(connection);
            return server;
        });
    }

    @Override
    public String place() {
        return "PostgreSQL at " + connections.where();
    }

    @Override
    public String version() {
        return version;
    }

    /** What the session that was asked tells of itself. */
    static Target.Sessions sessions(ResultSet about, PostgresqlConnections connections) throws SQLException {
        return new Target.Sessions(
                about.getString("server") + (about.getBoolean("standby") ? ", a standby" : ""),
                about.getString("time_zone")
                        + (connections.timeZone().isEmpty()
                                ? ", of the load generator, since the server's could not be learned"
                                : ""));
    }

    @Override
    public Target.Sessions sessions() {
        return sessions;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    /** As they hold in the run's own database, where there is one. */
    @Override
    public SortedMap<String, String> settings() {
        return runDatabase
                .filter(run -> objects.find(run.name).isPresent())
                .map(run -> run.connections.quick(run.name))
                .orElseGet(connections::quick)
                .get("read the settings of " + place(), parameters::settings);
    }

    @Override
    public ServerUse use() {
        return PostgresqlServerUse.at(connections, registryDatabase.name());
    }

    @Override
    public Optional<Replication> openReplication() {
        return Optional.of(PostgresqlReplication.open(connections));
    }

    @Override
    public RegistryStorage registry() {
        return registry;
    }

    @Override
    public ServerObjects objects() {
        return objects;
    }

    @Override
    public String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId, LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    public EventTables tables(String name) {
        return new EventDatabase(connections, versionNumber, name, layout, variant.indexes());
    }

    /** Databases, with their owners. */
    @Override
    public List<String> strangers(Set<String> ours) {
        List<Map.Entry<String, String>> all = connections
                .quick()
                .rows(
                        "list the databases",
                        FILES.read("server/strangers.sql"),
                        row -> Map.entry(row.getString(1), row.getString(2)));
        return all.stream()
                .filter(database ->
                        !ours.contains(database.getKey()) && !database.getKey().equals(registryDatabase.name()))
                .map(database -> "database " + database.getKey() + " of " + database.getValue())
                .toList();
    }

    @Override
    public Replica connectReplica(ServerAddress address, int sessions, Registry registry) {
        PostgresqlConnections replica = connections.at(address);
        String cluster = PostgresqlReplica.require(connections, replica, sessions);
        return new PostgresqlReplica(
                registry,
                connections,
                replica,
                cluster,
                name -> new EventDatabase(replica, versionNumber, name, layout, variant.indexes()),
                copy -> openStore(copy, replica));
    }

    /** A standby takes no writes; what the run asks of its own database is replicated to it. */
    private Store openStore(RunCopy copy, PostgresqlConnections replica) {
        PostgresqlConnections own =
                copy.kind() == StoreKind.DATA_SET ? replica.reading(parameters.ofConnections()) : replica;
        return PostgresqlErrors.INSTANCE.attempt(
                "open the database " + copy.name() + " on the replica " + replica.where(),
                () -> new PostgresqlStore(
                        own,
                        copy,
                        layout,
                        guide,
                        own.maintenance(copy.name()).opening().open()));
    }

    @Override
    public Store openStore(RunCopy copy) {
        return PostgresqlErrors.INSTANCE.attempt("prepare the database " + copy.name(), () -> {
            boolean shared = copy.kind() == StoreKind.DATA_SET;
            PostgresqlConnections own = shared ? connections.reading(parameters.ofConnections()) : connections;
            Task prepare = connection -> {
                if (shared) {
                    requireReadOnly(connection, copy.name());
                } else if (!copy.isJoined()) {
                    parameters.setFor(copy.name(), connection);
                }
            };
            Connection guard =
                    own.maintenance(copy.name()).opening().then(prepare).open();
            runDatabase = Optional.of(new RunDatabase(copy.name(), own));
            return new PostgresqlStore(own, copy, layout, guide, guard);
        });
    }

    private static void requireReadOnly(Connection connection, String database) throws SQLException {
        if (!FILES.read("server/read-only.sql").row(connection, row -> row.getBoolean(1))) {
            throw new TargetException("nothing keeps this run from writing to the database " + database);
        }
    }

    @Override
    public void close() {
        registry.close();
    }

    static void requireVersion(ResultSet about, String where) throws SQLException {
        if (about.getInt("version_number") < OLDEST_VERSION) {
            throw new TargetException("PostgreSQL at " + where + " is version " + about.getString("version")
                    + "; version 14 or newer is needed, for its multiranges");
        }
    }

    private static void requirePrimary(ResultSet about, String where) throws SQLException {
        if (about.getBoolean("standby")) {
            throw new TargetException("PostgreSQL at " + where + " leads to a standby, " + about.getString("server")
                    + ", where nothing can be loaded (give the url of the primary, or targetServerType=primary in it;"
                    + " -DreadUrls names standbys that answer searches)");
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

    static void requireConnections(ResultSet about, String where, int sessions) throws SQLException {
        int free = about.getInt("connections") - about.getInt("taken");
        int needed = sessions + OWN_CONNECTIONS;
        if (free < needed) {
            throw new TargetException(
                    "PostgreSQL at " + where + " has " + free + " free connections, but this run needs " + needed
                            + "; raise its max_connections, or lower the number of workers (-Dworkers)");
        }
    }
}
