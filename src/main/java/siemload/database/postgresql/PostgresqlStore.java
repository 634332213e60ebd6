package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.OwnTransactions;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.Store.Span;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.ValueLines;
import siemload.database.postgresql.PostgresqlCounters.TimedStatements;
import siemload.database.postgresql.PostgresqlSession.EventQuestions;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlConnections.Use;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerStore;
import siemload.database.sql.JdbcSession.Execution;
import siemload.database.sql.JdbcSession.Transactions;
import siemload.database.sql.RunConnection;
import siemload.database.sql.RunConnection.SilenceWatch;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlAccess.Opening;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.UserTransactions;
import siemload.query.CountedValue;
import siemload.query.Field;
import siemload.query.Statement;
import siemload.query.Summary;
import siemload.query.ValueField;
import siemload.query.Window;

/** A database that a run works on: its own copy, or one that was there before, of which all stays as it is. */
abstract class PostgresqlStore extends ServerStore {
    final PostgresqlConnections connections;
    final String database;
    final SilenceWatch silence;
    private Connection guard;

    /** @param guard an open connection to the database, which keeps other runs from taking a copy for abandoned */
    private PostgresqlStore(PostgresqlConnections connections, RunCopy copy, Connection guard) {
        super(copy);
        this.connections = connections;
        this.database = copy.name();
        this.silence = new SilenceWatch(copy.watchers(), connections.longestSilence());
        this.guard = guard;
    }

    /** One that was there before the run, and stays as it is but for what statements write that say so. */
    private PostgresqlStore(PostgresqlConnections connections, Connection guard) throws SQLException {
        this(connections, RunCopy.existing(guard.getCatalog()), guard);
    }

    final String place() {
        return "the database " + database;
    }

    /** The connection of a session, whose silence is noticed. */
    final RunConnection watched(PostgresqlConnections of, Use use, List<String> settings) {
        Canceller canceller =
                new Canceller(copy().watchers(), connections.searchTimeout(), PostgresqlErrors.QUERY_CANCELED);
        RunConnection connection = new RunConnection(
                of.session(use, database, settings),
                PostgresqlErrors.INSTANCE,
                connections.searchTimeout(),
                Optional.of(canceller),
                open -> open.unwrap(PGConnection.class).cancelQuery());
        return silence.over(connection.connected("open a session in " + place()));
    }

    final RunConnection connected(String tried, Opening opening) {
        return connection(opening).connected(tried + " in " + place());
    }

    private RunConnection connection(Opening opening) {
        return new RunConnection(opening, PostgresqlErrors.INSTANCE, connections.searchTimeout());
    }

    final <T> T ask(String tried, Work<T> work) {
        return connections.maintenance(database).get(tried + " " + place(), work);
    }

