package siemload.database;

import java.util.List;
import java.util.Optional;
import siemload.query.Statement;

/**
 * Data that were there before the run, of which statements are asked. Its sessions take searches that {@link Statement#search}
 * made, and can only read: the server keeps each of them from writing, or is sent nothing but what is known to read, but for statements that say that they {@link Statement#writes
 * write}. Of those a session's search gives the number of rows that they wrote, or returned where they return some, once that is
 * durable. Closing it leaves everything as it is.
 */
public interface StatementStore extends ExistingStore {

    /**
     * Why a statement cannot be asked, by the server's own judgement as far as that goes: it writes or gives no rows without saying so, or is wrong. Nothing
     * is executed. Empty if it can.
     *
     * @throws TargetException if the server cannot be asked
     */
    Optional<String> refusal(Statement statement);

    /**
     * The values that a query gives, as text, in the order of its rows.
     *
     * @param query a statement without parameters
     * @param most how many rows are taken at most
     * @throws TargetException if it fails, or gives anything but one column without NULL
     */
    List<String> values(String query, int most);

    /** It holds no events that siemload knows of. */
    @Override
    default long events() {
        return 0;
    }
}
