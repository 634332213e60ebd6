package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.database.Pause;
import siemload.database.Replica;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.StoreKind;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.postgresql.PostgresqlPlugin.Rights;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.TableContents;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlErrors.Fault;
import siemload.database.sql.SqlRegistry;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlTables;
import siemload.query.Statement;
import siemload.query.Window;

/**
 * A PostgreSQL server. In databases of their own lie data sets, {@code siemload_data_<fingerprint>_<random>}, and runs,
 * {@code siemload_run_<run id>_<random>}. But for the registry's, each call opens a connection of its own. Or the database that the url
 * names is searched as it is.
 */
final class PostgresqlServer extends ServerTarget {
    /** A drop waits for everybody on the server who is in the middle of a COPY, whatever they copy. */
    private static final Duration DROPPING = Duration.ofMinutes(5);

    private static final int OLDEST_VERSION = 150_000;
    /** Beside the sessions: one for the registry, and four for counters and databases. */
    private static final int OWN_CONNECTIONS = 5;
    /** How many workers share a search with the hint {@code full-scan-parallel} where the server would take fewer. */
    private static final int FEWEST_WORKERS = 2;

    private final PostgresqlConnections connections;
    private final Layout layout;
    private final PostgresqlSearchStatements searches;
    private final TargetOptions options;
    private final PostgresqlRunParameters parameters;
    private final Map<String, String> about;
    private final OwnDatabases databases;

    private PostgresqlServer(PostgresqlConnections connections, TargetOptions options, Map<String, String> about) {
        this.connections = connections;
        this.options = options;
        this.layout = Layout.of(options.variant());
        int workers = Math.max(FEWEST_WORKERS, Integer.parseInt(about.getOrDefault("workers", "0")));
        this.searches = new PostgresqlSearchStatements(layout, options.variant().hint(), workers);
        this.parameters = new PostgresqlRunParameters(options.parameters());
        this.about = about;
        this.databases = new OwnDatabases();
    }

