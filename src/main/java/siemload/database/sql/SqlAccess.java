package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import siemload.database.TargetException;
import siemload.database.sql.SqlStatement.RowReading;

/**
 * Work outside a run: each piece over a connection of its own, which is closed after it. Thread-safe if the opening is.
 *
 * @param opening opens a connection that commits by itself
 */
public record SqlAccess(Opening opening, SqlErrors errors) {

    /** Opens a connection. */
    @FunctionalInterface
    public interface Opening {
        Connection open() throws SQLException;

        /** Opens it and sets it up; a connection that cannot be set up is closed again. */
        default Opening then(Task setUp) {
            return () -> {
                Connection connection = open();
                try {
                    setUp.on(connection);
                    return connection;
                } catch (SQLException | RuntimeException e) {
                    closeQuietly(connection);
                    throw e;
                }
            };
        }
    }

    /** Work with an answer. */
    @FunctionalInterface
    public interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Work without one. */
    @FunctionalInterface
    public interface Task {
        void on(Connection connection) throws SQLException;
    }

    /**
     * Does work.
     *
     * @param tried for people: {@code count the events}
     * @throws TargetException if it fails
     */
    public <T> T get(String tried, Work<T> work) {
        return errors.attempt(tried, () -> {
            try (Connection connection = opening.open()) {
                return work.on(connection);
            }
        });
    }

    /** The same without an answer. */
    public void run(String tried, Task task) {
        boolean unused = get(tried, connection -> {
            task.on(connection);
            return true;
        });
    }

    /** Executes a statement without values. @throws TargetException if it fails */
    public void execute(String tried, String sql) {
        run(tried, connection -> SqlStatement.execute(connection, sql));
    }

    /** The rows of a question. @throws TargetException if it cannot be asked */
    public <T> List<T> rows(String tried, SqlStatement question, RowReading<T> reading, Object... given) {
        return get(tried, connection -> question.rows(connection, reading, given));
    }

    /**
     * Executes statements in one transaction.
     *
     * @return how many rows the last one changed
     * @throws TargetException if one fails
     */
    public long change(String tried, List<SqlStatement> changes) {
        return get(tried, connection -> {
            connection.setAutoCommit(false);
            long changed = 0;
            try (Statement statement = connection.createStatement()) {
                for (SqlStatement change : changes) {
                    changed = statement.executeLargeUpdate(change.sql());
                }
            }
            connection.commit();
            return changed;
        });
    }

    /** Closes a connection whose server may have done so before. */
    public static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // The driver has let go of the socket in any case.
        }
    }
}
