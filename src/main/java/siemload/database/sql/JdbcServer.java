package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SearchSession;
import siemload.database.SearchSession.Plan;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.layout.Blocks;
import siemload.database.server.Portions;
import siemload.database.server.Registry;
import siemload.database.server.ServerTarget;
import siemload.database.sql.SqlAccess.SqlErrors;
import siemload.database.sql.SqlAccess.SqlErrors.Fault;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A server on which each data set and each run has a group of tables in the user's own schema. Each call opens its own connection, but
 * calls of the registry share one.
 */
public final class JdbcServer extends ServerTarget {
    private static final Duration QUICK = Duration.ofSeconds(60);
    private static final int LONGEST_PREFIX = 40;
    /** Stands for the fingerprint in the names of tables that belong to no data set. */
    private static final String NO_DATASET = "0000000000000000";

    private final Dialect dialect;
    private final TargetOptions options;
    private final RegisteredTables registry;
    private final Dialect.About about;

    private JdbcServer(Dialect dialect, TargetOptions options) {
        this.dialect = dialect;
        this.options = options;
        this.registry = new RegisteredTables();
        this.about = dialect.about(slow());
    }

    /**
     * Connects for a run.
     *
     * @throws TargetException if the server cannot be reached, or lacks what a run needs
     */
    public static JdbcServer connect(Dialect dialect, TargetOptions options) {
        try {
            return new JdbcServer(dialect, options);
        } catch (TargetException e) {
            dialect.close();
            throw e;
        }
    }

    /** Returns access for loading, copying, indexing, counting and dropping. */
    private SqlAccess slow() {
        return new SqlAccess(opening(TargetOptions.MAINTENANCE_TIMEOUT), dialect);
    }

    /** Returns access for queries about the server, for the registry, and for statements on a few rows. */
    private SqlAccess quick() {
        return new SqlAccess(opening(QUICK), dialect);
    }

    private SqlAccess.Opening opening(Duration silence) {
        SqlAccess.Opening plain = () -> dialect.open(silence.toMillis());
        return dialect.blocks().has("session") ? plain.then(dialect.blocks().read("session")::execute) : plain;
    }

    /** Connects for searches or batches of a run. */
    private RunConnection ofRun(String tried) {
        return new RunConnection(opening(options.longestSilence()), dialect, options.searchTimeout()).connected(tried);
    }

    @Override
    public String version() {
        return about.version();
    }

    @Override
    public Transport transport() {
        return about.transport();
    }

    @Override
    protected String place() {
        return dialect.name();
    }

    @Override
    public SortedMap<String, String> settings() {
        return dialect.settings(slow());
    }

    @Override
    public Optional<ServerUse> use() {
        return dialect.use(quick());
    }

    @Override
    protected Registry.Server home() {
        return registry;
    }

    /** Names begin with {@code SL_<fingerprint>_<random>_}. */
    @Override
    protected String newName(Registry.Entry.Purpose purpose, String fingerprint, String runId) {
        String text = fingerprint.isEmpty() ? NO_DATASET : fingerprint;
        return Registry.name("SL_", text, LONGEST_PREFIX).toUpperCase(Locale.ROOT);
    }

    @Override
    protected TableGroup tables(String name) {
        return new TableGroup(dialect, slow(), name, options.variant());
    }

    @Override
    protected Store openStore(RunCopy copy) {
        return new JdbcStore(copy, tables(copy.name()));
    }

    @Override
    protected void disconnect() {
        registry.close();
        dialect.close();
    }

    private final class JdbcStore extends ServerStore {
        private final TableGroup tables;
        private final TableGroup.Searches statements;

        JdbcStore(RunCopy copy, TableGroup tables) {
            super(copy);
            this.tables = tables;
            this.statements = new TableGroup.Searches(tables);
        }

        @Override
        public SearchSession openSession() {
            return new ColumnSession(ofRun("open a session"), statements, copy().watchers());
        }

        @Override
        public Store.EventSink openSink() {
            return new JdbcSink(ofRun("open a sink"), tables);
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            Map<String, Long> stored =
                    slow().get("look for events in " + tables.eventTable(), open -> tables.stored(ids, open));
            long duplicated =
                    stored.values().stream().filter(times -> times > 1).count();
            return new Presence(stored.size(), duplicated);
        }

        /** Returns the sizes by the layout's names. The names in the database also contain the copy's prefix. */
        @Override
        public SortedMap<String, Long> relationBytes() {
            String prefix = tables.prefix() + "_";
            SortedMap<String, Long> sizes = new TreeMap<>();
            slow().get(
                            "read the sizes of " + tables.place(),
                            open -> tables.statement("relation-sizes").map(open, row -> row.getLong(2), prefix))
                    .forEach((name, bytes) -> sizes.put(name.substring(prefix.length()), bytes));
            return sizes;
        }
    }

    /**
     * Inserts batches into the three tables, each batch in one transaction. The server is asked for known ids only after it has refused a
     * batch with a known id. So a feeder that never repeats a batch pays nothing for this check.
     */
    private record JdbcSink(RunConnection connection, TableGroup tables) implements Store.EventSink {

