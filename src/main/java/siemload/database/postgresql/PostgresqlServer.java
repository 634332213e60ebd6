package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import siemload.config.RegularFile;
import siemload.database.Hint;
import siemload.database.Pause;
import siemload.database.Provision;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable;
import siemload.database.postgresql.PostgresqlConnections.PostgresqlErrors;
import siemload.database.server.Registry;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.ServerTarget;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.SqlErrors.Fault;
import siemload.database.sql.SqlAccess.SqlRegistry;
import siemload.database.sql.SqlAccess.SqlTables;
import siemload.database.sql.SqlStatement;
import siemload.query.Statement;
import siemload.query.Window;

/**
 * A PostgreSQL server. Data sets have databases named {@code siemload_data_<fingerprint>_<random>}, and runs have
 * {@code siemload_run_<run id>_<random>}. A run can also search the existing database that the url names. Each call opens its own
 * connection, but calls of the registry share one connection.
 */
final class PostgresqlServer extends ServerTarget {
    /** The longest time for dropping a database, which waits for every COPY in progress on the server. */
    private static final Duration DROPPING = Duration.ofMinutes(5);

    private static final int OLDEST_VERSION = 150_000;
    /** The least number of workers that share a search with the hint {@code full-scan-parallel}. */
    private static final int FEWEST_WORKERS = 2;

    private final PostgresqlConnections connections;
    private final Layout layout;
    private final PostgresqlSearchStatements searches;
    private final TargetOptions options;
    private final RunParameters parameters;
    private final Map<String, String> about;
    private final OwnDatabases databases;

    private PostgresqlServer(PostgresqlConnections connections, TargetOptions options, Map<String, String> about) {
        this.connections = connections;
        this.options = options;
        this.layout = Layout.of(options.variant());
        int workers = Math.max(FEWEST_WORKERS, Integer.parseInt(about.getOrDefault("workers", "0")));
        this.searches = new PostgresqlSearchStatements(layout, options.variant().hint(), workers);
        this.parameters = new RunParameters(options.parameters());
        this.about = about;
        this.databases = new OwnDatabases();
    }

    /** Returns connections to a url's server. @throws TargetException if the url sets parameters that siemload or the run sets, too */
    private static PostgresqlConnections choose(ServerAddress address, TargetOptions options) {
        PostgresqlConnections connections = new PostgresqlConnections(address, options.searchTimeout(), List.of());
        Set<String> own = new TreeSet<>(RunParameters.PER_CONNECTION.keySet());
        own.addAll(new RunParameters(options.parameters()).values().keySet());
        PostgresqlSearchStatements.settings(options.variant().hint(), 1).forEach(one -> own.add(one.split("=", 2)[0]));
        String given =
                Objects.requireNonNullElse(connections.to("").getOptions(), "").replace('-', '_');
        own.removeIf(name -> !given.matches("(?is).*(_c\\s*|__)" + Pattern.quote(name) + "=.*"));
        if (!own.isEmpty()) {
            throw new TargetException("the url's options set " + String.join(", ", own)
                    + ", which this run sets, too (remove them from the url)");
        }
        return connections.chosen();
    }

    static PostgresqlServer connect(ServerAddress address, TargetOptions options) {
        PostgresqlConnections connections = choose(address, options);
        String where = connections.where();
        return connections.quick().get("connect to PostgreSQL at " + where, open -> {
            PostgresqlServer server = new PostgresqlServer(connections, options, about(open, connections, options));
            if (server.is("standby")) {
                throw new TargetException(
                        "PostgreSQL at " + where + " leads to a standby, " + server.about.get("server")
                                + ", where nothing can be loaded (give the primary's url; -DreadUrls names standbys that answer searches)");
            }
            String user = server.about.get("user_name");
            if (!server.is("may_create_databases")) {
                throw new TargetException("the user " + user + " may not create databases on PostgreSQL at "
                        + where + ", but every run works in its own database; let an administrator run: ALTER ROLE \""
                        + user + "\" CREATEDB");
            }
            // Reading the settings fails if the server does not accept a parameter.
            SortedMap<String, String> unused = server.settings();
            return server;
        });
    }

