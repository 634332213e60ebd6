package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store.DayRemoval.Means;
import siemload.database.Store.DayRemoval.Removed;
import siemload.database.Store.OwnTransactions.TransactionException.Kind;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutFormat.ValueLines;
import siemload.database.postgresql.PostgresqlConnections.Use;
import siemload.database.postgresql.PostgresqlSearchStatements.SqlText;
import siemload.database.postgresql.PostgresqlSession.OfStatements.Known;
import siemload.database.server.ServerTarget.RunCopy;
import siemload.database.server.ServerTarget.ServerStore;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Field;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Summary;
import siemload.query.ValueField;

/** The database of a run: the run's own copy, a data set, or an existing database. */
abstract class PostgresqlStore extends ServerStore {
    final PostgresqlConnections connections;
    final PostgresqlSearchStatements searches;
    final Layout layout;
    final String database;

    private PostgresqlStore(PostgresqlConnections connections, PostgresqlSearchStatements searches, RunCopy copy) {
        super(copy);
        this.connections = connections;
        this.searches = searches;
        this.layout = searches.layout();
        this.database = copy.name();
    }

    /** Opens a connection for a session whose work can be cancelled, and that notices when the server no longer answers. */
    final RunConnection watched(PostgresqlConnections of, Use use, List<String> settings) {
        return connection(of.session(use, database, settings))
                .connected("open a session in the database " + database)
                .stoppable(
                        copy().watchers(),
                        PostgresqlConnections.PostgresqlErrors.QUERY_CANCELED,
                        open -> open.unwrap(PGConnection.class).cancelQuery())
                .breakingSilence(copy().watchers(), connections.searchTimeout().plus(TargetOptions.SILENCE));
    }

