package siemload.database;

import java.time.Duration;
import java.util.Optional;

/**
 * A server that follows another one and answers searches of what that one has. {@link Target#connectReplica} opens it. Every call blocks,
 * and throws a {@link TargetException} if one of both cannot be asked. Used by one thread at a time, except for the stores that it hands
 * out.
 */
public interface Replica extends AutoCloseable {

    /** What it is and where, for messages: its name, {@code at}, host, port and database. */
    String place();

    /** What it told of itself when it was connected to, for people: {@code standby of the cluster 7503112233445566778}. */
    String about();

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

    /**
     * Reads how far the standbys of a server are behind, over a connection of its own; to be read once a second from the opening on.
     * Used by one thread at a time; every call blocks. After a lost connection the next call connects again.
     */
    interface Replication extends AutoCloseable {

        /** How far they are behind now. @throws SearchException if the server does not answer */
        ReplicationReading read();

        @Override
        void close();
    }

    /**
     * How far the standbys of a server are behind it at some instant; on a standby, how far it is itself. Immutable.
     *
     * @param standbys how many of them are told of
     * @param slowest how far the one is behind that is furthest
     * @param untold why there is nothing to tell, for people, as a sentence without its end; empty where there is
     */
    record ReplicationReading(int standbys, Duration slowest, Optional<String> untold) {

        /** What is told of so many standbys. */
        public static ReplicationReading of(int standbys, Duration slowest) {
            return new ReplicationReading(standbys, slowest, Optional.empty());
        }

        /** Nothing is told. */
        public static ReplicationReading untold(String why) {
            return new ReplicationReading(0, Duration.ZERO, Optional.of(why));
        }
    }
}
