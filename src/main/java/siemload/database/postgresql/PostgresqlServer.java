package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.Pause;
import siemload.database.Replica;
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
import siemload.database.postgresql.EventDatabase.OwnDatabases;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.registry.Registry;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Task;
import siemload.database.sql.SqlServerUse;
import siemload.database.sql.SqlStatement;

/**
 * A PostgreSQL server. In databases of their own lie data sets, {@code siemload_data_<fingerprint>_<random>}, and runs,
 * {@code siemload_run_<run id>_<random>}. But for the registry's, each call opens a connection of its own.
 */
class PostgresqlServer extends ServerTarget {
    private static final int OLDEST_VERSION = 140_000;
    /** Beside the sessions: one for the registry, one that guards the copy, and three for counters and databases. */
    private static final int OWN_CONNECTIONS = 5;
    /** How many workers share a search with the hint {@code full-scan-parallel} where the server would take fewer. */
    private static final int FEWEST_WORKERS = 2;

    final PostgresqlConnections connections;
    final Layout layout;
    final PlannerGuide guide;
    private final Variant variant;
    private final PostgresqlRunParameters parameters;
    private final About about;
    private final OwnDatabases databases;
    private Optional<String> runDatabase = Optional.empty();

    PostgresqlServer(PostgresqlConnections connections, TargetOptions options, About about) {
        this.connections = connections;
        this.variant = options.variant();
        this.layout = Layout.of(variant);
        this.guide = new PlannerGuide(variant.hint(), about.workers);
        this.parameters = new PostgresqlRunParameters(options.parameters());
        this.about = about;
        this.databases = new OwnDatabases(connections, about.user);
    }

