package siemload.database;

import java.time.Duration;

/**
 * A server that follows another one and answers searches of what that one has. {@link Target#connectReplica} opens it. Used by one
 * thread at a time, except for the stores that it hands out.
 */
public interface Replica extends AutoCloseable {

    /** What it is and where, for messages: its name, {@code at}, host, port and database. */
    String place();

    /** What it told of itself when it was connected to, for people: {@code standby of the cluster 7503112233445566778}. */
    String about();

    /**
     * Waits until it has all that the other server has acknowledged so far.
     *
     * @throws TargetException if it has not after so long, or cannot be asked
     */
    void awaitCaughtUp(Duration atMost);

    /**
     * Opens the store of a run to search it there; nothing is written. Closing it takes nothing away.
     *
     * @param name the {@link Store#nameToJoin} of that store
     * @throws TargetException if there is no such store on this server
     */
    Store open(String name);

    /**
     * Opens what tells how far this server has come.
     *
     * @throws TargetException if either server refuses
     */
    ReplicaPositions openPositions();

    @Override
    void close();

    /**
     * Where the log of a server ends, and how far a replica of it has come, over connections of its own to both. Used by one thread at a
     * time; every call blocks. After a lost connection the next call connects again.
     */
    interface ReplicaPositions extends AutoCloseable {

        /**
         * Where the log ends now, as a number that grows with it: whatever the server acknowledged before this call lies before it.
         *
         * @throws SearchException if the server does not answer, or is none any more that takes writes
         */
        long written();

        /**
         * How far the replica has come in the same log: a search that begins after this call finds whatever lies before it.
         *
         * @throws SearchException if the replica does not answer, or is none any more
         */
        long replayed();

        @Override
        void close();
    }

    /**
     * Reads how far the standbys of a server are behind, over a connection of its own; to be read once a second from the opening on.
     * Used by one thread at a time; every call blocks. After a lost connection the next call connects again.
     */
    interface Replication extends AutoCloseable {

        /**
         * How far they are behind now.
         *
         * @throws SearchException if the server does not answer
         */
        ReplicationReading read();

        @Override
        void close();
    }
}
