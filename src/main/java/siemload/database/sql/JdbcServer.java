package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.registry.Registry;
import siemload.database.registry.Registry.Entry;
import siemload.database.registry.Registry.Entry.Purpose;
import siemload.database.server.Portions;
import siemload.database.server.ServerStore;
import siemload.database.server.ServerStore.RunCopy;
import siemload.database.server.ServerTarget;
import siemload.database.sql.SqlErrors.Fault;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.TableGroup.ColumnValues;
import siemload.database.sql.TableGroup.EventRows;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A server on which each data set and each run has a group of tables in the user's own schema. But for the registry's, each call opens
 * a connection of its own.
 */
public final class JdbcServer extends ServerTarget {
    private static final Duration QUICK = Duration.ofSeconds(60);
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** A word or a number; anything else is written as a text. */
    private static final Pattern PLAIN_VALUE = Pattern.compile("[\\w.$-]+");

    private static final int LONGEST_PREFIX = 40;
    /** Stands in the names of tables that no data set is copied into. */
    private static final String NO_DATASET = "0000000000000000";

    private static final String REGISTRY = "siemload_tables";

    private final Dialect dialect;
    private final TargetOptions options;
    private final RegisteredTables registry;
    private final Dialect.About about;

    private JdbcServer(Dialect dialect, TargetOptions options) {
        this.dialect = dialect;
        this.options = options;
        this.registry = new RegisteredTables();
        this.about = dialect.about(slow());
        options.parameters()
                .forEach((name, value) ->
                        slow().run("set the parameter " + name + "=" + value, open -> set(open, name, value)));
    }

    /**
     * Connects for a run.
     *
     * @throws TargetException if the server cannot be reached, lacks what a run needs, or refuses a parameter in its own words
     */
    public static JdbcServer connect(Dialect dialect, TargetOptions options) {
        try {
            return new JdbcServer(dialect, options);
        } catch (TargetException e) {
            dialect.close();
            throw e;
        }
    }

    private void set(Connection open, String name, String value) throws SQLException {
        boolean plain = PLAIN_VALUE.matcher(value).matches();
        String written = plain ? value : "'" + value.replace("'", "''") + "'";
        SqlStatement.execute(open, dialect.blocks().part("set-parameter", Map.of("name", name, "value", written)));
    }

    /** For loading, copying, indexing, counting and dropping. */
    private SqlAccess slow() {
        return new SqlAccess(opening(options.maintenanceTimeout()), dialect);
    }

    /** For questions about the server, the registry, and all that only touches a few rows. */
    private SqlAccess quick() {
        return new SqlAccess(opening(QUICK), dialect);
    }

    private SqlAccess.Opening opening(Duration silence) {
        SqlAccess.Opening plain = () -> dialect.open(silence.toMillis());
        return dialect.blocks().has("session") ? plain.then(dialect.blocks().read("session")::execute) : plain;
    }

    /** For searches and batches of a run. */
    private SqlAccess.Opening timed() {
        return opening(options.searchTimeout().plus(SILENCE)).then(open -> {
            for (Map.Entry<String, String> parameter : options.parameters().entrySet()) {
                set(open, parameter.getKey(), parameter.getValue());
            }
        });
    }

    private RunConnection ofRun(String tried) {
        return new RunConnection(timed(), dialect, options.searchTimeout()).connected(tried);
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
        SortedMap<String, String> settings = dialect.settings(slow());
        settings.putAll(options.parameters());
        return settings;
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
    protected String newName(Purpose purpose, String fingerprint, String runId) {
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

    /** The tables that are the copy of one run. */
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
        public EventSink openSink() {
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

        /** Under the names of the layout: those in the database also tell which copy it is. */
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
     * Inserts batches into the three tables, each in one transaction. Only after the server has refused a batch because it
     * knows an id is it asked which ones: a feeder that meets no trouble pays nothing for its right to write again.
     */
    private record JdbcSink(RunConnection connection, TableGroup tables) implements EventSink {

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
            try (EventRows insert = new EventRows(open, tables)) {
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
     * The registry in the user's own schema, and the groups of tables that it tells of. They are the very ones if the server still has them
     * under the numbers or marks that they got when they were made.
     */
    private final class RegisteredTables extends SqlRegistry {
        RegisteredTables() {
            super(REGISTRY, dialect.blocks().read("now"), dialect);
        }

        /** The table is in the user's own schema. */
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
        public boolean isThere(Entry entry) {
            return quick().get(
                            "look for the tables " + entry.name() + "_...",
                            open -> !entry.identity().isEmpty()
                                    && tables(entry.name()).identity(open).equals(entry.identity()));
        }

        /** Sessions that use a table keep it from being dropped, whoever they are. */
        @Override
        public boolean drop(Entry entry, Registry.Sessions sessions) {
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

    /** Searches tables of events. The driver fetches rows in portions and keeps the parsed statements. */
    private static final class ColumnSession extends JdbcSession {
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
            return ColumnValues.readId(row.getBytes(1));
        }

        @Override
        protected Instant detectTime(ResultSet row) throws SQLException {
            return ColumnValues.readTime(row.getObject(2, LocalDateTime.class));
        }

        @Override
        public long search(Search search, RowReader reader) {
            SqlSearches.Rows found = statements.rows(search);
            int most = found.way() == SqlSearches.Way.WHOLE ? Portions.ROWS : found.size();
            RowReader checked = canceller().checked(reader);
            return ask(found.statement(), most, statement -> readAll(statement, checked));
        }

        /** With the values written out, since planners look into them, and with no trace left. */
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

        /** @param rows how many to expect at most: one more is fetched, or the end would need a round trip of its own */
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

        /** With limits, offsets and steps written out, which are whole numbers. */
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
                    from, ColumnValues.readValue(summary.field(), result.getString(value)), result.getLong(value + 1));
        }
    }
}
