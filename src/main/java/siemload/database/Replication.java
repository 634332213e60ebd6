package siemload.database;

/**
 * Reads how far the standbys of a server are behind, over a connection of its own; to be read once a second from the opening on.
 * Used by one thread at a time; every call blocks. After a lost connection the next call connects again.
 */
public interface Replication extends AutoCloseable {

    /**
     * How far they are behind now.
     *
     * @throws SearchException if the server does not answer
     */
    ReplicationReading read();

    @Override
    void close();
}
