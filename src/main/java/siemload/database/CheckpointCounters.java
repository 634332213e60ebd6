package siemload.database;

/** Reads what a server counts of its checkpoints, over a connection of its own. Used by one thread. */
public interface CheckpointCounters extends AutoCloseable {

    /** What was counted up to now. @throws SearchException if it cannot be read this time */
    CheckpointReading read();

    @Override
    void close();
}