    /** Connects to an existing database. All sessions are read-only from the start, except in a run with statements that write. */
    static PostgresqlServer connectExisting(ServerAddress address, TargetOptions options) {
        PostgresqlConnections connections =
                choose(address, options).reading(new RunParameters(options.parameters()).ofConnections());
        return connections.quick().get("connect to PostgreSQL at " + connections.where(), open -> {
            String tooMuch = SQL.read("rights").row(open, row -> row.getString(1));
            if (!tooMuch.isEmpty()) {
                throw new TargetException(
                        tooMuch + " on PostgreSQL at " + connections.where()
                                + ", and could do more than read; use a user that can only read, whom an administrator creates with: CREATE ROLE"
                                + " siemload_reader LOGIN PASSWORD '...'; GRANT pg_read_all_data, pg_read_all_stats TO siemload_reader");
            }
            return new PostgresqlServer(connections, options, about(open, connections, options));
        });
    }

    /** Reads facts about a server and a session. @throws TargetException if a run cannot use the server */
    private static Map<String, String> about(Connection open, PostgresqlConnections connections, TargetOptions options)
            throws SQLException {
        Map<String, String> about = SQL.read("about").map(open, row -> row.getString(2));
        String place = "PostgreSQL at " + connections.where();
        if (Integer.parseInt(about.getOrDefault("version_number", "0")) < OLDEST_VERSION) {
            throw new TargetException(
                    place + " is version " + about.get("version") + "; version 15 or newer is needed");
        }
        int free = Integer.parseInt(about.getOrDefault("free", "0"));
        if (free < options.sessions()) {
            throw new TargetException(place + " has " + free + " free connections, but this run needs "
                    + options.sessions() + "; raise its max_connections, or lower the number of workers (-Dworkers)");
        }
        return about;
    }

    private boolean is(String what) {
        return Boolean.parseBoolean(about.get(what));
    }

    @Override
    public Store openStatements(List<Statement> statements) {
        boolean writes = statements.stream().anyMatch(Statement::writes);
        return new PostgresqlStore.OfStatements(
                connections,
                searches,
                existing(),
                writes ? connections.with(parameters.ofConnections()) : connections,
                statements);
    }

    @Override
    public Store openEvents() {
        return new PostgresqlStore.OfEvents(connections, searches, existing());
    }

    private RunCopy existing() {
        return RunCopy.existing(
                connections.quick().get("open the database at " + connections.where(), Connection::getCatalog));
    }

    @Override
    protected String place() {
        return "PostgreSQL at " + connections.where();
    }

    @Override
    public String version() {
        return about.getOrDefault("version", "").split(" ", 2)[0]; // without an origin: "16.4 (Debian 16.4-1)"
    }

    @Override
    public Transport transport() {
        String server = about.get("server") + (is("standby") ? ", a standby" : "");
        String protocol = Objects.requireNonNullElse(about.get("tls_version"), "");
        String cipher = Objects.requireNonNullElse(about.get("tls_cipher"), "");
        Transport.Security security = protocol.isEmpty() ? Transport.Security.NONE : connections.verification();
        String zone = parameters.values().getOrDefault("timezone", about.getOrDefault("time_zone", ""));
        return new Transport(security, protocol, cipher, server, zone);
    }

    /** The settings that apply in the run's own database. */
    @Override
    public SortedMap<String, String> settings() {
        return connections
                .with(parameters.ofConnections())
                .quick()
                .get("read the settings of " + place(), parameters::settings);
    }

    @Override
    public Optional<ServerUse> use() {
        List<String> makes = connections.onlyRead()
                ? List.of()
                : List.of(
                        "a database siemload_data_... for the data set, kept for later runs",
                        "a database siemload_run_..., a copy of the data set's database, dropped at the end",
                        "a permanent database " + databases.registry + " of 8 MB that lists what siemload has created");
        return Optional.of(connections.quick().use(SQL, List.of("", "", ""), makes));
    }

    @Override
    protected Registry.Server home() {
        return databases;
    }

    @Override
    protected EventTables tables(String name) {
        return new EventDatabase(name);
    }

    /** A standby accepts no writes, but the parameters of the run's own database are replicated to it. */
    @Override
    protected Store openStore(RunCopy copy) {
        boolean shared = copy.kind() == Store.StoreKind.DATA_SET;
        // Connections set a time zone themselves, so that of their database has no effect.
        List<String> all = parameters.ofConnections();
        List<String> zone =
                all.stream().filter(one -> one.startsWith("timezone=")).toList();
        PostgresqlConnections own = shared ? connections.reading(all) : connections.with(zone);
        own.maintenance(copy.name()).run("open the database " + copy.name() + " at " + own.where(), open -> {
            if (!shared && !copy.isJoined()) {
                parameters.setFor(copy.name(), open);
            }
        });
        return new PostgresqlStore.OfRun(own, searches, copy);
    }

    @Override
    protected void disconnect() {
        databases.close();
    }

