package siemload.database.postgresql;

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
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.OwnTransactions;
import siemload.database.OwnTransactions.TransactionException.Kind;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.DayRemoval.Removed;
import siemload.database.Store.EventSink;
import siemload.database.Store.Span;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.layout.EventField;
import siemload.database.layout.LayoutAbout.LayoutTable;
import siemload.database.layout.ValueLines;
import siemload.database.postgresql.PostgresqlConnections.Use;
import siemload.database.postgresql.PostgresqlSession.OfStatements.Known;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerStore;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Opening;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.RowReading;
import siemload.event.AddressRange;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Field;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.Summary;
import siemload.query.ValueField;
import siemload.query.Window;

/** A database that a run works on: its own copy, or one that was there before, of which all stays as it is. */
abstract class PostgresqlStore extends ServerStore {
    final PostgresqlConnections connections;
    final String database;

    private PostgresqlStore(PostgresqlConnections connections, RunCopy copy) {
        super(copy);
        this.connections = connections;
        this.database = copy.name();
    }

    /** One that was there before the run, and stays as it is but for what statements write that say so. */
    private PostgresqlStore(PostgresqlConnections connections) {
        this(
                connections,
                RunCopy.existing(connections
                        .quick()
                        .get("open the database at " + connections.where(), Connection::getCatalog)));
    }

    final String place() {
        return "the database " + database;
    }

    /** The connection of a session, whose silence is noticed. */
    final RunConnection watched(PostgresqlConnections of, Use use, List<String> settings) {
        RunConnection connection = connection(of.session(use, database, settings))
                .connected("open a session in " + place())
                .stoppable(
                        copy().watchers(),
                        PostgresqlErrors.QUERY_CANCELED,
                        open -> open.unwrap(PGConnection.class).cancelQuery());
        return watched(connection);
    }

    final RunConnection watched(RunConnection connection) {
        return connection.breakingSilence(copy().watchers(), connections.longestSilence());
    }