    /** Times of statements are asked in the database that the url names, since those of runs have no extensions. */
    @Override
    public final Optional<Counters> openCounters() {
        TimedStatements times = new TimedStatements(
                connection(connections.quick().opening().then(PostgresqlCounters::setUp)), database);
        RunConnection connection = connected(
                "read the counters",
                connections.session(Use.BATCHES, database, List.of()).then(PostgresqlCounters::setUp));
        return Optional.of(PostgresqlErrors.INSTANCE.attempt(
                "read the counters in " + place(), () -> new PostgresqlCounters(connection, this::guard, times)));
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
    public final synchronized void serverRestarted() {
        SqlAccess.closeQuietly(guard);
        guard = PostgresqlErrors.INSTANCE.attempt(
                "connect to " + place() + " after the restart",
                () -> connections.maintenance(database).opening().open());
    }

    private synchronized Connection guard() {
        return guard;
    }

    @Override
    public final OptionalLong rowsWritten() {
        return kind() == StoreKind.EXISTING
                ? OptionalLong.of(ask(
                        "see what is written in",
                        open -> SQL.read("rows-written").number(open)))
                : OptionalLong.empty();
    }

    @Override
    public final void close() {
        try {
            super.close();
        } finally {
            SqlAccess.closeQuietly(guard());
        }
    }

    /** The copy of one run, or a data set that it reads. */
    static final class OfRun extends PostgresqlStore {
        private static final int IDS_AT_ONCE = 10_000;

        private final Layout layout;
        private final PlannerGuide guide;
        private final PostgresqlSearchStatements statements;

        OfRun(PostgresqlConnections connections, RunCopy copy, Layout layout, PlannerGuide guide, Connection guard) {
            super(connections, copy, guard);
            this.layout = layout;
            this.guide = guide;
            this.statements = new PostgresqlSearchStatements(layout, guide);
        }

        @Override
        public SearchSession openSession() {
            RunConnection connection = watched(connections, Use.SEARCHES, guide.settings());
            return new PostgresqlSession(connection, new EventQuestions(statements), Transactions.WHERE_NEEDED);
        }

        @Override
        public EventSink openSink() {
            return new PostgresqlSink(layout, timed("open a sink"));
        }

        @Override
        public Optional<OwnTransactions> transactions() {
            PostgresqlConnections powerless = connections
                    .quick(database)
                    .get(
                            "see the rights of the user",
                            open -> PostgresqlPlugin.Rights.powerless(connections, database, open));
            return Optional.of(new UserTransactions(
                    powerless.maintenance(database),
                    () -> silence.over(connected(
                            "open a session for transactions",
                            powerless.session(Use.TRANSACTIONS, database, List.of())))));
        }

        @Override
        public Optional<DayRemoval> dayRemoval() {
            return Optional.of(new TableDays(connections.maintenance(database), layout));
        }

        @Override
        public void createTrends() {
            connections.maintenance(database).run("make the table of trends", SQL.read("trend-table")::execute);
        }

        @Override
        public List<Summary.Line> trendLines(String trend, Field field) {
            return ask(
                    "read the trend " + trend + " in",
                    open -> SQL.read("trend-lines").rows(open, row -> PostgresqlSession.line(row, field), trend));
        }

        @Override
        public Optional<ServerClock> openClock() {
            return Optional.of(timed("read the clock").clock(SQL.read("now")));
        }

        private RunConnection timed(String tried) {
            return connected(tried, connections.session(Use.BATCHES, database, List.of()));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return ask("look for events in", connection -> {
                Presence sum = new Presence(0, 0);
                for (List<String> some : Portions.ofIds(ids, IDS_AT_ONCE)) {
                    Presence found = layout.read("presence")
                            .row(
                                    connection,
                                    row -> new Presence(row.getLong(1), row.getLong(2)),
                                    SqlText.textArray(some));
                    sum = new Presence(sum.found() + found.found(), sum.duplicated() + found.duplicated());
                }
                return sum;
            });
        }
    }

    /**
     * Drops the partitions of a day, for which all tables are locked, or deletes its rows, for which nobody waits. Detaching a
     * partition without that lock is not possible beside one for all other days.
     */
    private record TableDays(SqlAccess access, Layout layout) implements DayRemoval {

        @Override
        public Removed remove(Window day) {
            return access.get(
                    "remove the events of " + DayPartition.at(day.from()).name(), connection -> {
                        connection.setAutoCommit(false);
                        Removed removed = layout.isByDay()
                                ? drop(DayPartition.at(day.from()), connection)
                                : delete(day, connection);
                        connection.commit();
                        return removed;
                    });
        }

        private Removed drop(DayPartition day, Connection connection) throws SQLException {
            List<String> partitions = layout.tableNames().stream().map(day::of).toList();
            long start = System.nanoTime();
            layout.read("lock-tables", Map.of("tables", locked())).execute(connection);
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            if (layout.read("find-partition")
                    .rows(connection, row -> row.getString(1), partitions.get(0))
                    .isEmpty()) {
                throw new TargetException("there is no partition " + partitions.get(0) + " to drop");
            }
            for (String partition : partitions) {
                layout.read("drop-partition", Map.of("partition", partition)).execute(connection);
            }
            return new Removed(Means.PARTITION, waited);
        }

        private String locked() {
            return layout.tableNames().stream().map(table -> "ONLY " + table).collect(Collectors.joining(", "));
        }

        /** What refers to the events comes first. */
        private Removed delete(Window day, Connection connection) throws SQLException {
            List<LayoutTable> tables = new ArrayList<>(layout.tables());
            Collections.reverse(tables);
            for (LayoutTable table : tables) {
                SqlStatement delete = layout.deleteDay(table);
                List<String> ends = delete.values().stream()
                        .map(end -> SqlText.timestamp(end.equals("from") ? day.from() : day.until()))
                        .toList();
                try (PreparedStatement statement = connection.prepareStatement(delete.sql())) {
                    SqlStatement.bound(statement, ends).executeUpdate();
                }
            }
            return new Removed(Means.ROWS, Duration.ZERO);
        }
    }

    /** One that is asked the statements of a scenario. */
    static final class OfStatements extends PostgresqlStore {
        private final PostgresqlConnections ofSessions;
        private final UserStatements statements;

        /**
         * Opens it.
         *
         * @param connections that can only read
         * @param ofSessions those of the sessions that ask the statements; the same where none of these writes
         */
        OfStatements(PostgresqlConnections connections, PostgresqlConnections ofSessions, List<Statement> statements)
                throws SQLException {
            super(connections, connections.quick().opening().open());
            this.ofSessions = ofSessions;
            this.statements = new UserStatements(statements);
        }

        /** It holds no events that siemload knows of. */
        @Override
        public long events() {
            return 0;
        }

        @Override
        public SearchSession openSession() {
            return session(ofSessions);
        }

        private PostgresqlSession session(PostgresqlConnections of) {
            return new PostgresqlSession(watched(of, Use.STATEMENTS, List.of()), statements, Transactions.ALWAYS);
        }

        /** What the server finds wrong with a statement comes with its code. */
        @Override
        public Optional<String> refusal(Statement statement) {
            try (PostgresqlSession session = session(connections)) {
                return UserStatements.refusal(statement, session);
            } catch (SearchException wrong) {
                return Optional.of("the server says: " + wrong.getMessage()
                        + (wrong.code().isEmpty() ? "" : " (SQLSTATE " + wrong.code() + ")"));
            }
        }

        @Override
        public List<String> values(String query, int most) {
            try (PostgresqlSession session = session(connections)) {
                return UserStatements.values(query, most, session);
            } catch (SearchException wrong) {
                throw new TargetException(
                        "a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
            }
        }
    }

    /** One whose events are searched by a layout without loading. Each search is a transaction of its own, which begins as READ ONLY. */
    static final class OfEvents extends PostgresqlStore {
        private static final String VALUES = ValueLines.BLOCK;
        private static final String TIMES = "times";
        private static final int MOST_COLUMNS = 5;
        private static final String TIME_TYPE = "timestamptz";

        private final Layout layout;
        private final PlannerGuide guide;
        private final PostgresqlSearchStatements statements;

        OfEvents(PostgresqlConnections connections, Layout layout, PlannerGuide guide) throws SQLException {
            super(connections, connections.quick().opening().open());
            this.layout = layout;
            this.guide = guide;
            this.statements = new PostgresqlSearchStatements(layout, guide);
        }

        @Override
        public SearchSession openSession() {
            return session(guide.settings(), statements);
        }

        @Override
        public SearchSession openSession(Hint hint) {
            PlannerGuide other = new PlannerGuide(hint, guide.workersAtLeast());
            return session(other.settings(), new PostgresqlSearchStatements(layout, other));
        }

        private PostgresqlSession session(List<String> settings, PostgresqlSearchStatements written) {
            return new PostgresqlSession(
                    watched(connections, Use.READING_SEARCHES, settings),
                    new EventQuestions(written),
                    Transactions.ALWAYS);
        }

        @Override
        public Span span() {
            return ask(
                    TIMES, "", layout.read(TIMES).sql(), "an estimate of oldest, newest and count will do", query -> {
                        try (ResultSet row = query.executeQuery()) {
                            requireTimes(row.getMetaData());
                            if (!row.next() || row.getObject(1) == null || row.getObject(2) == null) {
                                throw new TargetException(TIMES + " finds no event: there is nothing to search");
                            }
                            boolean counted = row.getMetaData().getColumnCount() == MOST_COLUMNS;
                            return new Span(
                                    finite(row, 1),
                                    finite(row, 2),
                                    row.getLong(3),
                                    counted ? row.getLong(4) : 0,
                                    counted ? row.getLong(5) : 0);
                        }
                    });
        }

        /**
         * Asks a query of the layout, in a session of its own.
         *
         * @param which one of several in its block, for messages
         * @param instead what may be asked for in place of it
         */
        private <T> T ask(String block, String which, String sql, String instead, Execution<T> answer) {
            try (PostgresqlSession session = session(List.of(), statements)) {
                return session.ask(new Compiled(sql, List.of()), answer);
            } catch (SearchException wrong) {
                String remedy = wrong.kind() == SearchException.Kind.TIMEOUT
                        ? " (it was given up after -Dtimeout: give it longer, or ask for less; " + instead + ")"
                        : "";
                throw new TargetException(
                        block + " failed in " + place() + which + ": " + wrong.getMessage() + remedy, wrong);
            }
        }

        private Instant finite(ResultSet row, int column) throws SQLException {
            Instant time = row.getObject(column, OffsetDateTime.class).toInstant();
            if (time.equals(OffsetDateTime.MIN.toInstant()) || time.equals(OffsetDateTime.MAX.toInstant())) {
                throw new TargetException(
                        TIMES + " gives an infinite time, at which no window could end (leave such rows"
                                + " out, for instance by max(:time) FILTER (WHERE isfinite(:time)))");
            }
            return time;
        }

        private void requireTimes(ResultSetMetaData columns) throws SQLException {
            int number = columns.getColumnCount();
            if (number != 3 && number != MOST_COLUMNS) {
                throw new TargetException(TIMES + " gives " + number
                        + " columns (needed: the oldest time, the newest one, and how many events there are; and, if you like,"
                        + " how many have an infinite time, and how many none)");
            }
            for (int column = 1; column <= 2; column++) {
                String type = columns.getColumnTypeName(column);
                if (!type.equals(TIME_TYPE)) {
                    throw new TargetException(TIMES + " gives a time as " + type + " (needed: " + TIME_TYPE
                            + ", which the block time makes of a timestamp by AT TIME ZONE 'UTC')");
                }
            }
        }

        @Override
        public Map<ValueField, List<CountedValue>> values(int most) {
            Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
            for (SqlStatement.Step asked : layout.steps(VALUES, Map.of())) {
                ValueField field = ValueLines.field(asked.name());
                values.put(
                        field,
                        ask(VALUES, ", query " + field.label(), asked.sql(), "a sample of the rows will do", query -> {
                            query.setMaxRows(most);
                            try (ResultSet rows = query.executeQuery()) {
                                return values(field, rows);
                            }
                        }));
            }
            return values;
        }

        private static List<CountedValue> values(ValueField field, ResultSet rows) throws SQLException {
            ValueLines lines = new ValueLines(field);
            ResultSetMetaData columns = rows.getMetaData();
            if (columns.getColumnCount() < 2) {
                throw lines.wrong("gives one column (needed: the value, and how many events have it)");
            }
            while (rows.next()) {
                String value = rows.getString(1);
                if (value == null) {
                    throw lines.wrong("gives NULL (leave it out by WHERE)");
                }
                Map<String, Optional<String>> beside = new HashMap<>();
                for (int column = 3; column <= columns.getColumnCount(); column++) {
                    beside.put(
                            columns.getColumnLabel(column).toLowerCase(Locale.ROOT),
                            Optional.ofNullable(rows.getString(column)));
                }
                lines.add(value, rows.getLong(2), beside);
            }
            return lines.all();
        }
    }
}
