package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.postgresql.util.PSQLState;
import siemload.database.Pause;
import siemload.database.Replica;
import siemload.database.Replica.ReplicaPositions;
import siemload.database.Replica.Replication;
import siemload.database.ReplicationReading;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Task;
import siemload.database.sql.SqlRegistry;
import siemload.database.sql.SqlStatement;

/**
 * A PostgreSQL server. In databases of their own lie data sets, {@code siemload_data_<fingerprint>_<random>}, and runs,
 * {@code siemload_run_<run id>_<random>}. But for the registry's, each call opens a connection of its own.
 */
final class PostgresqlServer extends ServerTarget {
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

    /** @param about what the session that was asked tells of itself */
    PostgresqlServer(PostgresqlConnections connections, TargetOptions options, ResultSet about) throws SQLException {
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
    protected String place() {
        return "PostgreSQL at " + connections.where();
    }

    @Override
    public String version() {
        return version;
    }

    private static Target.Sessions sessions(ResultSet about, PostgresqlConnections connections) throws SQLException {
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
    public Optional<ServerUse> use() {
        return Optional.of(PostgresqlServerUse.at(connections, registryDatabase.name()));
    }

    @Override
    public Optional<Replication> openReplication() {
        return Optional.of(PostgresqlReplication.open(connections));
    }

    @Override
    protected RegistryStorage storage() {
        return registry;
    }

    @Override
    protected ServerObjects objects() {
        return objects;
    }

    @Override
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId, LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    @Override
    protected EventTables tables(String name) {
        return new EventDatabase(connections, versionNumber, name, layout, variant.indexes());
    }

    /** Databases, with their owners. */
    @Override
    protected List<String> strangers(Set<String> ours) {
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
    public Replica connectReplica(ServerAddress address, int sessions) {
        PostgresqlConnections replica = connections.at(address);
        return new PostgresqlReplica(replica, PostgresqlReplica.require(connections, replica, sessions));
    }

    @Override
    protected Store openStore(RunCopy copy) {
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
            return new PostgresqlStore.OfRun(own, copy, layout, guide, guard);
        });
    }

    private static void requireReadOnly(Connection connection, String database) throws SQLException {
        if (!FILES.read("server/read-only.sql").row(connection, row -> row.getBoolean(1))) {
            throw new TargetException("nothing keeps this run from writing to the database " + database);
        }
    }

    @Override
    protected void disconnect() {
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

    /**
     * The database in which siemload keeps its registry, one for each user of a server. It is the same one whichever database
     * the url names, so that all runs meet there.
     *
     * @param user the number of the user who is logged in
     */
    private record RegistryDatabase(PostgresqlConnections connections, long user) implements SqlRegistry.Home {
        private static final String PREFIX = "siemload_registry_";
        private static final String MARK = "the registry of siemload: which databases of this server it has made";
        private static final String TABLE = "siemload_objects";
        /** Two processes may create the same table at the same instant, whatever the statement says. */
        private static final int TRIES = 2;

        String name() {
            return PREFIX + user;
        }

        SqlRegistry registry() {
            return new SqlRegistry(this, TABLE, FILES.read("server/now.sql"), PostgresqlErrors.INSTANCE);
        }

        @Override
        public Optional<Connection> find() throws SQLException {
            return found().isPresent() ? Optional.of(make()) : Optional.empty();
        }

        /** @throws TargetException if a database of its name is somebody else's */
        @Override
        public Connection make() {
            return PostgresqlErrors.INSTANCE.attempt("make the database " + name(), () -> {
                Optional<RegisteredDatabases.Found> found = found();
                if (found.isEmpty()) {
                    create();
                } else if (!found.orElseThrow().own()) {
                    throw new TargetException("the database " + name() + " belongs to "
                            + found.orElseThrow().owner()
                            + ", but siemload keeps its registry under that name; rename it");
                }
                boolean marked =
                        found.filter(there -> there.comment().equals(MARK)).isPresent();
                SqlAccess.Opening opening = connections.repeating(name());
                return (marked ? opening : opening.then(this::furnish)).open();
            });
        }

        private Optional<RegisteredDatabases.Found> found() throws SQLException {
            try (Connection connection = connections.quick().opening().open()) {
                return RegisteredDatabases.find(connection, name());
            }
        }

        /** Another process may have been faster. */
        private void create() throws SQLException {
            try (Connection connection = connections.quick().opening().open()) {
                FILES.read("server/create-database.sql", Map.of("database", name()))
                        .execute(connection);
            } catch (SQLException e) {
                if (!isTaken(e)) {
                    throw e;
                }
            }
        }

        private void furnish(Connection connection) throws SQLException {
            refuseStrangers(connection);
            createTable(connection);
            RegisteredDatabases.comment(connection, name(), MARK);
        }

        private static void createTable(Connection connection) throws SQLException {
            for (int tries = 1; ; tries++) {
                try {
                    FILES.read("server/create-registry.sql").execute(connection);
                    return;
                } catch (SQLException e) {
                    if (!isTaken(e) || tries == TRIES) {
                        throw e;
                    }
                }
            }
        }

        private static boolean isTaken(SQLException e) {
            return PostgresqlErrors.DUPLICATE_DATABASE.equals(e.getSQLState())
                    || PostgresqlErrors.DUPLICATE_TABLE.equals(e.getSQLState())
                    || PSQLState.UNIQUE_VIOLATION.getState().equals(e.getSQLState());
        }

        /** It has no mark yet, since a process was killed, or it is an administrator's of the same name. */
        private void refuseStrangers(Connection connection) throws SQLException {
            for (String stranger :
                    FILES.read("server/registry-strangers.sql").rows(connection, row -> row.getString(1))) {
                throw new TargetException("the database " + name() + " holds " + stranger
                        + ", which is not siemload's, but siemload keeps its registry under that name; rename it");
            }
        }
    }

    /** A hot standby of a PostgreSQL server. */
    private final class PostgresqlReplica implements Replica {
        private static final double MEGABYTE = 1 << 20;
        private static final long BETWEEN_LOOKS_MILLIS = 50;

        private final PostgresqlConnections own;
        private final String cluster;

        /**
         * One of which {@link #require} tells that it is a standby.
         *
         * @param own leads to it
         * @param cluster what both are of
         */
        PostgresqlReplica(PostgresqlConnections own, String cluster) {
            this.own = own;
            this.cluster = cluster;
        }

        /** @param follows whether it is a standby */
        private record Identity(String cluster, boolean follows) {
            static Identity of(PostgresqlConnections server) {
                return server.quick()
                        .get(
                                "ask PostgreSQL at " + server.where() + " which cluster it belongs to",
                                connection -> FILES.read("server/replica-identity.sql")
                                        .row(
                                                connection,
                                                row -> new Identity(
                                                        row.getString("cluster"), row.getBoolean("follows"))));
            }
        }

        /**
         * Makes sure that it is a standby of the other server, with room for a run, and tells their cluster.
         *
         * @param sessions how many connections must be free there
         * @throws TargetException if it is none, or has none
         */
        static String require(PostgresqlConnections primary, PostgresqlConnections own, int sessions) {
            own.quick()
                    .run(
                            "connect to PostgreSQL at " + own.where(),
                            connection -> FILES.read("server/about.sql").row(connection, about -> {
                                PostgresqlServer.requireVersion(about, own.where());
                                PostgresqlServer.requireConnections(about, own.where(), sessions);
                                return true;
                            }));
            Identity replica = Identity.of(own);
            Identity followed = Identity.of(primary);
            if (followed.follows()) {
                throw new TargetException("PostgreSQL at " + primary.where()
                        + " is a standby itself, so that nothing can be loaded there (give the url of the primary)");
            }
            if (!replica.cluster().equals(followed.cluster())) {
                throw new TargetException("PostgreSQL at " + own.where() + " is no replica of " + primary.where()
                        + ": it is of another cluster (system identifier " + replica.cluster() + ", not "
                        + followed.cluster() + ")");
            }
            if (!replica.follows()) {
                throw new TargetException("PostgreSQL at " + own.where()
                        + " is no replica: it takes writes itself (leave it out, or give the url of a standby)");
            }
            return replica.cluster();
        }

        @Override
        public String place() {
            return "PostgreSQL at " + own.where();
        }

        @Override
        public String about() {
            return "standby of the cluster " + cluster;
        }

        @Override
        public Store open(String name) {
            RunCopy copy = RunCopy.joined(
                    name,
                    database -> new EventDatabase(own, versionNumber, database, layout, variant.indexes()),
                    registry());
            try {
                return store(copy);
            } catch (TargetException e) {
                copy.close();
                throw e;
            }
        }

        /** A standby takes no writes; what the run asks of its own database is replicated to it. */
        private Store store(RunCopy copy) {
            PostgresqlConnections reading =
                    copy.kind() == StoreKind.DATA_SET ? own.reading(parameters.ofConnections()) : own;
            return PostgresqlErrors.INSTANCE.attempt(
                    "open the database " + copy.name() + " on the replica " + own.where(),
                    () -> new PostgresqlStore.OfRun(
                            reading,
                            copy,
                            layout,
                            guide,
                            reading.maintenance(copy.name()).opening().open()));
        }

        @Override
        public void awaitCaughtUp(Duration atMost) {
            long deadline = System.nanoTime() + atMost.toNanos();
            try (ReplicaPositions positions = openPositions()) {
                long end = mark();
                for (long there = positions.replayed(); there < end; there = positions.replayed()) {
                    if (System.nanoTime() - deadline >= 0) {
                        throw new TargetException(String.format(
                                Locale.ROOT,
                                "%s does not catch up with %s: after %d s it lacks %.1f MB of the log (look whether it"
                                        + " replays: pg_is_wal_replay_paused(), pg_stat_wal_receiver)",
                                place(),
                                connections.where(),
                                atMost.toSeconds(),
                                (end - there) / MEGABYTE));
                    }
                    Pause.millis(BETWEEN_LOOKS_MILLIS, "the wait for a replica");
                }
            } catch (SearchException silent) {
                throw new TargetException(
                        "cannot see how far " + place() + " has come: " + silent.getMessage(), silent);
            }
        }

        /** Where the log on the primary's disk ends that has all which the primary has acknowledged, whether or not more is written. */
        private long mark() {
            return connections.quick().get("mark the log of PostgreSQL at " + connections.where(), connection -> {
                connection.setAutoCommit(false);
                FILES.read("server/log-mark-local.sql").execute(connection);
                String unused = FILES.read("server/log-mark.sql").row(connection, row -> row.getString(1));
                connection.commit();
                return FILES.read("server/log-flushed.sql").number(connection);
            });
        }

        @Override
        public ReplicaPositions openPositions() {
            return PostgresqlReplicaPositions.open(connections, own);
        }

        /** Each piece of work has a connection of its own. */
        @Override
        public void close() {}

        /** Where the log of PostgreSQL ends, and how far a standby has replayed it, over a connection to each. */
        private record PostgresqlReplicaPositions(RunConnection primary, RunConnection standby)
                implements ReplicaPositions {
            private static final String WRITTEN =
                    FILES.read("server/log-written.sql").sql();
            private static final String REPLAYED =
                    FILES.read("server/log-replayed.sql").sql();
            /** A reading is worth nothing when it comes late. */
            private static final Duration TIMEOUT = Duration.ofSeconds(5);

            /** @throws TargetException if either refuses */
            static PostgresqlReplicaPositions open(PostgresqlConnections primary, PostgresqlConnections standby) {
                RunConnection written = opened(primary);
                try {
                    return new PostgresqlReplicaPositions(written, opened(standby));
                } catch (TargetException refused) {
                    written.close();
                    throw refused;
                }
            }

            private static RunConnection opened(PostgresqlConnections server) {
                RunConnection connection =
                        new RunConnection(server.within(TIMEOUT).opening(), PostgresqlErrors.INSTANCE, TIMEOUT);
                return connection.connected("see how far the log of PostgreSQL at " + server.where() + " has come");
            }

            @Override
            public long written() {
                return position(primary, WRITTEN);
            }

            @Override
            public long replayed() {
                return position(standby, REPLAYED);
            }

            private static long position(RunConnection server, String question) {
                return server.answer(open -> SqlStatement.row(server.statement(question), row -> row.getLong(1)));
            }

            @Override
            public void close() {
                primary.close();
                standby.close();
            }
        }
    }

    /** How far standbys of PostgreSQL are behind: of all of them on a primary, of itself on a standby. */
    static final class PostgresqlReplication implements Replication {
        private static final String IS_STANDBY =
                FILES.read("server/is-standby.sql").sql();
        private static final String OF_PRIMARY =
                FILES.read("server/replication-of-primary.sql").sql();
        private static final String OF_STANDBY =
                FILES.read("server/replication-of-standby.sql").sql();
        /** A reading is worth nothing when it comes late. */
        private static final Duration TIMEOUT = Duration.ofSeconds(5);

        private final RunConnection connection;
        private final LogPositions positions = new LogPositions();

        private PostgresqlReplication(RunConnection connection) {
            this.connection = connection;
        }

        static PostgresqlReplication open(PostgresqlConnections connections) {
            RunConnection connection =
                    new RunConnection(connections.within(TIMEOUT).opening(), PostgresqlErrors.INSTANCE, TIMEOUT);
            return new PostgresqlReplication(
                    connection.connected("see how far standbys of " + connections.where() + " are behind"));
        }

        @Override
        public ReplicationReading read() {
            return connection.answer(open -> {
                boolean standby = SqlStatement.row(connection.statement(IS_STANDBY), row -> row.getBoolean(1));
                return standby
                        ? SqlStatement.row(connection.statement(OF_STANDBY), PostgresqlReplication::ofStandby)
                        : SqlStatement.row(connection.statement(OF_PRIMARY), this::ofPrimary);
            });
        }

        private static ReplicationReading ofStandby(ResultSet row) throws SQLException {
            return row.getLong("receivers") == 0
                    ? ReplicationReading.untold("this standby receives nothing from its primary")
                    : ReplicationReading.of(1, seconds(row.getDouble("seconds")));
        }

        private ReplicationReading ofPrimary(ResultSet row) throws SQLException {
            long connected = row.getLong("connected");
            int standbys = row.getInt("standbys");
            if (connected == 0) {
                return ReplicationReading.untold("no standby is connected");
            }
            if (row.getLong("visible") == 0) {
                return ReplicationReading.untold(
                        "this user may not see how far standbys are behind (GRANT pg_read_all_stats TO this user)");
            }
            if (standbys == 0) {
                return ReplicationReading.untold(
                        "no standby is connected that replays the log (" + connected + " only take it)");
            }
            Duration counted = seconds(row.getDouble("counted_seconds"));
            Duration seen = positions.lag(System.nanoTime(), row.getLong("written"), row.getLong("replayed"));
            return ReplicationReading.of(standbys, counted.compareTo(seen) > 0 ? counted : seen);
        }

        private static Duration seconds(double seconds) {
            return Duration.ofNanos(Math.round(seconds * 1e9));
        }

        @Override
        public void close() {
            connection.close();
        }

        /**
         * How far behind somebody is who follows a log, by how long ago its end was first seen beyond where he is. Precise to the time between
         * two looks, and never too much. Used by one thread.
         */
        static final class LogPositions {
            /** In the order of time and of the log; all of them beyond where he was last. */
            private final Deque<Seen> ahead = new ArrayDeque<>();

            /** Where the log ended at an instant. */
            private record Seen(long nanos, long end) {}

            /**
             * Takes one more look.
             *
             * @param nowNanos on the monotonic clock
             * @param end of the log, in bytes
             * @param follower how far he has come
             * @return how far he is behind
             */
            Duration lag(long nowNanos, long end, long follower) {
                if (ahead.isEmpty() || end > ahead.getLast().end()) {
                    ahead.addLast(new Seen(nowNanos, end));
                }
                while (!ahead.isEmpty() && ahead.getFirst().end() <= follower) {
                    ahead.removeFirst();
                }
                return ahead.isEmpty()
                        ? Duration.ZERO
                        : Duration.ofNanos(nowNanos - ahead.getFirst().nanos());
            }
        }
    }
}
