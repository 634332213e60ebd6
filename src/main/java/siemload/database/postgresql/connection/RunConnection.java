package siemload.database.postgresql.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import siemload.database.postgresql.connection.PostgresqlErrors.Attempt;

/**
 * A connection of a run with its prepared statements, opened when it is needed, and anew after it was lost. Used by one
 * thread.
 */
public final class RunConnection implements AutoCloseable {
    private final Attempt<Connection> opening;
    private final Duration timeout;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private @Nullable Connection connection;

    /**
     * Opens nothing yet.
     *
     * @param opening opens the connection
     * @param timeout of its statements
     */
    public RunConnection(Attempt<Connection> opening, Duration timeout) {
        this.opening = opening;
        this.timeout = timeout;
    }

    public Duration timeout() {
        return timeout;
    }

    /** The open connection. */
    public Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = opening.result();
            connection = open;
        }
        return open;
    }

    public boolean isOpen() {
        return connection != null;
    }

    /**
     * Waits for what the server is asked.
     *
     * @throws siemload.database.SearchException in place of the driver's error; a connection that is lost is closed
     */
    public <T> T answer(Attempt<T> work) {
        long start = System.nanoTime();
        try {
            return work.result();
        } catch (SQLException e) {
            if (PostgresqlErrors.INSTANCE.isLost(e)) {
                close();
            }
            throw PostgresqlErrors.INSTANCE.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    /** The statement with this text, the same one each time. */
    public PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = get().prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
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

    public void commit() throws SQLException {
        get().commit();
        get().setAutoCommit(true);
    }

    /** Leaves the transaction with no trace of it; a connection that cannot even do that is closed. */
    public void rollBack() {
        Connection transaction = connection;
        if (transaction == null) {
            return;
        }
        try {
            transaction.rollback();
            transaction.setAutoCommit(true);
        } catch (SQLException broken) {
            close();
        }
    }

    /** Closes the connection; the next use opens another one. */
    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        statements.clear();
        if (open != null) {
            try {
                open.close();
            } catch (SQLException alreadyBroken) {
                // The driver has let go of the socket in any case.
            }
        }
    }
}
