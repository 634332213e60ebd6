package siemload.database.sql;

import java.sql.Connection;
import java.sql.SQLException;
import siemload.database.TargetException;

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
        try (Connection connection = opening.open()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw errors.outsideRun("cannot " + tried, e);
        }
    }

    /** The same without an answer. */
    public void run(String tried, Task task) {
        boolean unused = get(tried, connection -> {
            task.on(connection);
            return true;
        });
    }
}