    /** The database of one run, or of one data set, which is read-only once complete. The registry identifies a database by its OID. */
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
        public Store.BulkLoad createLoading(Claim claim) {
            make(claim, "create-database", "template0");
            return PostgresqlBulkLoad.ofNewTables(connections, name, layout);
        }

        /** Copies the database file by file, which keeps the copy's contents out of the write-ahead log. */
        @Override
        public void copyFrom(String kept, Claim claim) {
            make(claim, "copy-database", kept);
        }

        private void make(Claim claim, String block, String template) {
            connections.maintenance("").run("make " + place(), open -> {
                SQL.read(block, Map.of("database", name, "kept", template)).execute(open);
                claim.made(databases.find(open, name).orElseThrow().number());
            });
        }

        /** Creates the partitions of a window. Events that were stored before their day had a partition stay in the default partition. */
        @Override
        public void makeRoom(Window times) {
            if (layout.about().isByDay()) {
                access().run("make partitions in " + place(), connection -> {
                    for (String day : Layout.days(times)) {
                        for (String table : layout.tableNames()) {
                            boolean unused = PostgresqlErrors.INSTANCE.isMade(
                                    () -> layout.createPartition(day, table, connection), Fault.DUPLICATE);
                        }
                    }
                });
            }
        }

        /**
         * The number of rows of each table, and a hash of the rows' keys, which does not depend on the rows' order: {@code events 200000
         * 1f0c..., events_json ...}. The result reveals pages that a disk has lost; an index would not reveal them. The search for changed
         * bytes is left to the server's own checksums, since reading every column would take five times as long.
         */
        @Override
        public TableContents contents() {
            return access().get("count and hash the events in " + place(), connection -> {
                List<Long> rows = new ArrayList<>();
                List<String> tables = new ArrayList<>();
                for (LayoutTable table : layout.tables()) {
                    long hash = layout.of("contents-", table).row(connection, row -> {
                        rows.add(row.getLong(1));
                        return row.getLong(2);
                    });
                    tables.add(table.name() + " " + rows.get(rows.size() - 1) + " " + Long.toHexString(hash));
                }
                return new TableContents(rows.get(0), String.join(", ", tables));
            });
        }

        @Override
        public Store.BulkLoad openLoad() {
            return PostgresqlBulkLoad.ofTables(access(), layout, place());
        }

        /** Adds a VACUUM as the last step; it does not touch rows that were loaded frozen. */
        @Override
        public void complete(Consumer<String> step) {
            super.complete(step);
            step.accept("vacuum");
            access().execute("vacuum " + place(), "VACUUM " + String.join(", ", layout.tableNames()));
        }

        /** Does nothing: a copied database already has all indexes and statistics. */
        @Override
        public void completeCopy() {}

        /** Makes new connections read-only by default; a connection may still change that setting. */
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
     * The database of siemload's registry, one for each user of a server, and the databases registered in it. The registry is the same
     * whichever database the url names, so that all runs of a user share it.
     */
    private final class OwnDatabases extends SqlRegistry {
        private final String registry = "siemload_registry_" + about.get("user_number");

        OwnDatabases() {
            super("siemload_objects", SQL.read("now"), PostgresqlErrors.INSTANCE);
        }

        @Override
        protected Optional<Connection> home() throws SQLException {
            Optional<Found> found = find(registry);
            if (found.isPresent() && !found.get().own()) {
                throw new TargetException(
                        "the database " + registry
                                + " belongs to another user, but siemload keeps its registry under that name; rename that database");
            }
            return found.isEmpty()
                    ? Optional.empty()
                    : Optional.of(connections.quick(registry).opening().open());
        }

        /** Creates the registry. Another process may be faster: despite IF NOT EXISTS, two processes may try to create a table at once. */
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

        /** A database: its OID, which is never reused, whether the current user owns it, and whether any session uses it. */
        record Found(String number, boolean own, boolean used) {
            /**
             * Returns whether this is the entry's database and the current user owns it. If a process was killed between creating a
             * database and recording its OID, the random name is the only proof of the database's origin.
             */
            private boolean isThatOf(Entry entry) {
                return own
                        && (entry.identity().isEmpty()
                                ? entry.purpose() != Entry.Purpose.DATA_SET
                                : entry.identity().equals(number));
            }
        }

        private Optional<Found> find(Connection open, String database) throws SQLException {
            return SQL
                    .read("find-database")
                    .rows(open, row -> new Found(row.getString(1), row.getBoolean(2), row.getBoolean(3)), database)
                    .stream()
                    .findFirst();
        }

        private Optional<Found> find(String database) {
            return connections.quick().get("look for the database " + database, open -> find(open, database));
        }

