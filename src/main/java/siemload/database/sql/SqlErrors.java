package siemload.database.sql;

import java.sql.SQLException;
import java.time.Duration;
import siemload.database.SearchException;
import siemload.database.TargetException;

/** What the errors of one database and its driver mean. Stateless and thread-safe. */
public interface SqlErrors {

    /** Whether the connection is of no use after this error. */
    boolean isLost(SQLException e);

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
}
