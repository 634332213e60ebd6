package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import siemload.database.Target.ServerClock;
import siemload.database.server.Canceller;

/**
 * A connection of a run with its prepared statements, opened when it is needed and again after it was lost. Used by one
 * thread, but for its {@link #canceller} and a {@link SilenceWatch}.
 */
public final class RunConnection implements AutoCloseable {
    private final SqlAccess.Opening opening;
    private final SqlErrors errors;
    private final Duration timeout;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final Optional<Canceller> canceller;
    private final SqlAccess.Task stopping;
    private volatile @Nullable Statement running;
    private @Nullable Connection connection;
    /** The one that a piece of a run is at work with. */
    private volatile @Nullable Connection answering;
    /** When its last statement was taken; written before it. */
    private volatile long sinceNanos;

    /**
     * Opens nothing yet.
     *
     * @param timeout how long a search or a batch may take
     */
    public RunConnection(SqlAccess.Opening opening, SqlErrors errors, Duration timeout) {
        this(opening, errors, timeout, Optional.empty(), open -> {});
    }

    /**
     * The same for a session, whose work can be stopped, and so can its rolling back.
     *
     * @param stopping asks the server to give up what the connection is doing, over another one
     */
    public RunConnection(
            SqlAccess.Opening opening,
            SqlErrors errors,
            Duration timeout,
            Optional<Canceller> canceller,
            SqlAccess.Task stopping) {
        this.opening = opening;
        this.errors = errors;
        this.timeout = timeout;
        this.canceller = canceller;
        this.stopping = stopping;
    }

    /** Stops the work that is under way, of a session. */
    public Canceller canceller() {
        return canceller.orElseThrow();
    }

    /**
     * Opens it before it is needed.
     *
     * @param tried for people: {@code open a session}
     * @throws siemload.database.TargetException if the server refuses
     */
    public RunConnection connected(String tried) {
        Connection unused = errors.attempt(tried, this::get);
        return this;
    }

    /** The open connection. */
    public Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.open();
            connection = open;
        }
        return open;
    }

    /**
     * Does a piece of a run. What failed is rolled back; a connection that is lost is closed.
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
            Statement asked = running;
            if (asked == null) {
                stopping.on(open);
            } else {
                asked.cancel();
            }
        } catch (SQLException unreachable) {
            // The work itself meets the same trouble and reports it.
        }
    }

    /** The statement is what is stopped from now on, in place of what the connection is at. */
    public void running(Statement statement) {
        running = statement;
    }

    /**
     * Breaks the connection if a statement has not been answered on it for so long: neither the answer nor a request to stop got
     * through. Called by a watcher, on any thread.
     */
    private void endSilence(long nowNanos, Duration longest) {
        Connection silent = answering;
        if (silent != null && nowNanos - sinceNanos >= longest.toNanos()) {
            try {
                silent.abort(Runnable::run);
            } catch (SQLException alreadyBroken) {
                // Then the piece ends anyway.
            }
        }
    }

    /** A piece of a run in a transaction, which is committed, or rolled back where it fails. */
    public <T> T transaction(SqlAccess.Work<T> work) {
        return answer(open -> {
            begin();
            T result = work.on(open);
            commit();
            return result;
        });
    }

    /** The same in a transaction that can write, whatever the connection was told before. */
    public <T> T writing(SqlAccess.Work<T> work) {
        return transaction(open -> {
            open.setReadOnly(false);
            return work.on(open);
        });
    }

    /** The statement with this text, the same one each time. */
    public PreparedStatement statement(String sql) throws SQLException {
        sinceNanos = System.nanoTime();
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = get().prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }

    /** The same, with these values bound. */
    public PreparedStatement statement(String sql, List<?> values) throws SQLException {
        return SqlStatement.bound(statement(sql), values);
    }

    /** The next statement begins a transaction. */
    public void begin() throws SQLException {
        get().setAutoCommit(false);
    }

    /** Ends the transaction. */
    public void commit() throws SQLException {
        get().commit();
        get().setAutoCommit(true);
    }

    /** Leaves the transaction, if there is one, with no trace of it; a connection that cannot even do that is closed. */
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

    /** Closes the connection, outside a transaction since some drivers would commit it; the next use opens another one. */
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
     * The server's clock, or that of the instance which answers, to the microsecond.
     *
     * @param question asks for its time, with an offset from UTC
     */
    public ServerClock clock(SqlStatement question) {
        RunConnection connected = this;
        return new ServerClock() {
            @Override
            public Instant now() {
                return answer(open -> SqlStatement.row(
                                statement(question.sql()), row -> row.getObject(1, OffsetDateTime.class))
                        .toInstant());
            }

            @Override
            public void close() {
                connected.close();
            }
        };
    }

    /** Looks once a second after connections whose sockets have no timeout, and breaks those on which the network is silent. Thread-safe. */
    public static final class SilenceWatch {
        private final Duration longest;
        private final Queue<RunConnection> watched = new ConcurrentLinkedQueue<>();

        /**
         * Looks until the watchers are shut down.
         *
         * @param longest how long an answer may take before the network counts as silent
         */
        public SilenceWatch(ScheduledExecutorService watchers, Duration longest) {
            this.longest = longest;
            var unused = watchers.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
        }

        /** The connection, which is watched from now on. */
        public RunConnection over(RunConnection connection) {
            watched.add(connection);
            return connection;
        }

        private void look() {
            long now = System.nanoTime();
            watched.forEach(connection -> connection.endSilence(now, longest));
        }
    }
}
