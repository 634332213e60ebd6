package siemload.database;

import java.time.Duration;
import java.time.Instant;

/** The clock of a server, by which processes on several machines agree on an instant. Used by one thread at a time. */
public interface ServerClock extends AutoCloseable {

    /**
     * What it shows, at some instant during the call.
     *
     * @throws SearchException if the server does not answer
     */
    Instant now();

    /** By how much it may be later than what the clock shows, which shows nothing smaller; zero for microseconds or less. */
    default Duration resolution() {
        return Duration.ZERO;
    }

    @Override
    void close();
}
