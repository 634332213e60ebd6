package siemload.database.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection of a run, opened when it is needed and again after it was lost. Used by one thread. */
final class OpenConnection implements AutoCloseable {
    private final OracleConnections connections;
    private @Nullable Connection connection;

    OpenConnection(OracleConnections connections) {
        this.connections = connections;
    }

    Connection get() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = connections.openTimed();
            connection = open;
        }
        return open;
    }

    /** Rolls back; closes the connection if it is lost or cannot even do that. */
    void recover(Exception error) {
        Connection open = connection;
        if (error instanceof SQLException e && OracleErrors.lostConnection(e)) {
            close();
        } else if (open != null) {
            try {
                if (!open.getAutoCommit()) {
                    open.rollback();
                }
            } catch (SQLException broken) {
                error.addSuppressed(broken);
                close();
            }
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                if (!open.getAutoCommit()) {
                    open.rollback(); // This driver would commit.
                }
                open.close();
            } catch (SQLException alreadyBroken) {
                // The driver has let go of the socket in any case.
            }
        }
    }
}
