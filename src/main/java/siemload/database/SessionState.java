package siemload.database;

import java.util.Locale;

/**
 * What a session of a run is doing at the moment at which a server is asked. {@link Counters} of servers that tell count
 * the sessions that are at work at each reading, by these states: so that over a run their shares are those of the time.
 */
public enum SessionState {
    /** Running, or ready to: on a CPU or waiting for one. */
    RUNNING,
    /** Waiting for data from a disk, or for a write to one. */
    IO,
    /** Waiting for another session, which holds a lock. */
    LOCK,
    /** Waiting for a place among those that the server works on at once. */
    QUEUE,
    /** Waiting for its client, to read or to send. */
    CLIENT,
    /** Waiting for something else. */
    OTHER;

    /** The counter of readings among which sessions were counted. */
    public static final String READINGS = "sessions.readings";

    /** The counter of sessions that were found in this state, among those of a {@link CounterReading}. */
    public String counter() {
        return "sessions." + name().toLowerCase(Locale.ROOT);
    }
}
