package siemload.database.oracle;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.StoreKind;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.RegistryStorage;
import siemload.database.registry.ServerObjects;
import siemload.database.server.CopyStore;
import siemload.database.server.EventTables;
import siemload.database.server.ParallelLoad;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlRegistry;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * An Oracle server, on which everything lies in the user's own schema. But for the registry's, each call opens a connection of
 * its own.
 */
final class OracleServer extends ServerTarget {
    private static final int OLDEST_VERSION = 19;
    private static final int LONGEST_PREFIX = 40;
    /** Stands in the names of tables that no data set is copied into. */
    private static final String NO_DATASET = "0000000000000000";

    private static final String CHARACTER_SET = "AL32UTF8";

    private final OracleConnections connections;
    private final SqlRegistry registry;
    private final Variant variant;
    private final String version;
    private final Transport transport;

    private OracleServer(
            OracleConnections connections, SqlRegistry registry, Variant variant, String version, Transport transport) {
        this.connections = connections;
        this.registry = registry;
        this.variant = variant;
        this.version = version;
        this.transport = transport;
    }

    static OracleServer connect(OracleConnections connections, Variant variant) {
        About about = About.of(connections);
        about.requireAll();
        connections.checkParameters();
        SqlRegistry registry = new SqlRegistry(
                new RegistryTable(connections),
                RegistryTable.NAME,
                TableGroup.FILES.read("server/now.sql"),
                OracleErrors.INSTANCE);
        Transport transport = connections.transport(about.protocol);
        return new OracleServer(connections, registry, variant, about.version, transport);
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    protected String place() {
        return "Oracle";
    }

    @Override
    public SortedMap<String, String> settings() {
        return connections.settings();
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(OracleServerUse.at(connections));
    }

    @Override
    protected RegistryStorage storage() {
        return registry;
    }

    @Override
    protected ServerObjects objects() {
        return new RegisteredTables(connections);
    }

    /** Names begin with {@code SL_<fingerprint>_<random>_}. */
    @Override
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        String text = fingerprint.isEmpty() ? NO_DATASET : fingerprint;
        return Registry.name("SL_", text, LONGEST_PREFIX).toUpperCase(Locale.ROOT);
    }

    @Override
    protected EventTables tables(String name) {
        return new OracleTables(connections, new TableGroup(name, variant.partitions()), variant.indexes());
    }

    @Override
    protected List<String> strangers(Set<String> ours) {
        SqlStatement strangers = TableGroup.FILES.read("server/strangers.sql");
        return connections.quick().rows("list the tables", strangers, row -> row.getString(1)).stream()
                .filter(table -> ours.stream().noneMatch(prefix -> table.startsWith(prefix + "_")))
                .map(table -> "table " + table)
                .toList();
    }

    @Override
    protected Store openStore(RunCopy copy) {
        TableGroup tables = new TableGroup(copy.name(), variant.partitions());
        return new OracleStore(
                connections, copy, tables, new OracleSearchStatements(tables, variant.hint(), variant.indexes()));
    }

    @Override
    protected void disconnect() {
        registry.close();
    }

    /** What the server tells of itself. */
    record About(String version, String user, String characterSet, long createTable, String protocol) {

        static About of(ResultSet row) throws SQLException {
            return new About(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5));
        }

        /** Those of the server that is connected to. */
        static About of(OracleConnections connections) {
            SqlStatement question = TableGroup.FILES.read("server/about.sql");
            return connections
                    .maintenance()
                    .rows("connect to Oracle", question, About::of)
                    .get(0);
        }

