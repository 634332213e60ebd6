package siemload.database;

import java.util.List;

/**
 * What somebody who looks after a database does with a whole store: load it in bulk, delete what is in it, build and drop
 * its indexes. Every call blocks until it is done and durable. Used by one thread, while nobody searches the store.
 */
public interface Maintenance {

    /**
     * Begins to load events the way a data set is loaded, into the tables as they are and with the indexes that there are.
     * Closing it before it is stored leaves an unknown part of the events in the store.
     *
     * @throws TargetException if the server refuses
     */
    BulkLoad openLoad();

    /**
     * Deletes all events as a user would, row by row, and not by emptying or dropping the tables.
     *
     * @return how many there were
     * @throws TargetException if the server refuses
     */
    long deleteAll();

    /**
     * The names of the steps that build the keys and indexes of the run's index set, in their order, for instance
     * {@code index events_detect_time}; empty for a target without indexes.
     */
    List<String> indexSteps();

    /**
     * Takes one step.
     *
     * @param step one of {@link #indexSteps}, not taken since the store was opened or {@link #dropIndexes} called
     * @throws TargetException if the server refuses
     */
    void build(String step);

    /** Drops all that the steps have built; harmless where there is nothing. @throws TargetException */
    void dropIndexes();

    /**
     * Lets the server gather what it knows about the distribution of the data anew; nothing is done where a server keeps
     * no such statistics.
     *
     * @throws TargetException if the server refuses
     */
    default void gatherStatistics() {}

    /**
     * Brings all that was changed before to its final place on disk, so that nothing of it is left to be done later;
     * nothing is done where a server has no such thing.
     *
     * @throws TargetException if the server refuses, for instance for a missing right
     */
    default void checkpoint() {}
}
