package siemload.database;

/**
 * Where the log of a server ends, and how far a replica of it has come, over connections of its own to both. Used by one thread at a
 * time; every call blocks. After a lost connection the next call connects again.
 */
public interface ReplicaPositions extends AutoCloseable {

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