    private RunConnection connection(SqlAccess.Opening opening) {
        return new RunConnection(opening, PostgresqlConnections.PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    final RunConnection timed(SqlAccess.Task setUp) {
        return connection(connections.session(Use.BATCHES, database, List.of()).then(setUp));
    }

    final <T> T ask(String tried, SqlAccess.Work<T> work) {
        return connections.maintenance(database).get(tried + " the database " + database, work);
    }

    /**
     * Returns the rows of a user's or a layout's query over existing data. The query may take as long as a search.
     *
     * @param most the greatest number of rows to return
     */
    final <T> List<T> ask(String what, String sql, int most, SqlStatement.RowReading<T> row) {
        return connections
                .within(connections.searchTimeout(), "")
                .get("ask " + what + " in the database " + database, open -> {
                    try (PreparedStatement query = open.prepareStatement(sql)) {
                        query.setMaxRows(most);
                        return SqlStatement.rows(query, row);
                    }
                });
    }

    /** Times of statements are read in the database of the url, since the databases of runs have no extensions. */
    @Override
    public final Optional<Counters> openCounters() {
        SqlStatement setUp = SQL.read("counters-session");
        SqlAccess.Opening timing = connections.quick().opening().then(setUp::execute);
        return Optional.of(PostgresqlConnections.PostgresqlErrors.INSTANCE.attempt(
                "read the counters in the database " + database,
                () -> new Statistics(timed(setUp::execute), connection(timing), database)));
    }

    @Override
    public final OptionalLong running() {
        return OptionalLong.of(
                ask("see what runs in", open -> SQL.read("running").number(open)));
    }

    @Override
    public final SortedMap<String, Long> relationBytes() {
        return ask(
                "read the sizes of tables in",
                open -> SQL.read("relation-sizes").map(open, row -> row.getLong(2)));
    }

    @Override
    public final OptionalLong rowsWritten() {
        long rows = kind() == StoreKind.EXISTING
                ? ask("see what is written in", open -> SQL.read("rows-written").number(open))
                : -1;
        return rows < 0 ? OptionalLong.empty() : OptionalLong.of(rows);
    }

    /** The store of a run that loads its data: the run's own copy, or a data set that the run only reads. */
    static final class OfRun extends PostgresqlStore {
        OfRun(PostgresqlConnections connections, PostgresqlSearchStatements searches, RunCopy copy) {
            super(connections, searches, copy);
        }

        @Override
        public SearchSession openSession() {
            RunConnection connection = watched(connections, Use.SEARCHES, searches.settings());
            return new PostgresqlSession.OfEvents(connection, searches, false);
        }

        @Override
        public EventSink openSink() {
            return new Sink(layout, timed(open -> {}).connected("open a sink in the database " + database));
        }

        @Override
        public Optional<OwnTransactions> transactions() {
            PostgresqlConnections powerless =
                    connections.quick(database).get("see the rights of the user", this::powerless);
            return Optional.of(new UserTransactions(
                    powerless.maintenance(database), () -> watched(powerless, Use.TRANSACTIONS, List.of())));
        }

        /**
         * Connections of a user who cannot act outside this database.
         *
         * @throws TargetException if the run's own user can act outside this database, and siemload did not start the server
         */
        private PostgresqlConnections powerless(Connection open) throws SQLException {
            if (SQL.read("rights").row(open, row -> row.getString(1)).isEmpty()) {
                return connections;
            }
            if (SQL.read("find-role").number(open, POWERLESS) == 0) {
                throw new TargetException("the user is a superuser on PostgreSQL at " + connections.where()
                        + ", or has similar rights, which statements from a file must not have; use another user,"
                        + " whom an administrator creates with: CREATE ROLE siemload LOGIN CREATEDB PASSWORD '...'");
            }
            SqlStatement.execute(open, "GRANT CREATE, CONNECT ON DATABASE \"" + database + "\" TO " + POWERLESS);
            SqlStatement.execute(open, "GRANT CREATE, USAGE ON SCHEMA public TO " + POWERLESS);
            ServerAddress own = connections.address();
            return connections.at(new ServerAddress(own.url(), POWERLESS, own.password()));
        }

        @Override
        public void createTrends() {
            connections.maintenance(database).run("make the table of trends", SQL.read("trend-table")::execute);
        }

        @Override
        public List<Summary.Line> trendLines(String trend, Field field) {
            return ask(
                    "read the trend " + trend + " in",
                    open -> SQL.read("trend-lines")
                            .rows(open, row -> PostgresqlSession.OfEvents.line(row, field), trend));
        }

        @Override
        public Optional<ServerClock> openClock() {
            RunConnection asked = timed(open -> {}).connected("read the clock in the database " + database);
            String question = SQL.read("now").sql();
            SqlStatement.RowReading<OffsetDateTime> time = row -> row.getObject(1, OffsetDateTime.class);
            return Optional.of(new ServerClock(
                    () -> asked.answer(open ->
                            SqlStatement.row(asked.statement(question), time).toInstant()),
                    Duration.ZERO,
                    asked::close));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            String distinct = SqlText.of(new HashSet<>(ids));
            return ask(
                    "look for events in",
                    open -> layout.read("presence")
                            .row(open, row -> new Presence(row.getLong(1), row.getLong(2)), distinct));
        }

        @Override
        public Optional<DayRemoval> dayRemoval() {
            Means means = layout.about().isByDay() ? Means.PARTITION : Means.ROWS;
            return Optional.of(day -> ask("remove the events of " + day.from() + " in", open -> {
                open.setAutoCommit(false);
                Duration waited = Duration.ZERO;
                for (SqlStatement.Step step : layout.steps("remove-day", Map.of("day", Layout.day(day.from())))) {
                    long start = System.nanoTime();
                    int unused = SqlStatement.of(step.sql())
                            .change(open, end -> SqlText.of(end.equals("from") ? day.from() : day.until()));
                    waited = step.name().equals("lock") ? Duration.ofNanos(System.nanoTime() - start) : waited;
                }
                open.commit();
                return new Removed(means, waited);
            }));
        }
    }

    /** An existing database, which only statements that are marked as writing change. */
    static final class OfStatements extends PostgresqlStore {
        private final PostgresqlConnections ofSessions;
        private final Map<SearchName, Known> statements;

        /** @param ofSessions the connections of sessions; read-only if no statement writes */
        OfStatements(
                PostgresqlConnections connections,
                PostgresqlSearchStatements searches,
                RunCopy copy,
                PostgresqlConnections ofSessions,
                List<Statement> statements) {
            super(connections, searches, copy);
            this.ofSessions = ofSessions;
            this.statements = statements.stream().collect(Collectors.toUnmodifiableMap(Statement::name, Known::new));
        }

        @Override
        public long events() {
            return 0;
        }

        @Override
        public SearchSession openSession() {
            return new PostgresqlSession.OfStatements(watched(ofSessions, Use.STATEMENTS, List.of()), statements);
        }

        @Override
        public Optional<String> refusal(Statement statement) {
            try {
                return connections.quick().get("plan it", new Known(statement)::refusal);
            } catch (TargetException wrong) {
                return Optional.of(String.valueOf(wrong.getMessage()));
            }
        }

        @Override
        public List<String> values(String query, int most) {
            String sql = PostgresqlSession.OfStatements.sql(StatementText.parse(query));
            return ask("a query for values", sql, most, row -> {
                int columns = row.getMetaData().getColumnCount();
                if (columns != 1) {
                    throw new TargetException(
                            "a query for values returns " + columns + " columns (needed: one): " + query);
                }
                String value = row.getString(1);
                if (value == null) {
                    throw new TargetException("a query for values returns NULL in row " + row.getRow()
                            + " (exclude it with WHERE ... IS NOT NULL): " + query);
                }
                return value;
            });
        }
    }

    /** An existing database, searched with a layout and not loaded. Each search is a transaction that begins as READ ONLY. */
    static final class OfEvents extends PostgresqlStore {
        private static final String TIMES = "times";

        OfEvents(PostgresqlConnections connections, PostgresqlSearchStatements searches, RunCopy copy) {
            super(connections, searches, copy);
        }

        @Override
        public SearchSession openSession() {
            return new PostgresqlSession.OfEvents(
                    watched(connections, Use.READING_SEARCHES, searches.settings()), searches, true);
        }

        @Override
        public Span span() {
            String sql = layout.read(TIMES).sql();
            return ask(TIMES, sql, 1, OfEvents::span).stream().findFirst().orElseThrow(OfEvents::nothing);
        }

        private static Span span(ResultSet row) throws SQLException {
            long timeless = row.getMetaData().getColumnCount() > 3 ? row.getLong(4) : 0;
            return new Span(finite(row, 1), finite(row, 2), row.getLong(3), timeless);
        }

        private static TargetException nothing() {
            return new TargetException(TIMES + " finds no event: there is nothing to search");
        }

        private static Instant finite(ResultSet row, int column) throws SQLException {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            if (time == null) {
                throw nothing();
            }
            if (time.equals(OffsetDateTime.MIN) || time.equals(OffsetDateTime.MAX)) {
                throw new TargetException(
                        TIMES + " returns an infinite time, at which no window could end (exclude such"
                                + " rows, for instance with max(:time) FILTER (WHERE isfinite(:time)))");
            }
            return time.toInstant();
        }

        @Override
        public Map<ValueField, List<CountedValue>> values(int most) {
            Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
            for (SqlStatement.Step asked : layout.steps(ValueLines.BLOCK, Map.of())) {
                ValueField field = ValueLines.field(asked.name());
                String what = ValueLines.BLOCK + ", query " + field.label() + ",";
                ValueLines lines = new ValueLines(field);
                List<String> unused = ask(what, asked.sql(), most, row -> add(row, lines));
                values.put(field, lines.all());
            }
            return values;
        }

        private static String add(ResultSet row, ValueLines lines) throws SQLException {
            ResultSetMetaData columns = row.getMetaData();
            if (columns.getColumnCount() < 2) {
                throw lines.wrong("returns one column (needed: the value, and the number of events that have it)");
            }
            String value = row.getString(1);
            if (value == null) {
                throw lines.wrong("returns NULL (exclude it with WHERE)");
            }
            Map<String, Optional<String>> beside = new HashMap<>();
            for (int column = 3; column <= columns.getColumnCount(); column++) {
                beside.put(
                        columns.getColumnLabel(column).toLowerCase(Locale.ROOT),
                        Optional.ofNullable(row.getString(column)));
            }
            lines.add(value, row.getLong(2), beside);
            return value;
        }
    }

    /** Inserts a batch into all tables in one transaction, with one statement for each event and table. */
    private static final class Sink implements EventSink {
        private static final int TELLS_LOG_SINCE = 18;
        private static final SqlStatement LOG_BYTES = SQL.read("log-bytes");

        private final List<TableInsert> inserts;
        private final IdeaWriter writer = new IdeaWriter();
        private final RunConnection connection;

        Sink(Layout layout, RunConnection connection) {
            this.inserts = layout.tables().stream()
                    .map(table -> layout.of("insert-", table))
                    .map(insert -> new TableInsert(
                            insert.sql(),
                            insert.values().stream().map(Sink::field).toList()))
                    .toList();
            this.connection = connection;
        }

        private record TableInsert(String sql, List<EventField> fields) {}

        /** The field of a statement's value. All addresses of an event are one value, and so are all their sides. */
        private static EventField field(String name) {
            return switch (name) {
                case "addresses" -> EventField.NETWORK;
                case "sides" -> EventField.SIDE;
                default -> EventField.valueOf(name.toUpperCase(Locale.ROOT));
            };
        }

        /** Inserts into tables in their order: tables that other tables refer to come first. */
        @Override
        public long write(List<SecurityEvent> batch) {
            return connection.transaction(open -> {
                long bytes = 0;
                for (TableInsert insert : inserts) {
                    PreparedStatement statement = connection.statement(insert.sql);
                    statement.clearBatch(); // Rows that an earlier, partly failed batch may have left.
                    for (SecurityEvent event : batch) {
                        bytes += bind(statement, insert.fields, event);
                        statement.addBatch();
                    }
                    statement.executeBatch();
                }
                return bytes;
            });
        }

        /** @return the size of the event's JSON in bytes, or 0 if the table has no JSON */
        private int bind(PreparedStatement statement, List<EventField> fields, SecurityEvent event)
                throws SQLException {
            int bytes = 0;
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i) == EventField.JSON) {
                    byte[] json = writer.toBytes(event);
                    statement.setBytes(i + 1, json);
                    bytes += json.length;
                } else {
                    statement.setString(i + 1, SqlText.of(fields.get(i), event));
                }
            }
            return bytes;
        }

