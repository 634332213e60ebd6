package siemload.database;

import java.time.Duration;

/**
 * A server that follows another one and answers searches of what that one has. {@link Target#connectReplica} opens it. Every call blocks,
 * and throws a {@link TargetException} if one of both cannot be asked. Used by one thread at a time, except for the stores that it hands
 * out.
 */
public interface Replica extends AutoCloseable {

    /** What it is and where, for messages: its name, {@code at}, host, port and database. */
    String place();

    /** Waits until it has all that the other server has acknowledged so far, but no longer than that. */
    void awaitCaughtUp(Duration atMost);

    /**
     * Opens the store of a run to search it there; nothing is written. Closing it takes nothing away.
     *
     * @param name the {@link Store#nameToJoin} of that store
     */
    Store open(String name);

    /**
     * Where the log of the other server ends now, as a number that grows with it: whatever it acknowledged before this call lies before
     * that.
     *
     * @throws SearchException if it does not answer, or is none any more that takes writes; the next call connects again
     */
    long written();

    /**
     * How far this one has come in the same log: a search that begins after this call finds whatever lies before it.
     *
     * @throws SearchException if it does not answer, or is no replica any more; the next call connects again
     */
    long replayed();

    @Override
    void close();
}
