package siemload.database.postgresql.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection of a run with its prepared statements, opened when it is needed. Used by one thread. */
public final class RunConnection implements AutoCloseable {
    private final Opening opening;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private @Nullable Connection connection;

    public RunConnection(Opening opening) {
        this.opening = opening;
    }

    /** Opens a connection. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;
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

    public boolean isOpen() {
        return connection != null;
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

    /** Closes the connection if the error says that it is lost. */
    public void closeIfLost(SQLException error) {
        if (PostgresqlErrors.lostConnection(error)) {
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
