package siemload.database.sql;

import java.sql.SQLException;
import java.time.Duration;
import siemload.database.SearchException;
import siemload.database.TargetException;

/** What the errors of one database and its driver mean. Stateless and thread-safe. */
public interface SqlErrors {

    /** Whether the connection is of no use after this error. */
    boolean isLost(SQLException e);

    /** Whether a key is there already: class 23 of SQLSTATE, a violated constraint. */
    default boolean isDuplicate(SQLException e) {
        return String.valueOf(e.getSQLState()).startsWith("23");
    }

    /**
     * For an error in a run.
     *
     * @param elapsed how long the search or batch had taken: a cancelled one counts as a timeout from the timeout on
     */
    SearchException inRun(SQLException e, Duration elapsed, Duration timeout);

    /**
     * For an error before or after a run: what was tried, what the server said, what can be done.
     *
     * @param tried for people: {@code cannot count the events}
     */
    TargetException outsideRun(String tried, SQLException e);

    /** What may fail with an error of the driver. */
    @FunctionalInterface
    interface Attempt<T> {
        T result() throws SQLException;
    }

    /**
     * Does something before or after a run.
     *
     * @param tried for people: {@code count the events}
     * @throws TargetException if it fails
     */
    default <T> T attempt(String tried, Attempt<T> attempt) {
        try {
            return attempt.result();
        } catch (SQLException e) {
            throw outsideRun("cannot " + tried, e);
        }
    }

    /**
     * Does something in a run that nobody cancels and no timeout ends, such as reading a row that has come.
     *
     * @throws SearchException if it fails
     */
    default <T> T attemptInRun(Attempt<T> attempt) {
        try {
            return attempt.result();
        } catch (SQLException e) {
            throw inRun(e, Duration.ZERO, Duration.ofNanos(1));
        }
    }
}
