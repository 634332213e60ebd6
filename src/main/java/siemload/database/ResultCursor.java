package siemload.database;

/**
 * An ordered result that stays open on the server between pages. Used by the thread that uses its session, or by another
 * one after it, never by two at once.
 */
public interface ResultCursor extends AutoCloseable {

    /**
     * Hands over the next rows.
     *
     * @param size how many at most, 1 or more
     * @return how many there were; fewer than {@code size} at the end of the result
     * @throws SearchException if the server gave up, or the read took longer than the timeout of the run; the cursor is
     *     closed then
     */
    long next(int size, RowReader rows);

    /** Gives the result up; closing twice is harmless. */
    @Override
    void close();
}
