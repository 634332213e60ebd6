package siemload.database;

import java.util.List;

/**
 * Reads what the server counts of its own work, over a connection of its own. Reading is cheap enough for once a second,
 * about a millisecond of the server's time. Used by one thread at a time; every call blocks. After a lost connection the
 * next call connects again.
 */
public interface Counters extends AutoCloseable {

    /**
     * Everything counted since the server started, and the memory that it holds now. Work of the last second or so may be
     * missing where the server's processes hand in their counts now and then.
     *
     * @throws SearchException if it could not be read
     */
    CounterReading read();

    /**
     * The same with all work of sessions that have been closed, for the end of a run; may wait some seconds for them.
     *
     * @throws SearchException as {@link #read}
     */
    default CounterReading readSettled() {
        return read();
    }

    /** Where the times of statements come from, or why there are none; right after the first reading. */
    default StatementSource statements() {
        return StatementSource.none("siemload knows no counter of this database for the time of searches");
    }

    /** What this server or this user's rights leave uncounted, each with the reason; complete after the last reading. */
    List<String> gaps();

    @Override
    void close();
}
