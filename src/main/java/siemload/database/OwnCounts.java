package siemload.database;

import java.util.Map;

/**
 * What the server counts of one session's own work, whatever others do meanwhile. A category that the server does not tell of a
 * session is missing. Used by the thread of the session.
 */
public interface OwnCounts {

    /**
     * Sets the counts to 0, between two searches; takes round trips.
     *
     * @return whether they are; never where the server does not count
     * @throws SearchException if the server could not be asked
     */
    boolean reset();

    /** What the session does from now on is counted, up to {@link #take}; takes no round trip. The counts must be 0. */
    void start();

    /**
     * What was read and written since the start, where no search has failed since then. The counts are 0 again; takes round trips.
     *
     * @throws SearchException if the server could not be asked
     */
    Map<CounterReading.Category, CounterReading.Io> take();
}