        @Override
        public long write(List<SecurityEvent> batch) {
            return connection.transaction(open -> {
                try {
                    return insert(open, batch);
                } catch (SQLException e) {
                    if (!tables.dialect().is(Fault.DUPLICATE, e)) {
                        throw e;
                    }
                    open.rollback();
                    return insertMissing(open, batch);
                }
            });
        }

        private long insert(Connection open, Collection<SecurityEvent> batch) throws SQLException {
            try (TableGroup.EventRows insert = new TableGroup.EventRows(open, tables)) {
                return insert.insert(batch);
            }
        }

        private long insertMissing(Connection open, List<SecurityEvent> batch) throws SQLException {
            Map<String, SecurityEvent> missing = new LinkedHashMap<>();
            batch.forEach(event -> missing.putIfAbsent(event.id(), event));
            missing.keySet().removeAll(tables.stored(missing.keySet(), open).keySet());
            long unused = insert(open, missing.values());
            IdeaWriter writer = new IdeaWriter();
            return batch.stream()
                    .mapToLong(event -> writer.toBytes(event).length)
                    .sum();
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    /**
     * The registry in the user's own schema, and the groups of tables that it records. Tables are the recorded ones if they still have the
     * numbers or marks that they got when they were created.
     */
    private final class RegisteredTables extends SqlAccess.SqlRegistry {
        RegisteredTables() {
            super("siemload_tables", dialect.blocks().read("now"), dialect);
        }

        @Override
        protected Optional<Connection> home() throws SQLException {
            return Optional.of(quick().opening().open());
        }

        @Override
        protected Connection make() throws SQLException {
            Connection open = quick().opening().open();
            boolean unused = dialect.isMade(
                    () -> dialect.blocks().read("create-registry").execute(open), Fault.NAME_TAKEN);
            return open;
        }

        @Override
        public boolean isThere(Registry.Entry entry) {
            return quick().get(
                            "look for the tables " + entry.name() + "_...",
                            open -> !entry.identity().isEmpty()
                                    && tables(entry.name()).identity(open).equals(entry.identity()));
        }

        /** Drops the tables of an entry, unless some session uses them. */
        @Override
        public boolean drop(Registry.Entry entry, Registry.Sessions sessions) {
            return slow().get("drop the tables " + entry.name() + "_...", open -> {
                List<String> known = List.of(entry.identity().split(" ", -1));
                for (Map.Entry<String, String> table :
                        tables(entry.name()).numbers(open).entrySet()) {
                    SqlStatement drop = dialect.blocks().read("drop-table", Map.of("table", table.getKey()));
                    boolean isOurs = entry.identity().isEmpty() || known.contains(table.getValue());
                    if (isOurs
                            && !dialect.isMade(
                                    () -> dialect.isMade(() -> drop.execute(open), Fault.NO_TABLE), Fault.IN_USE)) {
                        return false;
                    }
                }
                return true;
            });
        }
    }

    /** Searches tables of events. The driver fetches rows in portions and caches parsed statements. */
    private static final class ColumnSession extends RunConnection.JdbcSession {
        private final Dialect dialect;
        private final TableGroup.Searches statements;
        private volatile @Nullable Statement running;

        ColumnSession(RunConnection connection, TableGroup.Searches statements, ScheduledExecutorService watchers) {
            super(connection);
            this.statements = statements;
            dialect = statements.tables().dialect();
            RunConnection unused = connection.stoppable(watchers, "", open -> {
                Statement asked = running;
                if (asked != null) {
                    asked.cancel();
                }
            });
        }

        @Override
        protected SqlSearches searches() {
            return statements;
        }

        @Override
        protected String id(ResultSet row) throws SQLException {
            return TableGroup.readId(row.getBytes(1));
        }

        @Override
        protected Instant detectTime(ResultSet row) throws SQLException {
            return row.getObject(2, LocalDateTime.class).toInstant(ZoneOffset.UTC);
        }

        @Override
        public long search(Search search, RowReader reader) {
            SqlSearches.Rows found = statements.rows(search);
            int most = found.way() == SqlSearches.Way.WHOLE ? Portions.ROWS : found.size();
            RowReader checked = canceller().checked(reader);
            return ask(found.statement(), most, statement -> readAll(statement, checked));
        }

        /** Explains with literal values, since planners look at them, and leaves nothing behind on the server. */
        @Override
        public Plan explain(Search search) {
            Compiled sql = search.summary()
                    .map(summary -> statements.of(search, summary))
                    .orElseGet(() -> statements.rows(search).statement());
            String written = SqlStatement.written(
                    sql.sql(), place -> dialect.literal(sql.values().get(place)));
            return answer(open -> {
                connection().begin();
                try {
                    return dialect.explain(open, written, statements.tables());
                } finally {
                    connection().rollBack();
                }
            });
        }

        @Override
        public <T> T ask(Compiled sql, Execution<T> execution) {
            return ask(sql, Portions.ROWS, execution);
        }

        /** @param rows the most rows to expect: one more is fetched, since otherwise the end would need another round trip */
        private <T> T ask(Compiled sql, int rows, Execution<T> execution) {
            Compiled sent = dialect.plansWithLimits() ? withLimits(sql) : sql;
            return answer(open -> {
                try (PreparedStatement statement = open.prepareStatement(sent.sql())) {
                    SqlStatement.bound(statement, sent.values()).setFetchSize(Math.min(rows + 1, Portions.ROWS));
                    running = statement;
                    canceller().scheduleDeadline();
                    return execution.of(statement);
                }
            });
        }

        /** Writes limits, offsets and steps, which are whole numbers, as literals. */
        private static Compiled withLimits(Compiled sql) {
            List<Object> values = sql.values();
            return new Compiled(
                    SqlStatement.written(
                            sql.sql(), place -> values.get(place) instanceof Long number ? number.toString() : "?"),
                    values.stream().filter(value -> !(value instanceof Long)).toList());
        }

        @Override
        protected Summary.Line line(ResultSet result, Search search, Summary summary) throws SQLException {
            Instant start = search.window().start();
            boolean overTime = summary instanceof Summary.OverTime;
            Instant from = summary instanceof Summary.OverTime timeline
                    ? start.plus(timeline.step(search.window()).multipliedBy(result.getLong(1)))
                    : start;
            int value = overTime ? 2 : 1;
            return new Summary.Line(
                    from, TableGroup.readValue(summary.field(), result.getString(value)), result.getLong(value + 1));
        }
    }

    /**
     * The part of {@link JdbcServer} that is specific to one database: connections, statements, errors, plans. Thread-safe. Every call to
     * the server throws a {@link siemload.database.TargetException} or a {@link SQLException} if the server refuses.
     */
    public abstract static class Dialect extends SqlErrors implements AutoCloseable {
        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
        private static final Blocks COMMON = Blocks.ofResource("/siemload/database/sql/tables", Blocks.Syntax.SQL);

        private final String name;
        private final SqlStatement.SqlBlocks blocks;

        /**
         * Creates the dialect of a database.
         *
         * @param name the database's name in messages, as its makers write it
         * @param blocks the statements, and {@code errors} as in {@link SqlErrors}; {@code sql/tables.sql} has the defaults
         */
        protected Dialect(String name, Blocks blocks) {
            super(blocks.text("errors"));
            this.name = name;
            this.blocks = new SqlStatement.SqlBlocks(blocks.or(COMMON));
        }

        public final String name() {
            return name;
        }

        /** The dialect's statements, and the parts of its searches. */
        public final SqlStatement.SqlBlocks blocks() {
            return blocks;
        }

        /**
         * Opens a connection that is not set up yet.
         *
         * @param silenceMillis how long an answer may take before the network counts as lost
         */
        public abstract Connection open(long silenceMillis) throws SQLException;

        public record About(String version, Transport transport) {}

        /** Identifies a server, and makes sure that it can do what a run needs. A server in this process reports only its version. */
        public About about(SqlAccess access) {
            String version =
                    access.get("open " + name, open -> blocks.read("about").row(open, row -> row.getString(1)));
            return new About(version, Transport.IN_PROCESS);
        }

        /** The server's settings that differ from its defaults, or that matter; if the user may not see them, one line says so. */
        final SortedMap<String, String> settings(SqlAccess access) {
            return access.get(
                    "read the settings of " + name,
                    open -> unless(
                            refused -> is(Fault.NO_TABLE, refused),
                            () -> blocks.read("settings").map(open, row -> row.getString(2)),
                            unseen -> new TreeMap<>(Map.of("settings", blocks.part("settings-unseen", Map.of())))));
        }

        /** The other users of the server; empty if there can be none. */
        public Optional<ServerUse> use(SqlAccess access) {
            return Optional.empty();
        }

        /** The clauses that the blocks of tables leave open in addition to names, by the clauses' names. */
        public Map<String, String> clauses(Partitions partitions) {
            return Map.of();
        }

        /** The text after SELECT, such as a comment for the optimizer. */
        public String hint(Search search, Hint hint, IndexSet indexes, TableGroup tables) {
            return "";
        }

        /** The server's plan of a statement with literal values. */
        public abstract Plan explain(Connection open, String statement, TableGroup tables) throws SQLException;

        final String literal(Object value) {
            if (value instanceof String text) {
                return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
            } else if (value instanceof byte[] bytes) {
                return blocks.part(
                        "bytes", Map.of("hex", HexFormat.of().withUpperCase().formatHex(bytes)));
            } else if (value instanceof LocalDateTime time) {
                return "TIMESTAMP '" + TIME.format(time) + "'";
            }
            return value.toString();
        }

        /** Returns whether plans are good only with a literal limit: with a bound limit, all rows would be sorted. */
        public boolean plansWithLimits() {
            return false;
        }

        /** Adds rows to a table of a group, in the order of the columns of its block {@code insert-<table>}. */
        public TableGroup.Rows rows(Connection open, TableGroup tables, String table) throws SQLException {
            return new TableGroup.Batch(
                    open.prepareStatement(tables.statement("insert-" + table).sql()));
        }

        /** Releases the dialect's own resources. */
        @Override
        public void close() {}
    }
}
