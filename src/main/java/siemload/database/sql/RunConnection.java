package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a run with its prepared statements, opened when it is needed and again after it was lost. Used by one
 * thread, but for {@link #endSilence}.
 */
public final class RunConnection implements AutoCloseable {
    private final SqlAccess.Opening opening;
    private final SqlErrors errors;
    private final Duration timeout;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private @Nullable Connection connection;
    /** The one that a piece of a run is at work with. */
    private @Nullable Connection answering;
    /** When its last statement was taken. */
    private volatile long sinceNanos;

    /**
     * Opens nothing yet.
     *
     * @param timeout how long a search or a batch may take
     */
    public RunConnection(SqlAccess.Opening opening, SqlErrors errors, Duration timeout) {
        this.opening = opening;
        this.errors = errors;
        this.timeout = timeout;
    }

    /** How long a search or a batch may take. */
    public Duration timeout() {
        return timeout;
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
            waitFor(open);
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
            waitFor(null);
        }
    }

    private synchronized void waitFor(@Nullable Connection open) {
        answering = open;
    }

    /**
     * Breaks the connection if a statement has not been answered on it for so long: neither the answer nor a request to stop got
     * through. Called by a watcher, on any thread.
     */
    synchronized void endSilence(long nowNanos, Duration longest) {
        if (answering != null && nowNanos - sinceNanos >= longest.toNanos()) {
            try {
                answering.abort(Runnable::run);
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
    public PreparedStatement statement(String sql, List<String> values) throws SQLException {
        PreparedStatement statement = statement(sql);
        for (int i = 0; i < values.size(); i++) {
            statement.setString(i + 1, values.get(i));
        }
        return statement;
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
}