        @Override
        public boolean isThere(Entry entry) {
            return find(entry.name()).filter(found -> found.isThatOf(entry)).isPresent();
        }

        @Override
        public boolean drop(Entry entry, Registry.Sessions sessions) {
            return connections.within(DROPPING, "").get("drop the database " + entry.name(), open -> {
                Optional<Found> found = find(open, entry.name());
                if (found.isEmpty()) {
                    // A server may go on copying for a killed process until it notices the end of the process.
                    return !SQL.read("running-with").row(open, row -> row.getBoolean(1), entry.name());
                }
                if (!found.get().isThatOf(entry)) {
                    return true;
                }
                if (sessions == Registry.Sessions.RESPECT && found.get().used()) {
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
        PostgresqlConnections there = choose(address, options);
        TargetOptions some =
                new TargetOptions(options.variant(), options.searchTimeout(), sessions, options.parameters());
        PostgresqlServer own = there.quick()
                .get(
                        "connect to PostgreSQL at " + there.where(),
                        open -> new PostgresqlServer(there, options, about(open, there, some)));
        String cluster = own.cluster();
        if (!cluster.equals(cluster())) {
            throw new TargetException(own.place() + " is not a replica of " + connections.where()
                    + ": it belongs to another cluster (system identifier " + cluster + ", not " + cluster() + ")");
        }
        if (!own.is("standby")) {
            throw new TargetException(
                    own.place() + " is not a replica: it accepts writes (remove its url, or give a standby's url)");
        }
        return new PostgresqlReplica(own, connections.where(), asked(), own.asked());
    }

    /** The identifier that a primary and its standbys have in common. */
    private String cluster() {
        return connections
                .quick()
                .get(
                        "ask " + place() + " which cluster it belongs to",
                        open -> SQL.read("cluster").row(open, row -> row.getString(1)));
    }

    /** A connection for reading positions in the log, opened at its first use. The timeout is short, since a late answer is useless. */
    private RunConnection asked() {
        Duration timeout = Duration.ofSeconds(5);
        return new RunConnection(connections.within(timeout, "").opening(), PostgresqlErrors.INSTANCE, timeout);
    }

    /**
     * A hot standby, with a connection to the primary and one to the standby for log positions, and other connections for everything else.
     *
     * @param follows the address of the standby's primary, for messages
     */
    private record PostgresqlReplica(PostgresqlServer own, String follows, RunConnection primary, RunConnection standby)
            implements Replica {
        private static final long BETWEEN_LOOKS_MILLIS = 50;
        /** A placeholder for the data set's key: a process that joins a store knows only the store's name. */
        private static final Store.DatasetKey ANY = new Store.DatasetKey("", "", 0);

        @Override
        public String place() {
            return own.place();
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
                        throw new TargetException(place() + " did not catch up with " + follows
                                + " within " + atMost.toSeconds() + " s (check that the standby replays:"
                                + " pg_is_wal_replay_paused(), pg_stat_wal_receiver)");
                    }
                    Pause.millis(BETWEEN_LOOKS_MILLIS, "the wait for a replica");
                }
            } catch (SearchException silent) {
                throw new TargetException(
                        "cannot read the log position of " + place() + ": " + silent.getMessage(), silent);
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

    /**
     * Server parameters of a run: some are read at the server's start, and the others apply in the run's own database. Immutable and
     * thread-safe.
     *
     * @param values the values by name in lower case
     */
    record RunParameters(Map<String, String> values) {
        /** The parameters that PostgreSQL 18 reads only at its start or from its files (contexts postmaster and sighup). */
        private static final Set<String> AT_START = words(file("start-parameters.txt"));

        /**
         * The parameters of PostgreSQL 18 whose values are numbers, switches or one of a few words, except those that make a server less
         * safe. Text values may hold commands, paths, libraries and addresses.
         */
        private static final Set<String> WITHOUT_TEXT = words(file("file-parameters.txt"));

        /** The addresses, logs and files of a server that siemload started: siemload itself sets these parameters. */
        private static final Set<String> OURS = words(
                "config_file data_directory external_pid_file hba_file ident_file listen_addresses log_destination"
                        + " logging_collector port unix_socket_directories");

        /** The parameters that every connection of a run sets itself, so that a database's own value would have no effect. */
        private static final Map<String, String> PER_CONNECTION = Map.of(
                "application_name", "always siemload",
                "client_connection_check_interval", "always 2 s",
                "default_transaction_read_only", "on unless a run writes",
                "plan_cache_mode", "every search gets a fresh plan",
                "statement_timeout", "use -Dtimeout");

        private static final String OF_EMBEDDED = "# Only for the embedded server";

        private static final int SERVER_CONNECTIONS = 10;

        RunParameters {
            SortedMap<String, String> lower = new TreeMap<>();
            values.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
            values = Collections.unmodifiableSortedMap(lower);
        }

        private static String file(String name) {
            return RegularFile.resource(PostgresqlServer.class, "/siemload/database/postgresql/server/" + name);
        }

        private static Set<String> words(String text) {
            return Set.of(text.split("\\s+"));
        }

        /** The reason why a parameter cannot be set, as far as it is known without a server. */
        Optional<String> refusal(Hint hint, Provision provision) {
            List<String> ofHint = PostgresqlSearchStatements.settings(hint, 1);
            for (String name : values.keySet()) {
                String parameter = "parameter " + name + " is ";
                if (PER_CONNECTION.containsKey(name)) {
                    return Optional.of(parameter + "set by siemload itself (" + PER_CONNECTION.get(name) + ")");
                } else if (ofHint.stream().anyMatch(setting -> setting.startsWith(name + "="))) {
                    return Optional.of(parameter + "already set by hint '" + hint.label() + "': remove one of them");
                } else if (AT_START.contains(name) && provision == Provision.EXTERNAL) {
                    return Optional.of(parameter + "read when the server starts: set it in your server's configuration"
                            + " (allowed here: parameters that ALTER DATABASE can set)");
                } else if (OURS.contains(name)) {
                    return Optional.of(parameter + "set by siemload itself");
                }
            }
            return Optional.empty();
        }

        Optional<String> refusalFromFile() {
            return values.keySet().stream()
                    .filter(name -> !WITHOUT_TEXT.contains(name))
                    .findFirst()
                    .map(name -> name
                            + " cannot be set by a file: a file may only set parameters that take numbers, switches or"
                            + " one of a few words, since other values can name commands, libraries and paths");
        }

        /** Returns the parameters set when siemload starts a server, also in a container, or else those set in one database. */
        Stream<Map.Entry<String, String>> those(boolean atStart) {
            return values.entrySet().stream().filter(parameter -> AT_START.contains(parameter.getKey()) == atStart);
        }

        /**
         * The server's arguments: expert settings for a machine shared with the load generator, then the run's own settings, which win.
         *
         * @param port the port of the embedded server; 0 in a container, where the image chooses it
         */
        List<String> arguments(int port, long memoryBytes, int sessions) {
            String all = file("embedded.conf");
            long memory = memoryBytes >> 20;
            Map<String, String> parts = Map.of(
                    "port", Integer.toString(port),
                    // Rounded up to hundreds, so that servers for different numbers of users rarely differ.
                    "max_connections", Integer.toString((sessions + SERVER_CONNECTIONS + 99) / 100 * 100),
                    "shared_buffers", between(128, memory / 4, 4_096),
                    "effective_cache_size", between(128, memory / 2, Integer.MAX_VALUE),
                    "maintenance_work_mem", between(64, memory / 16, 1_024),
                    "work_mem", between(4, memory / 256, 32));
            Stream<String> ours = SqlStatement.fill(port == 0 ? all.split(OF_EMBEDDED, 2)[0] : all, parts)
                    .lines()
                    .filter(line -> line.contains(" =") && !line.startsWith("#"))
                    .map(line -> line.replaceFirst(" = ?", "="));
            return Stream.concat(ours, those(true).map(String::valueOf))
                    .flatMap(setting -> Stream.of("-c", setting))
                    .toList();
        }

        private static String between(long least, long megabytes, long most) {
            return Math.max(least, Math.min(megabytes, most)) + "MB";
        }

        /** Sets the parameters of a database, for connections opened afterwards. */
        void setFor(String database, Connection connection) throws SQLException {
            for (Map.Entry<String, String> parameter : those(false).toList()) {
                String literal = connection.unwrap(PGConnection.class).escapeLiteral(parameter.getValue());
                String name = parameter.getKey().replace(".", "\".\"");
                SqlStatement.execute(
                        connection, "ALTER DATABASE \"" + database + "\" SET \"" + name + "\" = '" + literal + "'");
            }
        }

        /** The parameters of a database, as {@code name=value}, for connections that set them themselves. */
        List<String> ofConnections() {
            return those(false).map(String::valueOf).toList();
        }

        /** The server's settings that matter to a run, including these parameters, as they apply to this connection. */
        SortedMap<String, String> settings(Connection connection) throws SQLException {
            String own = String.join(",", values.keySet());
            return SQL.read("settings").map(connection, row -> row.getString(2), own);
        }
    }
}