    final RunConnection connection(Opening opening) {
        return new RunConnection(opening, PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    final <T> T ask(String tried, Work<T> work) {
        return connections.maintenance(database).get(tried + " " + place(), work);
    }

    /**
     * The rows of a query of a user or of a layout over data that were there before, which may take as long as a search.
     *
     * @param most rows that are taken
     */
    final <T> List<T> ask(String what, String sql, int most, RowReading<T> row) {
        return connections.within(connections.searchTimeout()).get("ask " + what + " in " + place(), open -> {
            try (PreparedStatement query = open.prepareStatement(sql)) {
                query.setMaxRows(most);
                return SqlStatement.rows(query, row);
            }
        });
    }

    /** Times of statements are asked in the database that the url names, since those of runs have no extensions. */
    @Override
    public final Optional<Counters> openCounters() {
        return Optional.of(PostgresqlErrors.INSTANCE.attempt(
                "read the counters in " + place(),
                () -> new PostgresqlCounters(
                        connection(connections
                                .session(Use.BATCHES, database, List.of())
                                .then(PostgresqlCounters::setUp)),
                        connection(connections.quick().opening().then(PostgresqlCounters::setUp)),
                        database)));
    }

    @Override
    public final OptionalLong runningFor(Duration atLeast) {
        return OptionalLong.of(ask(
                "see what runs in", connection -> SQL.read("running-for").number(connection, atLeast.toNanos() / 1e9)));
    }

    @Override
    public final SortedMap<String, Long> relationBytes() {
        return ask(
                "read the sizes of tables in",
                connection -> SQL.read("relation-sizes").map(connection, row -> row.getLong(2)));
    }

    @Override
    public final OptionalLong rowsWritten() {
        return kind() == StoreKind.EXISTING
                ? OptionalLong.of(ask(
                        "see what is written in",
                        open -> SQL.read("rows-written").number(open)))
                : OptionalLong.empty();
    }

    /** The copy of one run, or a data set that it reads. */
    static final class OfRun extends PostgresqlStore {
        private final Layout layout;
        private final PostgresqlSearchStatements statements;

        OfRun(PostgresqlConnections connections, RunCopy copy, PostgresqlSearchStatements statements) {
            super(connections, copy);
            this.layout = statements.layout();
            this.statements = statements;
        }

        @Override
        public SearchSession openSession() {
            RunConnection connection = watched(connections, Use.SEARCHES, statements.settings());
            return new PostgresqlSession.OfEvents(connection, statements, false);
        }

        @Override
        public EventSink openSink() {
            return new Sink(layout, timed("open a sink"));
        }

        @Override
        public Optional<OwnTransactions> transactions() {
            PostgresqlConnections powerless = connections
                    .quick(database)
                    .get(
                            "see the rights of the user",
                            open -> PostgresqlPlugin.Rights.powerless(connections, database, open));
            Opening opening = powerless.session(Use.TRANSACTIONS, database, List.of());
            return Optional.of(new UserTransactions(
                    powerless.maintenance(database),
                    () -> watched(connection(opening).connected("open a session for transactions in " + place()))));
        }

        @Override
        public Optional<DayRemoval> dayRemoval() {
            return Optional.of(this::removed);
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
            return Optional.of(timed("read the clock").clock(SQL.read("now")));
        }

        private RunConnection timed(String tried) {
            return connection(connections.session(Use.BATCHES, database, List.of()))
                    .connected(tried + " in " + place());
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            String distinct = SqlText.textArray(List.copyOf(new HashSet<>(ids)));
            return ask(
                    "look for events in",
                    open -> layout.read("presence")
                            .row(open, row -> new Presence(row.getLong(1), row.getLong(2)), distinct));
        }

        /**
         * Drops the partitions of a day, for which all tables are locked, or deletes its rows, for which nobody waits. Detaching a partition
         * without that lock is not possible beside one for all other days.
         */
        private Removed removed(Window day) {
            return ask("remove the events of " + day.from() + " in", open -> {
                open.setAutoCommit(false);
                Removed removed = layout.isByDay() ? dropped(DayPartition.at(day.from()), open) : deleted(day, open);
                open.commit();
                return removed;
            });
        }

        private Removed dropped(DayPartition day, Connection open) throws SQLException {
            String tables =
                    layout.tableNames().stream().map(table -> "ONLY " + table).collect(Collectors.joining(", "));
            long start = System.nanoTime();
            layout.read("lock-tables", Map.of("tables", tables)).execute(open);
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            for (String table : layout.tableNames()) {
                layout.read("drop-partition", Map.of("partition", day.of(table)))
                        .execute(open);
            }
            return new Removed(DayRemoval.Means.PARTITION, waited);
        }

        /** What refers to the events comes first. */
        private Removed deleted(Window day, Connection open) throws SQLException {
            List<LayoutTable> tables = new ArrayList<>(layout.tables());
            Collections.reverse(tables);
            for (LayoutTable table : tables) {
                int unused = layout.deleteDay(table)
                        .change(open, end -> SqlText.timestamp(end.equals("from") ? day.from() : day.until()));
            }
            return new Removed(DayRemoval.Means.ROWS, Duration.ZERO);
        }
    }

    /** One that is asked the statements of a scenario. */
    static final class OfStatements extends PostgresqlStore {
        private final PostgresqlConnections ofSessions;
        private final Map<SearchName, Known> statements;

        /**
         * Opens it.
         *
         * @param connections that can only read
         * @param ofSessions those of the sessions that ask the statements; the same where none of these writes
         */
        OfStatements(PostgresqlConnections connections, PostgresqlConnections ofSessions, List<Statement> statements) {
            super(connections);
            this.ofSessions = ofSessions;
            this.statements = statements.stream().collect(Collectors.toUnmodifiableMap(Statement::name, Known::new));
        }

        /** It holds no events that siemload knows of. */
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
            String sql =
                    PostgresqlSession.OfStatements.sql(StatementText.scan(query).statement());
            return ask("a query for values", sql, most, row -> {
                int columns = row.getMetaData().getColumnCount();
                if (columns != 1) {
                    throw new TargetException(
                            "a query for values gives " + columns + " columns (needed: one): " + query);
                }
                String value = row.getString(1);
                if (value == null) {
                    throw new TargetException("a query for values gives NULL in row " + row.getRow()
                            + " (leave it out by WHERE ... IS NOT NULL): " + query);
                }
                return value;
            });
        }
    }

    /** One whose events are searched by a layout without loading. Each search is a transaction of its own, which begins as READ ONLY. */
    static final class OfEvents extends PostgresqlStore {
        private static final String TIMES = "times";

        private final Layout layout;
        private final PostgresqlSearchStatements statements;

        OfEvents(PostgresqlConnections connections, PostgresqlSearchStatements statements) {
            super(connections);
            this.layout = statements.layout();
            this.statements = statements;
        }

        @Override
        public SearchSession openSession() {
            return session(statements);
        }

        @Override
        public SearchSession openSession(Hint hint) {
            return session(statements.with(hint));
        }

        private PostgresqlSession session(PostgresqlSearchStatements written) {
            return new PostgresqlSession.OfEvents(
                    watched(connections, Use.READING_SEARCHES, written.settings()), written, true);
        }

        @Override
        public Span span() {
            String sql = layout.read(TIMES).sql();
            return ask(TIMES, sql, 1, row -> new Span(finite(row, 1), finite(row, 2), row.getLong(3))).stream()
                    .findFirst()
                    .orElseThrow(() -> new TargetException(TIMES + " finds no event: there is nothing to search"));
        }

        private static Instant finite(ResultSet row, int column) throws SQLException {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            if (time == null) {
                throw new TargetException(TIMES + " finds no event: there is nothing to search");
            }
            if (time.equals(OffsetDateTime.MIN) || time.equals(OffsetDateTime.MAX)) {
                throw new TargetException(
                        TIMES + " gives an infinite time, at which no window could end (leave such rows"
                                + " out, for instance by max(:time) FILTER (WHERE isfinite(:time)))");
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
                throw lines.wrong("gives one column (needed: the value, and how many events have it)");
            }
            String value = row.getString(1);
            if (value == null) {
                throw lines.wrong("gives NULL (leave it out by WHERE)");
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

    /** Inserts batches into all tables, each in one transaction. */
    private static final class Sink implements EventSink {
        private static final int TELLS_LOG_SINCE = 18;
        private static final SqlStatement LOG_BYTES = SQL.read("log-bytes");

        private final List<TableInsert> inserts;
        private final IdeaWriter writer = new IdeaWriter();
        private final RunConnection connection;

        Sink(Layout layout, RunConnection connection) {
            this.inserts = layout.tables().stream()
                    .map(table -> TableInsert.of(layout, table))
                    .toList();
            this.connection = connection;
        }

        /** The rows that others refer to come first. */
        @Override
        public long write(List<SecurityEvent> batch) {
            return connection.transaction(open -> {
                long bytes = 0;
                for (TableInsert insert : inserts) {
                    bytes += insert.write(batch, writer, connection.statement(insert.sql));
                }
                return bytes;
            });
        }

        @Override
        public OptionalLong logBytes() {
            return connection.answer(open -> {
                if (open.getMetaData().getDatabaseMajorVersion() < TELLS_LOG_SINCE) {
                    return OptionalLong.empty();
                }
                // A process hands its counts in when it is between two transactions.
                connection.statement(PostgresqlSession.HAND_IN.sql()).execute();
                return OptionalLong.of(SqlStatement.row(connection.statement(LOG_BYTES.sql()), row -> row.getLong(1)));
            });
        }

        @Override
        public void close() {
            connection.close();
        }

        /** How the rows of events are inserted into one table: one statement for each event that has any. */
        private record TableInsert(String sql, List<EventField> fields, boolean ofAddresses) {
            static TableInsert of(Layout layout, LayoutTable table) {
                SqlStatement insert = layout.insert(table);
                List<EventField> fields =
                        insert.values().stream().map(TableInsert::field).toList();
                return new TableInsert(insert.sql(), fields, table.rows() == LayoutTable.Rows.ADDRESSES);
            }

            /** The addresses of an event are one value, and so are their sides. */
            private static EventField field(String name) {
                return switch (name) {
                    case "addresses" -> EventField.NETWORK;
                    case "sides" -> EventField.SIDE;
                    default -> EventField.valueOf(name.toUpperCase(Locale.ROOT));
                };
            }

            /** Inserts the rows of a batch. @return the size of the JSON in them, in bytes */
            long write(List<SecurityEvent> batch, IdeaWriter writer, PreparedStatement statement) throws SQLException {
                statement.clearBatch(); // What an earlier batch that failed half-way may have left.
                long bytes = 0;
                for (SecurityEvent event : batch) {
                    List<AddressRange> networks = new ArrayList<>();
                    List<String> sides = new ArrayList<>();
                    if (ofAddresses) {
                        networks.addAll(Networks.ofSide(event.sources()));
                        sides.addAll(Collections.nCopies(networks.size(), "s"));
                        networks.addAll(Networks.ofSide(event.targets()));
                        sides.addAll(Collections.nCopies(networks.size() - sides.size(), "t"));
                    }
                    if (!ofAddresses || !networks.isEmpty()) {
                        for (int i = 0; i < fields.size(); i++) {
                            switch (fields.get(i)) {
                                case NETWORK -> statement.setString(i + 1, Networks.array(networks));
                                case SIDE -> statement.setString(i + 1, SqlText.textArray(sides));
                                case JSON -> {
                                    byte[] json = writer.toBytes(event);
                                    statement.setBytes(i + 1, json);
                                    bytes += json.length;
                                }
                                default -> statement.setString(i + 1, SqlText.of(fields.get(i), event));
                            }
                        }
                        statement.addBatch();
                    }
                }
                statement.executeBatch();
                return bytes;
            }
        }
    }

    /**
     * Transactions of a scenario's statements in the store of one run.
     *
     * @param access of a user who can do nothing outside of it
     * @param opening connects such a user
     */
    private record UserTransactions(SqlAccess access, Supplier<RunConnection> opening) implements OwnTransactions {
        /** Class 40 of SQLSTATE: transaction rollback, by a deadlock or for serializability. */
        private static final String ROLLED_BACK = "40";

        /** In one transaction up to the first VACUUM, so that nothing is logged of tables that it made where there is no replica. */
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

        /** The first one of its answer; 0 where it has none. */
        private static long number(java.sql.Statement executed) throws SQLException {
            try (ResultSet answer = executed.getResultSet()) {
                return answer != null && answer.next() ? answer.getLong(1) : 0;
            }
        }

        @Override
        public Session openSession() {
            return new PreparedSession(opening.get());
        }

        /** Prepared statements, one round trip each, and one for the commit. */
        private static final class PreparedSession implements Session {
            private final RunConnection connection;
            /** Whether the last transaction got so far that its commit may have reached the server. */
            private boolean committing;

            PreparedSession(RunConnection connection) {
                this.connection = connection;
            }

            @Override
            public long transact(List<Bound> statements) {
                committing = false;
                try {
                    return connection.answer(open -> {
                        connection.begin();
                        long number = 0;
                        for (Bound one : statements) {
                            PreparedStatement statement = connection.statement(one.sql(), one.values());
                            statement.execute();
                            number = number(statement);
                        }
                        committing = true;
                        open.commit();
                        return number;
                    });
                } catch (SearchException failed) {
                    String code = failed.code().isEmpty() ? "" : " (" + failed.code() + ")";
                    throw new TransactionException(kind(failed), failed.getMessage() + code, failed);
                }
            }

            private Kind kind(SearchException failed) {
                if (failed.code().startsWith(ROLLED_BACK)) {
                    return Kind.CONFLICT;
                }
                if (committing) {
                    return Kind.UNKNOWN;
                }
                return switch (failed.kind()) {
                    case CONNECTION -> Kind.LOST;
                    // It waited too long for a row that others were at: rolled back, and worth another try.
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
}