        @Override
        public OptionalLong logBytes() {
            return connection.answer(open -> {
                if (open.getMetaData().getDatabaseMajorVersion() < TELLS_LOG_SINCE) {
                    return OptionalLong.empty();
                }
                // The server process publishes its counts between two transactions.
                connection.statement(PostgresqlSession.HAND_IN.sql()).execute();
                return OptionalLong.of(SqlStatement.row(connection.statement(LOG_BYTES.sql()), row -> row.getLong(1)));
            });
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    /**
     * Transactions of a scenario's statements in the store of one run.
     *
     * @param access for a user who cannot act outside that store
     * @param opening opens a connection of that user
     */
    private record UserTransactions(SqlAccess access, Supplier<RunConnection> opening) implements OwnTransactions {
        /** Uses one transaction up to the first VACUUM, so that the server need not log tables created in it (if there is no replica). */
        @Override
        public void setUp(List<String> statements, Consumer<String> begun) {
            access.run("set up the tables of the scenario", connection -> {
                connection.setAutoCommit(false);
                for (String one : statements) {
                    begun.accept(one);
                    if (one.strip().toLowerCase(Locale.ROOT).startsWith("vacuum")) {
                        connection.setAutoCommit(true);
                    }
                    SqlStatement.execute(connection, one);
                }
                connection.setAutoCommit(true);
            });
        }

        @Override
        public long number(String query) {
            return access.get("ask the store of the run", connection -> {
                try (java.sql.Statement statement = connection.createStatement()) {
                    statement.execute(query);
                    return number(statement);
                }
            });
        }

        /** The first number of the answer, or 0 for an answer without a row. */
        private static long number(java.sql.Statement executed) throws SQLException {
            try (ResultSet answer = executed.getResultSet()) {
                return answer != null && answer.next() ? answer.getLong(1) : 0;
            }
        }

        @Override
        public Session openSession() {
            return new PreparedSession(opening.get());
        }

        /** Executes prepared statements, with one round trip for each and one for the commit. */
        private record PreparedSession(RunConnection connection) implements Session {
            @Override
            public long transact(List<Bound> statements) {
                AtomicBoolean committing = new AtomicBoolean();
                try {
                    return connection.answer(open -> {
                        connection.begin();
                        long number = 0;
                        for (Bound one : statements) {
                            PreparedStatement statement = connection.statement(one.sql(), one.values());
                            statement.execute();
                            number = number(statement);
                        }
                        committing.set(true);
                        open.commit();
                        return number;
                    });
                } catch (SearchException failed) {
                    String code = failed.code().isEmpty() ? "" : " (" + failed.code() + ")";
                    throw new TransactionException(kind(failed, committing.get()), failed.getMessage() + code, failed);
                }
            }

            /**
             * The kind of a failure. Class 40 of SQLSTATE is a rollback after a deadlock or a serialization failure; a transaction that
             * waited too long for a locked row is retried as well.
             *
             * @param committing whether the transaction's commit may have reached the server
             */
            private static Kind kind(SearchException failed, boolean committing) {
                if (failed.code().startsWith("40")) {
                    return Kind.CONFLICT;
                }
                return committing
                        ? Kind.UNKNOWN
                        : switch (failed.kind()) {
                            case CONNECTION -> Kind.LOST;
                            case TIMEOUT -> Kind.CONFLICT;
                            case CANCELLED, REFUSED, OTHER -> Kind.REFUSED;
                        };
            }

            @Override
            public void close() {
                connection.close();
            }
        }
    }

    /**
     * Reads the statistics views of the server. A backend publishes its counts at most once a second, between two transactions, and when it
     * ends; a backend that becomes idle within that second holds its counts back for up to ten seconds.
     */
    static final class Statistics implements Counters {
        private static final int IO_SINCE = 16;
        private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
        private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
        private static final SqlStatement PENDING = SQL.read("counters-pending");

        private final RunConnection connection;
        private final RunConnection timing;
        private final String database;
        private final Set<String> gaps = new LinkedHashSet<>();
        private final Map<String, Long> sessions = new HashMap<>();
        private final String views;
        private StatementSource source = StatementSource.none(
                "the extension pg_stat_statements is missing (an administrator can add it to"
                        + " shared_preload_libraries, restart the server, and create it in the database that the url names)");
        private Optional<SqlStatement> times = Optional.empty();

        /**
         * Finds out what the server does not count.
         *
         * @param connection to the counted database; {@code counters-session} configures both connections when they are opened
         * @param timing to a database that may have the extension pg_stat_statements, which counts for all databases; statements are
         *     identified by their query identifiers
         * @param database the database whose statements are read
         */
        Statistics(RunConnection connection, RunConnection timing, String database) throws SQLException {
            this.connection = connection;
            this.timing = timing;
            this.database = database;
            int version = connection.get().getMetaData().getDatabaseMajorVersion();
            if (version < IO_SINCE) {
                gaps.add("PostgreSQL before " + IO_SINCE + " does not count writes to tables and indexes");
            }
            // One statement reads all views, so that they show the same moment.
            views = Stream.concat(
                            Stream.of("relations", "start", "sessions", "temp", "traffic")
                                    .map(view -> question(view, version)),
                            Stream.of("database", "wal", "checkpoints", "io")
                                    .map(view -> SQL.part("counters-of-view", Map.of("view", question(view, version)))))
                    .collect(Collectors.joining("\nUNION ALL\n"));
            Map<String, StatementTime> unused = times();
        }

        /** A query for counters, in the newest form that the server supports. */
        private static String question(String name, int version) {
            String since = "counters-" + name + (version == 0 ? "" : "-" + version);
            return version == 0 || SQL.has(since) ? SQL.read(since).sql() : question(name, version - 1);
        }

        @Override
        public CounterReading read() {
            CounterReading reading = connection.answer(open -> reading());
            return times.isEmpty() ? reading : reading.with(times());
        }

        @Override
        public StatementSource statements() {
            return source;
        }

        @Override
        public CounterReading readSettled() {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            long left = connection.number(PENDING);
            while (left > 0
                    && System.nanoTime() - deadline < 0
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
                left = connection.number(PENDING);
            }
            if (left > 0) {
                gaps.add(
                        left
                                + " connections had not ended when the counters were read: the counts of their last seconds may be missing");
            }
            return read();
        }

        @Override
        public List<String> gaps() {
            return List.copyOf(gaps);
        }

        @Override
        public void close() {
            timing.close();
            connection.close();
        }

        /** Reads the views. PostgreSQL has no undo log to count: old row versions are in the tables. */
        private CounterReading reading() throws SQLException {
            Map<String, Io> io = new HashMap<>();
            for (String category : List.of(Io.DATA, Io.INDEX, Io.REDO, Io.TEMP, Io.REST)) {
                io.put(category, new Io(category, 0, 0, 0, 0, 0));
            }
            List<Relation> relations = new ArrayList<>();
            Map<String, Long> counters = new HashMap<>();
            String start = "";
            try (ResultSet row = connection.statement(views).executeQuery()) {
                while (row.next()) {
                    String name = row.getString(2);
                    long one = Math.round(row.getDouble(3));
                    long other = Math.round(row.getDouble(4));
                    switch (row.getString(1)) {
                        case "counter" -> counters.put(name, one);
                        case "session" ->
                            sessions.merge(SessionState.valueOf(name).counter(), one, Long::sum);
                        case "start" -> start = name;
                        case "reads" -> io.merge(name, new Io(name, one, other, 0, 0, 0), Io::plus);
                        case "writes" -> io.merge(name, new Io(name, 0, 0, one, other, 0), Io::plus);
                        case "hits" -> io.merge(name, new Io(name, 0, 0, 0, 0, one), Io::plus);
                        default -> relations.add(new Relation(name, row.getString(1), one, other));
                    }
                }
            }
            // The server does not report whether a block that it wrote belongs to the run's tables and indexes.
            io.computeIfPresent(
                    Io.REST,
                    (name, all) ->
                            all.less(io.getOrDefault(Io.DATA, Io.NONE)).less(io.getOrDefault(Io.INDEX, Io.NONE)));
            sessions.merge(SessionState.READINGS, 1L, Long::sum);
            counters.putAll(sessions);
            return new CounterReading(io.values(), relations, counters).startedAt(start);
        }

        /** Times of all statements since the server began to count them, by query identifier; empty if it reports no times. */
        private Map<String, StatementTime> times() {
            try {
                return timing.answer(open -> {
                    if (times.isEmpty()) {
                        SQL.read("statement-times-where")
                                .map(open, row -> row.getString(2))
                                .forEach((schema, covered) -> {
                                    times = Optional.of(SQL.read("statement-times", Map.of("schema", schema)));
                                    source = StatementSource.of("pg_stat_statements", covered);
                                });
                    }
                    return times.isEmpty() ? Map.of() : times.get().map(open, Statistics::time, database);
                });
            } catch (SearchException refused) {
                if (times.isEmpty() || refused.kind() != SearchException.Kind.CONNECTION) {
                    times = Optional.empty();
                    source = StatementSource.none("pg_stat_statements cannot be read: " + refused.getMessage());
                }
                return Map.of();
            }
        }

        private static StatementTime time(ResultSet row) throws SQLException {
            return new StatementTime(row.getLong(2), nanos(row, 3), nanos(row, 4));
        }

        private static long nanos(ResultSet row, int column) throws SQLException {
            return Math.round(row.getDouble(column) * 1e6);
        }
    }
}
