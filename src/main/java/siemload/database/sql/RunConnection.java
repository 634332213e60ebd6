package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A connection of a run with its prepared statements, opened at its first use and again after it was lost. Used by one thread, except for
 * its {@link #canceller} and {@link #breakingSilence}.
 */
public final class RunConnection implements AutoCloseable {
    private final SqlAccess.Opening opening;
    private final SqlAccess.SqlErrors errors;
    private final Duration timeout;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private Optional<Canceller> canceller = Optional.empty();
    private SqlAccess.Task stopping = open -> {};
    private @Nullable Connection connection;
    /** The connection in use by the current work. */
    private volatile @Nullable Connection answering;
    /** The time at which the last statement of {@link #answering} started; written before that field. */
    private volatile long sinceNanos;

    /**
     * Does not open the connection yet.
     *
     * @param timeout how long a search or a batch may take
     */
    public RunConnection(SqlAccess.Opening opening, SqlAccess.SqlErrors errors, Duration timeout) {
        this.opening = opening;
        this.errors = errors;
        this.timeout = timeout;
    }

    /**
     * Makes the connection's work cancellable, including the rollback, as a session needs it.
     *
     * @param code the server's error code of cancelled work; empty if there is none
     * @param how asks the server to cancel the work of the connection
     */
    public RunConnection stoppable(ScheduledExecutorService watchers, String code, SqlAccess.Task how) {
        canceller = Optional.of(new Canceller(watchers, timeout, code));
        stopping = how;
        return this;
    }

    public Canceller canceller() {
        return canceller.orElseThrow();
    }

    SqlAccess.SqlErrors errors() {
        return errors;
    }

    /**
     * Opens the connection before it is needed.
     *
     * @param tried the attempt, for messages: {@code open a session}
     * @throws siemload.database.TargetException if the server refuses
     */
    public RunConnection connected(String tried) {
        Connection unused = errors.attempt(tried, this::get);
        return this;
    }

    public Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.open();
            connection = open;
        }
        return open;
    }

    /**
     * Performs work of a run. Failed work is rolled back, and a lost connection is closed.
     *
     * @throws siemload.database.SearchException in place of the driver's error
     */
    public <T> T answer(SqlAccess.Work<T> work) {
        long start = System.nanoTime();
        try {
            Connection open = get();
            sinceNanos = start;
            answering = open;
            canceller.ifPresent(session -> session.arm(start, () -> stop(open)));
            return work.on(open);
        } catch (SQLException e) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            if (errors.isLost(e)) {
                close();
            } else {
                rollBack();
            }
            throw errors.inRun(e, elapsed, timeout);
        } catch (RuntimeException | Error e) {
            rollBack();
            throw e;
        } finally {
            canceller.ifPresent(Canceller::disarm);
            answering = null;
        }
    }

    private void stop(Connection open) {
        try {
            stopping.on(open);
        } catch (SQLException unreachable) {
            // The work itself will fail in the same way and report the error.
        }
    }

    /**
     * Checks once a second whether a statement has had no answer for this long, not even to a request to cancel it, and then breaks the
     * connection. The check is for sockets without a timeout.
     *
     * @param watchers the threads that run the check until they are shut down
     */
    public RunConnection breakingSilence(ScheduledExecutorService watchers, Duration longest) {
        var unused = watchers.scheduleWithFixedDelay(
                () -> {
                    Connection silent = answering;
                    if (silent != null && System.nanoTime() - sinceNanos >= longest.toNanos()) {
                        try {
                            silent.abort(Runnable::run);
                        } catch (SQLException alreadyBroken) {
                            // The work ends anyway if the connection is already broken.
                        }
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
        return this;
    }

    /** Performs work of a run in a transaction, which is committed, or rolled back if it fails. */
    public <T> T transaction(SqlAccess.Work<T> work) {
        return answer(open -> {
            begin();
            T result = work.on(open);
            commit();
            return result;
        });
    }

    /** Returns the prepared statement with this text, which is the same object each time. */
    public PreparedStatement statement(String sql) throws SQLException {
        sinceNanos = System.nanoTime();
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = get().prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    public PreparedStatement statement(String sql, List<?> values) throws SQLException {
        return SqlStatement.bound(statement(sql), values);
    }

    /** The number that a query returns in one row. */
    public long number(SqlStatement question) {
        return answer(open -> SqlStatement.row(statement(question.sql()), row -> row.getLong(1)));
    }

    public void begin() throws SQLException {
        get().setAutoCommit(false);
    }

    public void commit() throws SQLException {
        get().commit();
        get().setAutoCommit(true);
    }

    /** Rolls the transaction back, if there is one; a connection that cannot even do that is closed. */
    public void rollBack() {
        Connection open = connection;
        if (open == null) {
            return;
        }
        try {
            if (!open.getAutoCommit()) {
                open.rollback();
                open.setAutoCommit(true);
            }
        } catch (SQLException broken) {
            close();
        }
    }

    /** Closes the connection without a rollback; some drivers then commit an open transaction. The next use opens another connection. */
    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        statements.clear();
        if (open != null) {
            SqlAccess.closeQuietly(open);
        }
    }

    /**
     * Executes statements over one connection, whose work can be cancelled in a way that depends on the database. Used by one thread,
     * except for {@link #cancel}.
     */
    public abstract static class JdbcSession implements SearchSession {
        /** The timeout of work that nobody cancels, such as reading a row that has arrived. */
        protected static final Duration NO_TIMEOUT = Duration.ofDays(1);

        private final RunConnection connection;

        /** @param connection of a session, with cancellation */
        protected JdbcSession(RunConnection connection) {
            this.connection = connection;
        }

        /** Writes searches as statements. @throws UnsupportedOperationException here and below for sessions with users' statements */
        protected SqlSearches searches() {
            throw new UnsupportedOperationException(
                    "rows of a statement are not events: they are neither counted on their own nor summed up");
        }

        /** The id in a row of a search, which is the first column. */
        protected String id(ResultSet row) throws SQLException {
            throw new UnsupportedOperationException("a row of a statement has no id: " + row);
        }

        /** The detect time in a row of a search, which is the second column. */
        protected Instant detectTime(ResultSet row) throws SQLException {
            throw new UnsupportedOperationException("a row of a statement has no detect time: " + row);
        }

        /** The event as IDEA JSON in a row of a search, which is the third column. */
        protected byte[] idea(ResultSet row) throws SQLException {
            return row.getBytes(3);
        }

        protected Summary.Line line(ResultSet row, Search search, Summary summary) throws SQLException {
            throw new UnsupportedOperationException("a row of a statement is not a sum: " + row + search + summary);
        }

        protected final RunConnection connection() {
            return connection;
        }

        protected final Canceller canceller() {
            return connection.canceller();
        }

        /** Performs work on the server within the timeout; it can be cancelled, including its rollback. */
        protected <T> T answer(SqlAccess.Work<T> work) {
            return connection.answer(work);
        }

        @FunctionalInterface
        public interface Execution<T> {
            T of(PreparedStatement statement) throws SQLException;
        }

        public <T> T ask(SqlSearches.Compiled sql, Execution<T> execution) {
            return answer(open -> execution.of(connection.statement(sql.sql(), sql.values())));
        }

        /** Executes a statement and passes on its rows. @return the number of rows */
        protected final long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
            try (ResultSet result = statement.executeQuery()) {
                return readAll(result, rows);
            }
        }

        /** Passes on the rows of a statement. @return the number of rows */
        protected final long readAll(ResultSet result, RowReader rows) throws SQLException {
            RowReader.Row row = new ReadRow(result);
            long count = 0;
            for (; result.next(); count++) {
                rows.row(row);
            }
            return count;
        }

        /** The current row of a result. A value is decoded when it is requested. */
        private final class ReadRow implements RowReader.Row {
            private final ResultSet result;

            ReadRow(ResultSet result) {
                this.result = result;
            }

            @Override
            public String id() {
                return value(JdbcSession.this::id);
            }

            @Override
            public Instant detectTime() {
                return value(JdbcSession.this::detectTime);
            }

            @Override
            public byte[] idea() {
                return value(JdbcSession.this::idea);
            }

            private <T> T value(SqlStatement.RowReading<T> reading) {
                try {
                    return reading.read(result);
                } catch (SQLException e) {
                    throw connection.errors().inRun(e, Duration.ZERO, NO_TIMEOUT);
                }
            }
        }

        /** Executes a statement in its own transaction, and passes on its rows, which are fetched in portions. */
        protected final long stream(PreparedStatement statement, RowReader rows) throws SQLException {
            connection.begin();
            statement.setFetchSize(Portions.ROWS);
            canceller().scheduleDeadline();
            long count = readAll(statement, canceller().checked(rows));
            connection.commit();
            return count;
        }

        @Override
        public final long count(Search search) {
            return ask(searches().count(search), statement -> SqlStatement.row(statement, row -> row.getLong(1)));
        }

        @Override
        public final List<Summary.Line> summarize(Search search, Summary summary) {
            return ask(
                    searches().of(search, summary),
                    statement -> SqlStatement.rows(statement, row -> line(row, search, summary)));
        }

        @Override
        public final void cancel() {
            canceller().press();
        }

        @Override
        public final void close() {
            connection.close();
        }
    }
}
