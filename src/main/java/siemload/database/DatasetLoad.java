package siemload.database;

import java.util.function.Consumer;
import siemload.database.Store.BulkLoad;

/**
 * A data set on its way into a server. Used by one thread. Closing it before {@link #finish} returned discards
 * everything.
 */
public interface DatasetLoad extends BulkLoad {

    /**
     * Completes the load: stores what is still under way, builds indexes, collects statistics, and keeps the data set.
     *
     * @param step is told the name of each step before it starts, for instance {@code index events_detect_time}
     * @throws TargetException if a step fails
     */
    void finish(Consumer<String> step);

    /** By which other processes {@link Target#joinLoad join} a load that was begun {@link Target#loadTogether together} with them. */
    default String nameToJoin() {
        throw new UnsupportedOperationException("this data set is loaded by one process");
    }
}