        void requireAll() {
            if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
                throw new TargetException("the server is Oracle " + version + "; version 19 or newer is needed, which"
                        + " tells whether it followed a hint");
            }
            if (!characterSet.equals(CHARACTER_SET)) {
                throw new TargetException("the database has the character set " + characterSet + ", but events hold any"
                        + " Unicode; use a (pluggable) database with " + CHARACTER_SET);
            }
            if (createTable == 0) {
                throw new TargetException("the user " + user + " may not create tables, but data sets are loaded into"
                        + " its own schema; let an administrator run: GRANT CREATE TABLE TO " + user);
            }
        }
    }

    /** The table of the registry in the user's own schema. */
    private record RegistryTable(OracleConnections connections) implements SqlRegistry.Home {
        static final String NAME = "siemload_tables";

        @Override
        public Optional<Connection> find() throws SQLException {
            try (Connection connection = open()) {
                if (!isThere(connection)) {
                    return Optional.empty();
                }
            }
            return Optional.of(open());
        }

        private Connection open() throws SQLException {
            return connections.quick().opening().open();
        }

        private static boolean isThere(Connection connection) throws SQLException {
            try {
                TableGroup.FILES.read("server/find-registry.sql").execute(connection);
                return true;
            } catch (SQLException e) {
                if (OracleErrors.isMissingTable(e)) {
                    return false;
                }
                if (OracleErrors.isUnknownColumn(e)) {
                    throw new TargetException(
                            "what is called SIEMLOAD_TABLES in this schema is not siemload's registry, or that of an earlier"
                                    + " version; rename or drop it",
                            e);
                }
                throw e;
            }
        }

        @Override
        public Connection make() throws SQLException {
            try (Connection connection = open()) {
                TableGroup.FILES.read("server/create-registry.sql").execute(connection);
            } catch (SQLException e) {
                if (!OracleErrors.isTakenName(e)) {
                    throw e;
                }
                // Another process was faster.
            }
            return find().orElseThrow();
        }
    }

    /** The tables that are the copy of one run. */
    record OracleStore(
            OracleConnections connections, RunCopy copy, TableGroup tables, OracleSearchStatements statements)
            implements CopyStore {

        @Override
        public SearchSession openSession() {
            return new OracleSession(connections, statements, copy.watchers());
        }

        @Override
        public EventSink openSink() {
            return new OracleSink(connections.ofRun().connected("open a sink"), tables);
        }

        @Override
        public Optional<ServerClock> openClock() {
            RunConnection connection = connections.ofRun().connected("read the clock");
            return Optional.of(connection.clock(TableGroup.FILES.read("server/now.sql")));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            Map<String, Long> stored = connections
                    .maintenance()
                    .get(
                            "look for events in " + tables.events(),
                            connection ->
                                    StoredIds.among(new ArrayList<>(new LinkedHashSet<>(ids)), connection, tables));
            long duplicated =
                    stored.values().stream().filter(times -> times > 1).count();
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

        /**
         * Inserts batches into the three tables, each in one transaction. Only after the server has refused a batch because it
         * knows an id is it asked which ones: a feeder that meets no trouble pays nothing for its right to write again.
         */
        private record OracleSink(RunConnection connection, TableGroup tables) implements EventSink {

            @Override
            public long write(List<SecurityEvent> batch) {
                return connection.transaction(open -> insert(open, batch));
            }

            @Override
            public void close() {
                connection.close();
            }

            private long insert(Connection open, List<SecurityEvent> batch) throws SQLException {
                try (EventInsert insert = new EventInsert(open, tables)) {
                    try {
                        return insert.insert(batch);
                    } catch (BatchUpdateException e) {
                        if (!OracleErrors.isDuplicate(e)) {
                            throw e;
                        }
                        open.rollback();
                        insert.insert(missing(open, batch));
                        IdeaWriter writer = new IdeaWriter();
                        return batch.stream()
                                .mapToLong(event -> writer.toBytes(event).length)
                                .sum();
                    }
                }
            }

            private List<SecurityEvent> missing(Connection open, List<SecurityEvent> batch) throws SQLException {
                Map<String, SecurityEvent> missing = new LinkedHashMap<>();
                batch.forEach(event -> missing.putIfAbsent(event.id(), event));
                Set<String> present = StoredIds.among(new ArrayList<>(missing.keySet()), open, tables)
                        .keySet();
                missing.keySet().removeAll(present);
                return List.copyOf(missing.values());
            }
        }

        /** Looks for events by their ids, in portions of one size so that the server parses one statement. Stateless. */
        private static final class StoredIds {
            /** Below Oracle's limit of 1,000 for a list. */
            private static final int PORTION = 500;

            private StoredIds() {}

            /** How often each of the ids is stored; ids that are not are missing from the map. */
            static Map<String, Long> among(List<String> ids, Connection connection, TableGroup tables)
                    throws SQLException {
                Map<String, String> places = tables.parts();
                places.put("ids", String.join(", ", Collections.nCopies(PORTION, "?")));
                Map<String, Long> stored = new HashMap<>();
                try (PreparedStatement statement = connection.prepareStatement(
                        TableGroup.LAYOUT.read("present", places).sql())) {
                    for (int from = 0; from < ids.size(); from += PORTION) {
                        for (int i = 0; i < PORTION; i++) {
                            // The last one stands for the rest.
                            String id = ids.get(Math.min(from + i, ids.size() - 1));
                            statement.setBytes(i + 1, ColumnValues.id(id));
                        }
                        SqlStatement.rows(
                                statement, row -> stored.put(ColumnValues.readId(row.getBytes(1)), row.getLong(2)));
                    }
                }
                return stored;
            }
        }
    }

    /** Finds out who uses a server, over one connection. Used by one thread. */
    private record OracleServerUse(Connection connection) {

        /** Takes about a second. */
        static ServerUse at(OracleConnections connections) {
            return connections
                    .quick()
                    .get("see who uses the server", connection -> new OracleServerUse(connection).use());
        }

        private ServerUse use() {
            return ServerUseSurvey.of(
                    List.of(
                            "tables SL_... for the data set in its own schema, kept for later runs",
                            "tables SL_... that are a copy of them, dropped at the end",
                            "a table SIEMLOAD_TABLES that lists what it has made, kept"),
                    "",
                    new Question<>(
                            () -> rows(
                                    "other-sessions",
                                    row -> new Client(
                                            row.getString("program") + " of " + row.getString("username") + " ("
                                                    + row.getLong("sessions") + " sessions)",
                                            row.getLong("working"))),
                            List.of(),
                            "v$session (GRANT SELECT ON v_$session)"),
                    new Question<>(() -> number("commits").orElse(0), 0L, gap("v$sysstat")),
                    new Question<>(() -> number("quota"), OptionalLong.empty(), gap("user_ts_quotas")));
        }

        private static String gap(String view) {
            return view + " (an administrator may grant SELECT on it)";
        }

        private OptionalLong number(String file) {
            return rows(file, row -> {
                        long number = row.getLong(1);
                        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
                    })
                    .get(0);
        }

        private <T> List<T> rows(String file, RowReading<T> reading) {
            return OracleErrors.INSTANCE.attempt(
                    "see the " + file,
                    () -> TableGroup.FILES.read("server/" + file + ".sql").rows(connection, reading));
        }
    }

    /** The tables of one data set, or of one run's copy of it, as a whole. */
    private record OracleTables(OracleConnections connections, TableGroup tables, IndexSet indexSet)
            implements EventTables {
        private static final int LOADERS = 3;

        @Override
        public String place() {
            return "the tables " + tables.prefix() + "_...";
        }

        @Override
        public void create(Claim claim) {
            connections.maintenance().run("create " + place(), connection -> create(connection, claim));
        }

        private void create(Connection connection, Claim claim) throws SQLException {
            for (String table : TableGroup.TABLES) {
                tables.statement("table-" + table).execute(connection);
            }
            claim.made(RegisteredTables.identity(tables.prefix(), connection));
        }

        @Override
        public StoreKind copyFrom(String kept, Claim claim) {
            TableGroup others = new TableGroup(kept, tables.partitions());
            connections.maintenance().run("copy the tables " + kept + "_...", connection -> {
                create(connection, claim);
                for (String table : TableGroup.TABLES) {
                    Map<String, String> names = Map.of("table", tables.name(table), "kept", others.name(table));
                    TableGroup.FILES.read("tables/copy.sql", names).execute(connection);
                }
            });
            return StoreKind.COPY;
        }

        @Override
        public long events() {
            return connections
                    .maintenance()
                    .get("count the events in " + tables.events(), tables.ofTable("events", TableGroup.EVENT)::number);
        }

        @Override
        public BulkLoad openLoad(String label) {
            return ParallelLoad.start(label, LOADERS, () -> Loader.open(this, label));
        }

        /** Oracle makes the partition of a day by itself for whoever meets its first event. */
        @Override
        public boolean areLoadedTogether() {
            return true;
        }

        @Override
        public void complete(Consumer<String> step) {
            EventTables.super.complete(step);
            step.accept("statistics");
            gatherStatistics();
        }

        @Override
        public List<BuildStep> indexes() {
            return tables.indexSteps(indexSet).stream()
                    .map(step -> new BuildStep(
                            step.name(),
                            () -> connections
                                    .maintenance()
                                    .execute("build '" + step.name() + "' of " + tables.events(), step.sql())))
                    .toList();
        }

        @Override
        public void dropIndexes() {
            connections.maintenance().run("drop the indexes of " + tables.events(), connection -> {
                for (SqlStatement.Step step : tables.indexSteps(indexSet)) {
                    try {
                        dropping(step.name()).execute(connection);
                    } catch (SQLException e) {
                        if (!OracleErrors.isMissingIndex(e)) {
                            throw e;
                        }
                    }
                }
            });
        }

        /** @param step what it makes: {@code index event_time}, or the primary key of the events */
        private SqlStatement dropping(String step) {
            return step.startsWith("index ")
                    ? TableGroup.FILES.read(
                            "tables/drop-index.sql", Map.of("index", tables.name(step.substring("index ".length()))))
                    : tables.ofTable("drop-key", TableGroup.EVENT);
        }

        @Override
        public void gatherStatistics() {
            connections.maintenance().run("gather the statistics of " + tables.events(), connection -> {
                SqlStatement gather = TableGroup.FILES.read("tables/statistics.sql");
                for (String table : TableGroup.TABLES) {
                    try (PreparedStatement statement = connection.prepareStatement(gather.sql())) {
                        SqlStatement.bound(statement, List.of(tables.name(table)))
                                .execute();
                    }
                }
            });
        }

        /** In one transaction. */
        @Override
        public long deleteAll() {
            return connections
                    .maintenance()
                    .change(
                            "delete the events in " + tables.events(),
                            Stream.of("list", "addr", TableGroup.EVENT)
                                    .map(table -> tables.ofTable("delete-all", table))
                                    .toList());
        }

        @Override
        public void checkpoint() {
            connections
                    .maintenance()
                    .execute("take a checkpoint (it takes the right ALTER SYSTEM)", "ALTER SYSTEM CHECKPOINT");
        }

        /** Inserts batches into the tables, each in one transaction. */
        private record Loader(Connection connection, EventInsert events, String label) implements ParallelLoad.Writer {

            static Loader open(OracleTables tables, String label) {
                return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                    Connection connection =
                            tables.connections().maintenance().opening().open();
                    connection.setAutoCommit(false);
                    return new Loader(connection, new EventInsert(connection, tables.tables()), label);
                });
            }

            @Override
            public long write(List<SecurityEvent> batch) {
                return OracleErrors.INSTANCE.attempt("load " + label, () -> {
                    long bytes = events.insert(batch);
                    connection.commit();
                    return bytes;
                });
            }

            @Override
            public void close() {
                try {
                    connection.rollback();
                    connection.close();
                } catch (SQLException alreadyBroken) {
                    // Then the server has rolled back.
                }
            }
        }
    }

    /**
     * The groups of tables that the registry tells of. They are the very ones if Oracle still has them under the numbers that it
     * gave them when they were made. Thread-safe.
     */
    private record RegisteredTables(OracleConnections connections) implements ServerObjects {

        @Override
        public boolean isThere(Entry entry) {
            return connections
                    .quick()
                    .get(
                            "look for the tables " + entry.name() + "_...",
                            connection -> !entry.identity().isEmpty()
                                    && identity(entry.name(), connection).equals(entry.identity()));
        }

        /** Sessions that use a table keep it from being dropped, whoever they are. */
        @Override
        public Drop drop(Entry entry, Sessions sessions) {
            return connections.maintenance().get("drop the tables " + entry.name() + "_...", connection -> {
                SortedMap<String, Long> numbers = numbers(entry.name(), connection);
                List<String> ours = numbers.entrySet().stream()
                        .filter(table -> entry.identity().isEmpty()
                                || List.of(entry.identity().split(" ", -1)).contains(text(table)))
                        .map(Map.Entry::getKey)
                        .toList();
                try {
                    drop(ours, connection);
                } catch (SQLException e) {
                    if (OracleErrors.isInUse(e)) {
                        return Drop.IN_USE;
                    }
                    throw e;
                }
                return ours.size() == numbers.size() ? Drop.GONE : Drop.FOREIGN;
            });
        }

        /** Drops whichever of these tables are there. */
        private static void drop(List<String> tables, Connection connection) throws SQLException {
            for (String table : tables) {
                try {
                    TableGroup.FILES
                            .read("tables/drop-table.sql", Map.of("table", table))
                            .execute(connection);
                } catch (SQLException e) {
                    if (!OracleErrors.isMissingTable(e)) {
                        throw e;
                    }
                }
            }
        }

        /** What tells these tables from others of the same names: {@code SL_..._ADDR=73 SL_..._EVENT=72 SL_..._LIST=74}. */
        static String identity(String prefix, Connection connection) throws SQLException {
            return numbers(prefix, connection).entrySet().stream()
                    .map(RegisteredTables::text)
                    .collect(Collectors.joining(" "));
        }

        private static String text(Map.Entry<String, Long> table) {
            return table.getKey() + "=" + table.getValue();
        }

        private static SortedMap<String, Long> numbers(String prefix, Connection connection) throws SQLException {
            return TableGroup.FILES
                    .read("server/object-numbers.sql")
                    .map(connection, row -> row.getLong(2), prefix.replace("_", "\\_"));
        }
    }
}