    static PostgresqlServer connect(PostgresqlConnections given, TargetOptions options) {
        PostgresqlConnections connections = given.choosingByServer().inServerTimeZone();
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, connection -> {
            About about = About.of(connection, connections, options.sessions());
            if (about.standby) {
                throw new TargetException("PostgreSQL at " + where + " leads to a standby, " + about.server
                        + ", where nothing can be loaded (give the url of the primary, or targetServerType=primary in it;"
                        + " -DreadUrls names standbys that answer searches)");
            }
            if (!about.createsDatabases) {
                throw new TargetException("the user " + about.userName + " may not create databases on PostgreSQL at "
                        + where + ", but every run works on a copy of its own; let an administrator run: ALTER ROLE \""
                        + about.userName + "\" CREATEDB");
            }
            PostgresqlServer server = new PostgresqlServer(connections, options, about);
            server.parameters.check(connection);
            return server;
        });
    }

    /**
     * What a server tells of itself and of a session.
     *
     * @param user the number of the user who is logged in
     * @param workers how many share a search where a hint asks for several
     */
    record About(
            int versionNumber,
            String version,
            Transport transport,
            String server,
            String timeZone,
            boolean standby,
            long user,
            String userName,
            boolean createsDatabases,
            int workers) {

        /** Asks a server that a run can work with so many sessions. @throws TargetException if it cannot */
        static About of(Connection connection, PostgresqlConnections connections, int sessions) throws SQLException {
            return SQL.read("about").row(connection, row -> {
                String place = "PostgreSQL at " + connections.where();
                // Some builds put their origin behind the version: "16.4 (Debian 16.4-1)".
                String version = row.getString("version").split(" ", 2)[0];
                if (row.getInt("version_number") < OLDEST_VERSION) {
                    throw new TargetException(place + " is version " + row.getString("version")
                            + "; version 14 or newer is needed, for its multiranges");
                }
                int free = row.getInt("connections") - row.getInt("taken");
                if (free < sessions + OWN_CONNECTIONS) {
                    throw new TargetException(place + " has " + free + " free connections, but this run needs "
                            + (sessions + OWN_CONNECTIONS)
                            + "; raise its max_connections, or lower the number of workers (-Dworkers)");
                }
                return new About(
                        row.getInt("version_number"),
                        version,
                        connections.transport(row.getString("tls_version"), row.getString("tls_cipher")),
                        row.getString("server"),
                        row.getString("time_zone")
                                + (connections.timeZone().isEmpty()
                                        ? ", of the load generator, since the server's could not be learned"
                                        : ""),
                        row.getBoolean("standby"),
                        row.getLong("user_number"),
                        row.getString("user_name"),
                        row.getBoolean("may_create_databases"),
                        Math.max(FEWEST_WORKERS, row.getInt("workers")));
            });
        }
    }

    @Override
    protected String place() {
        return "PostgreSQL at " + connections.where();
    }

    @Override
    public String version() {
        return about.version;
    }

    @Override
    public Target.Sessions sessions() {
        return new Target.Sessions(about.server + (about.standby ? ", a standby" : ""), about.timeZone);
    }

    @Override
    public Transport transport() {
        return about.transport;
    }

    /** As they hold in the run's own database, where there is one. */
    @Override
    public SortedMap<String, String> settings() {
        return runDatabase
                .filter(run -> databases.find(run).isPresent())
                .map(connections::quick)
                .orElseGet(connections::quick)
                .get("read the settings of " + place(), parameters::settings);
    }

    /** Takes about a second. */
    @Override
    public Optional<ServerUse> use() {
        return Optional.of(connections
                .quick()
                .get(
                        "see who uses " + place(),
                        open -> new SqlServerUse(PostgresqlErrors.INSTANCE, open, SQL::read, Map.of()).of(makes())));
    }

    /** What a run makes there, for people. */
    List<String> makes() {
        return List.of(
                "a database siemload_data_... for the data set, kept for later runs",
                "a database siemload_run_..., a copy of it, dropped at the end",
                "a database " + databases.registry() + " that lists what it has made, 8 MB, kept");
    }

    @Override
    protected Registry.Server home() {
        return databases;
    }

    @Override
    protected EventTables tables(String name) {
        return new EventDatabase(connections, about.versionNumber, name, layout, variant.indexes());
    }

    @Override
    public Replica connectReplica(ServerAddress address, int sessions) {
        PostgresqlConnections own = connections.at(address);
        Identity followed = connections.quick().get("ask " + place() + " which cluster it belongs to", Identity::of);
        return own.quick().get("connect to PostgreSQL at " + own.where(), connection -> {
            About unused = About.of(connection, own, sessions);
            Identity replica = Identity.of(connection);
            if (!replica.cluster.equals(followed.cluster)) {
                throw new TargetException("PostgreSQL at " + own.where() + " is no replica of " + connections.where()
                        + ": it is of another cluster (system identifier " + replica.cluster + ", not "
                        + followed.cluster + ")");
            }
            if (!replica.follows) {
                throw new TargetException("PostgreSQL at " + own.where()
                        + " is no replica: it takes writes itself (leave it out, or give the url of a standby)");
            }
            return new PostgresqlReplica(own, replica.cluster);
        });
    }

    @Override
    protected Store openStore(RunCopy copy) {
        Store store = openStore(copy, connections);
        runDatabase = Optional.of(copy.name());
        return store;
    }

    /** A standby takes no writes; what the run asks of its own database is replicated to it. */
    private Store openStore(RunCopy copy, PostgresqlConnections there) {
        boolean shared = copy.kind() == StoreKind.DATA_SET;
        PostgresqlConnections own = shared ? there.reading(parameters.ofConnections()) : there;
        Task prepare = connection -> {
            if (shared) {
                requireReadOnly(connection, copy.name());
            } else if (!copy.isJoined()) {
                parameters.setFor(copy.name(), connection);
            }
        };
        return PostgresqlErrors.INSTANCE.attempt(
                "open the database " + copy.name() + " at " + own.where(),
                () -> new PostgresqlStore.OfRun(
                        own,
                        copy,
                        layout,
                        guide,
                        own.maintenance(copy.name()).opening().then(prepare).open()));
    }

    private static void requireReadOnly(Connection connection, String database) throws SQLException {
        if (!SQL.read("read-only").row(connection, row -> row.getBoolean(1))) {
            throw new TargetException("nothing keeps this run from writing to the database " + database);
        }
    }

    @Override
    protected void disconnect() {
        databases.close();
    }

    /**
     * Of a server in a cluster.
     *
     * @param follows whether it is a standby
     */
    private record Identity(String cluster, boolean follows) {
        static Identity of(Connection connection) throws SQLException {
            return SQL.read("replica-identity")
                    .row(connection, row -> new Identity(row.getString("cluster"), row.getBoolean("follows")));
        }
    }

    /** What is asked how far logs have come, from its first use on. A reading is worth nothing when it comes late. */
    private static RunConnection asked(PostgresqlConnections server) {
        Duration timeout = Duration.ofSeconds(5);
        return new RunConnection(server.within(timeout).opening(), PostgresqlErrors.INSTANCE, timeout);
    }

    private static long number(RunConnection server, String file) {
        String question = SQL.read(file).sql();
        return server.answer(open -> SqlStatement.row(server.statement(question), row -> row.getLong(1)));
    }

    /** A hot standby of a PostgreSQL server. It has a connection to each of both for how far they are, and others for all else. */
    private final class PostgresqlReplica implements Replica {
        private static final double MEGABYTE = 1 << 20;
        private static final long BETWEEN_LOOKS_MILLIS = 50;

        private final PostgresqlConnections own;
        private final String cluster;
        private final RunConnection primary;
        private final RunConnection standby;

        /**
         * Over a server that is a standby.
         *
         * @param own leads to it
         * @param cluster what both are of
         */
        PostgresqlReplica(PostgresqlConnections own, String cluster) {
            this.own = own;
            this.cluster = cluster;
            this.standby = asked(own);
            this.primary = asked(connections);
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
                    name, database -> new EventDatabase(own, about.versionNumber, database, layout, variant.indexes()));
            try {
                return openStore(copy, own);
            } catch (TargetException e) {
                copy.close();
                throw e;
            }
        }

        @Override
        public void awaitCaughtUp(Duration atMost) {
            long deadline = System.nanoTime() + atMost.toNanos();
            try {
                long end = mark();
                for (long there = replayed(); there < end; there = replayed()) {
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
                SQL.read("log-mark-local").execute(connection);
                String unused = SQL.read("log-mark").row(connection, row -> row.getString(1));
                connection.commit();
                return SQL.read("log-flushed").number(connection);
            });
        }

        @Override
        public long written() {
            return number(primary, "log-written");
        }

        @Override
        public long replayed() {
            return number(standby, "log-replayed");
        }

        @Override
        public void close() {
            primary.close();
            standby.close();
        }
    }
}
