package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import siemload.database.server.Canceller;

/**
 * Executes statements that can be stopped, by whoever cancels them or when the session's timeout is over.
 *
 * @param stop of the session
 */
record StoppableStatement(Canceller stop) {

    /** What is done with a statement whose values are bound. */
    interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    <T> T execute(PreparedStatement statement, Execution<T> execution) throws SQLException {
        stop.arm(() -> cancel(statement));
        stop.scheduleDeadline();
        try {
            return execution.of(statement);
        } finally {
            stop.disarm();
        }
    }

    private static void cancel(PreparedStatement statement) {
        try {
            statement.cancel();
        } catch (SQLException unreachable) {
            // The statement itself meets the same trouble and reports it.
        }
    }
}
