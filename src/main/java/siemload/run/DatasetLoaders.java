package siemload.run;

import java.util.function.LongConsumer;
import siemload.database.ServerAddress;

/** Several processes that load a data set together, each its share of the events. Thread-safe. */
public interface DatasetLoaders {

    /**
     * Has each of them write its share, and returns when all of it is stored and all of them have ended.
     *
     * @param plan says how many there are, and what of
     * @param server that has it
     * @param name by which the load is joined: see {@link siemload.database.SharedLoad#nameToJoin}
     * @param written hears of how many more events were written, by one thread
     * @return the size of all events as IDEA JSON, in bytes
     * @throws siemload.database.TargetException if one of them fails, by its name; all have ended then
     */
    long load(RunPlan plan, ServerAddress server, String name, LongConsumer written);
}