    static PostgresqlServer connect(PostgresqlConnections connections, TargetOptions options) {
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, connection -> {
            Map<String, String> about = about(connection, connections, options.sessions());
            if (is("standby", about)) {
                throw new TargetException(
                        "PostgreSQL at " + where + " leads to a standby, " + about.get("server")
                                + ", where nothing can be loaded (give the url of the primary; -DreadUrls names standbys that answer searches)");
            }
            if (!is("may_create_databases", about)) {
                throw new TargetException("the user " + about.get("user_name")
                        + " may not create databases on PostgreSQL at "
                        + where + ", but every run works on a copy of its own; let an administrator run: ALTER ROLE \""
                        + about.get("user_name") + "\" CREATEDB");
            }
            PostgresqlServer server = new PostgresqlServer(connections, options, about);
            // What the server does not take of the parameters, it refuses here.
            SortedMap<String, String> unused = server.settings();
            return server;
        });
    }

    /** All sessions are read-only from the start, but for those of a run some of whose statements write. */
    static PostgresqlServer connectExisting(PostgresqlConnections given, TargetOptions options) {
        PostgresqlConnections connections =
                given.reading(new PostgresqlRunParameters(options.parameters()).ofConnections());
        return connections.quick().get("connect to PostgreSQL at " + connections.where(), connection -> {
            Rights.of(connection).requireHarmless(connections.where());
            return new PostgresqlServer(connections, options, about(connection, connections, options.sessions()));
        });
    }

    @Override
    public Store openStatements(List<Statement> statements) {
        boolean writes = statements.stream().anyMatch(Statement::writes);
        return new PostgresqlStore.OfStatements(
                connections, writes ? connections.with(parameters.ofConnections()) : connections, statements);
    }

    @Override
    public Store openEvents() {
        return new PostgresqlStore.OfEvents(connections, searches);
    }

    /** What a server tells of itself and of a session, if a run can work with so many of these. @throws TargetException if it cannot */
    private static Map<String, String> about(Connection connection, PostgresqlConnections connections, int sessions)
            throws SQLException {
        Map<String, String> about = SQL.read("about").map(connection, row -> row.getString(2));
        String place = "PostgreSQL at " + connections.where();
        if (Integer.parseInt(about.getOrDefault("version_number", "0")) < OLDEST_VERSION) {
            throw new TargetException(place + " is version " + about.get("version")
                    + "; version 15 or newer is needed, which its makers still mend");
        }
        int free = Integer.parseInt(about.getOrDefault("free", "0"));
        if (free < sessions + OWN_CONNECTIONS) {
            throw new TargetException(
                    place + " has " + free + " free connections, but this run needs " + (sessions + OWN_CONNECTIONS)
                            + "; raise its max_connections, or lower the number of workers (-Dworkers)");
        }
        return about;
    }

    private static boolean is(String what, Map<String, String> about) {
        return Boolean.parseBoolean(about.get(what));
    }

    @Override
    protected String place() {
        return "PostgreSQL at " + connections.where();
    }

    @Override
    public String version() {
        // Some builds put their origin behind the version: "16.4 (Debian 16.4-1)".
        return about.getOrDefault("version", "").split(" ", 2)[0];
    }

    @Override
    public Transport transport() {
        String server = about.get("server") + (is("standby", about) ? ", a standby" : "");
        return connections
                .transport(about.get("tls_version"), about.get("tls_cipher"))
                .answeredBy(server, about.getOrDefault("time_zone", ""));
    }

    /** As they hold in the run's own database. */
    @Override
    public SortedMap<String, String> settings() {
        return connections
                .with(parameters.ofConnections())
                .quick()
                .get("read the settings of " + place(), parameters::settings);
    }

    /** Takes about a second. */
    @Override
    public Optional<ServerUse> use() {
        List<String> makes = connections.onlyRead()
                ? List.of()
                : List.of(
                        "a database siemload_data_... for the data set, kept for later runs",
                        "a database siemload_run_..., a copy of it, dropped at the end",
                        "a database " + databases.registry + " that lists what it has made, 8 MB, kept");
        return Optional.of(connections.quick().use(SQL, Map.of(), makes));
    }

    @Override
    protected Registry.Server home() {
        return databases;
    }

    @Override
    protected EventTables tables(String name) {
        return new EventDatabase(name);
    }

    /** A standby takes no writes; what the run asks of its own database is replicated to it. */
    @Override
    protected Store openStore(RunCopy copy) {
        boolean shared = copy.kind() == StoreKind.DATA_SET;
        PostgresqlConnections own = shared ? connections.reading(parameters.ofConnections()) : connections;
        own.maintenance(copy.name()).run("open the database " + copy.name() + " at " + own.where(), open -> {
            if (!shared && !copy.isJoined()) {
                parameters.setFor(copy.name(), open);
            }
        });
        return new PostgresqlStore.OfRun(own, copy, searches);
    }

    @Override
    protected void disconnect() {
        databases.close();
    }

    /**
     * The database of one data set, which can only be read once it is complete, or of one run, as a whole. The registry knows it by the
     * number that the server has given it.
     */
    private final class EventDatabase extends SqlTables {
        private final String name;

        EventDatabase(String name) {
            super(connections.maintenance(name), SQL);
            this.name = name;
        }

        @Override
        public String place() {
            return "the database " + name;
        }

        @Override
        protected List<String> names() {
            return layout.tableNames();
        }

        @Override
        protected SqlStatement counting() {
            return layout.read("events");
        }

        @Override
        protected List<SqlStatement.Step> steps() {
            String set = "indexes-" + options.variant().indexes().label();
            return Stream.of("primary-keys", "keys-address", set, set + "-address")
                    .flatMap(block -> layout.steps(block, Map.of()).stream())
                    .toList();
        }

        @Override
        public void create(Claim claim) {
            make(claim, "create-database", "template0");
            access().run("create the tables in " + place(), connection -> {
                for (LayoutTable table : layout.tables()) {
                    layout.create(table, connection);
                }
            });
        }

        @Override
        public BulkLoad createLoading(Claim claim, String label) {
            make(claim, "create-database", "template0");
            return PostgresqlBulkLoad.ofNewTables(connections, name, layout);
        }

        /** File by file, which writes no log of it. */
        @Override
        public void copyFrom(String kept, Claim claim) {
            make(claim, "copy-database", kept);
        }

        private void make(Claim claim, String block, String template) {
            connections.maintenance().run("make " + place(), open -> {
                SQL.read(block, Map.of("database", name, "kept", template)).execute(open);
                claim.made(databases.find(open, name).orElseThrow().number());
            });
        }

        /** A day whose events lie among the others, since they came before its partition, stays there. */
        @Override
        public void makeRoom(Window times) {
            if (layout.isByDay()) {
                access().run("make partitions in " + place(), connection -> {
                    for (DayPartition day : DayPartition.during(times)) {
                        for (String table : layout.tableNames()) {
                            boolean unused = PostgresqlErrors.INSTANCE.isMade(
                                    () -> layout.createPartition(day, table, connection), Fault.DUPLICATE);
                        }
                    }
                });
            }
        }

        /**
         * The rows of each table, and a hash of what tells them apart that does not depend on their order: {@code events 200000
         * 1f0c..., events_json ...}. So pages that a disk has lost show, which no index would miss. Changed bytes are left to the
         * server's own checksums: reading every column would take five times as long.
         */
        @Override
        public TableContents contents() {
            return access().get("count and hash the events in " + place(), connection -> {
                List<String> tables = new ArrayList<>();
                long events = 0;
                for (LayoutTable table : layout.tables()) {
                    long[] rowsAndHash =
                            layout.contents(table).row(connection, row -> new long[] {row.getLong(1), row.getLong(2)});
                    events = tables.isEmpty() ? rowsAndHash[0] : events;
                    tables.add(table.name() + " " + rowsAndHash[0] + " " + Long.toHexString(rowsAndHash[1]));
                }
                return new TableContents(events, String.join(", ", tables));
            });
        }

        @Override
        public BulkLoad openLoad(String label) {
            return PostgresqlBulkLoad.ofTables(access(), layout, label);
        }

        /** Which touches no row that was loaded frozen. */
        @Override
        public void complete(Consumer<String> step) {
            super.complete(step);
            step.accept("vacuum");
            access().execute("vacuum " + place(), "VACUUM " + String.join(", ", layout.tableNames()));
        }

        /** A copied database has all indexes and statistics. */
        @Override
        public void completeCopy() {}

        /** Whatever connects to it can only read, unless it asks for more. */
        @Override
        public void lock() {
            connections.quick().run("protect " + place(), SQL.read("protect-database", Map.of("kept", name))::execute);
        }

        @Override
        public boolean areReadInPlace() {
            return true;
        }

        @Override
        public void dropIndexes() {
            access().run("drop the indexes in " + place(), connection -> {
                for (String drop : SQL.read("index-drops").rows(connection, row -> row.getString(1))) {
                    SqlStatement.execute(connection, drop);
                }
            });
        }
    }

    /**
     * The database in which siemload keeps its registry, one for each user of a server, and the databases that it tells of. It is the same
     * one whichever database the url names, so that all runs meet there.
     */
    private final class OwnDatabases extends SqlRegistry {
        private final String registry = "siemload_registry_" + about.get("user_number");

        OwnDatabases() {
            super("siemload_objects", SQL.read("now"), PostgresqlErrors.INSTANCE);
        }

        @Override
        protected Optional<Connection> home() throws SQLException {
            Optional<Found> found = find(registry);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            if (!found.orElseThrow().own()) {
                throw new TargetException("the database " + registry
                        + " belongs to another user, but siemload keeps its registry under that name; rename it");
            }
            return Optional.of(connections.quick(registry).opening().open());
        }

        /** Another process may be faster: two may create the same table at the same instant, whatever the statement says. */
        @Override
        protected Connection make() throws SQLException {
            SqlStatement create = SQL.read("create-database", Map.of("database", registry));
            connections.quick().run("make the database " + registry, open -> make(create, open));
            Connection made = home().orElseThrow();
            make(SQL.read("create-registry"), made);
            return made;
        }

        private static void make(SqlStatement create, Connection open) throws SQLException {
            boolean unused = PostgresqlErrors.INSTANCE.isMade(() -> create.execute(open), Fault.NAME_TAKEN);
        }

        /**
         * What the server knows of a database.
         *
         * @param number which no other database has, also if it gets the same name
         * @param own whether it belongs to the user who is logged in
         * @param used whether somebody is connected to it
         */
        record Found(String number, boolean own, boolean used) {
            private static Found of(ResultSet row) throws SQLException {
                return new Found(row.getString("number"), row.getBoolean("own"), row.getBoolean("used"));
            }

            /**
             * Whether it is the very database that the entry tells of, and belongs to the user who is logged in. A process that was
             * killed between making a database and noting its number leaves its random name alone as a proof.
             */
            private boolean isThatOf(Entry entry) {
                return own
                        && (entry.identity().isEmpty()
                                ? entry.purpose() != Purpose.DATA_SET
                                : entry.identity().equals(number));
            }
        }

        private Optional<Found> find(Connection connection, String database) throws SQLException {
            return SQL.read("find-database").rows(connection, Found::of, database).stream()
                    .findFirst();
        }

        /** The database of this name, where there is one. */
        Optional<Found> find(String database) {
            return connections
                    .quick()
                    .get("look for the database " + database, connection -> find(connection, database));
        }

        @Override
        public boolean isThere(Entry entry) {
            return find(entry.name()).filter(found -> found.isThatOf(entry)).isPresent();
        }

        @Override
        public boolean drop(Entry entry, Registry.Sessions sessions) {
            return connections.within(DROPPING).get("drop the database " + entry.name(), open -> {
                Optional<Found> found = find(open, entry.name());
                if (found.isEmpty()) {
                    // A server may go on with a copy for a process that was killed, until it notices.
                    return !SQL.read("running-with").row(open, row -> row.getBoolean(1), entry.name());
                }
                if (!found.orElseThrow().isThatOf(entry)) {
                    return true;
                }
                if (sessions == Registry.Sessions.RESPECT && found.orElseThrow().used()) {
                    return false;
                }
                String block = sessions == Registry.Sessions.END ? "drop-database-with-sessions" : "drop-database";
                SqlStatement drop = SQL.read(block, Map.of("database", entry.name()));
                return PostgresqlErrors.INSTANCE.isMade(() -> drop.execute(open), Fault.IN_USE);
            });
        }
    }

    @Override
    public Replica connectReplica(ServerAddress address, int sessions) {
        PostgresqlConnections there = connections.at(address);
        PostgresqlServer own = new PostgresqlServer(there, options, about);
        boolean follows =
                there.quick().get("connect to " + own.place(), open -> is("standby", about(open, there, sessions)));
        String cluster = own.cluster();
        if (!cluster.equals(cluster())) {
            throw new TargetException(own.place() + " is no replica of " + connections.where()
                    + ": it is of another cluster (system identifier " + cluster + ", not " + cluster() + ")");
        }
        if (!follows) {
            throw new TargetException(own.place()
                    + " is no replica: it takes writes itself (leave it out, or give the url of a standby)");
        }
        return new PostgresqlReplica(own, cluster);
    }

    /** What a primary and its standbys have in common. */
    private String cluster() {
        return connections
                .quick()
                .get(
                        "ask " + place() + " which cluster it belongs to",
                        open -> SQL.read("cluster").row(open, row -> row.getString(1)));
    }

    /** What is asked how far logs have come, from its first use on. A reading is worth nothing when it comes late. */
    private RunConnection asked() {
        Duration timeout = Duration.ofSeconds(5);
        return new RunConnection(connections.within(timeout).opening(), PostgresqlErrors.INSTANCE, timeout);
    }

    /** A hot standby of this server. It has a connection to each of both for how far they are, and others for all else. */
    private final class PostgresqlReplica implements Replica {
        private static final long BETWEEN_LOOKS_MILLIS = 50;
        /** Whoever joins a store knows it by its name alone. */
        private static final DatasetKey ANY = new DatasetKey("", "", 0);

        private final PostgresqlServer own;
        private final RunConnection primary;
        private final RunConnection standby;
        /** Asked before the run: at its end the standby may be gone. */
        private final String cluster;

        PostgresqlReplica(PostgresqlServer own, String cluster) {
            this.own = own;
            this.cluster = cluster;
            this.standby = own.asked();
            this.primary = asked();
        }

        @Override
        public String place() {
            return own.place();
        }

        @Override
        public String about() {
            return "standby of the cluster " + cluster;
        }

        @Override
        public Store open(String name) {
            return own.join(ANY, name);
        }

        @Override
        public void awaitCaughtUp(Duration atMost) {
            long deadline = System.nanoTime() + atMost.toNanos();
            try {
                long end = primary.number(SQL.read("log-flushed"));
                while (replayed() < end) {
                    if (System.nanoTime() - deadline >= 0) {
                        throw new TargetException(place() + " does not catch up with " + connections.where()
                                + " within " + atMost.toSeconds() + " s (look whether it replays:"
                                + " pg_is_wal_replay_paused(), pg_stat_wal_receiver)");
                    }
                    Pause.millis(BETWEEN_LOOKS_MILLIS, "the wait for a replica");
                }
            } catch (SearchException silent) {
                throw new TargetException(
                        "cannot see how far " + place() + " has come: " + silent.getMessage(), silent);
            }
        }

        @Override
        public long written() {
            return primary.number(SQL.read("log-written"));
        }

        @Override
        public long replayed() {
            return standby.number(SQL.read("log-replayed"));
        }

        @Override
        public void close() {
            primary.close();
            standby.close();
        }
    }
}
