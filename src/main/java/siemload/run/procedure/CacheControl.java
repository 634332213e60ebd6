package siemload.run.procedure;

import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.database.TargetException;
import siemload.scenario.CacheState;

/**
 * Brings the caches of database and system into a state. Emptying them starts the server anew: sessions that are open then
 * must connect again. Used by one thread; returns when it is done.
 */
public interface CacheControl {

    /**
     * Prepares the caches right before something is measured. Nothing is done for {@link CacheState#AS_FOUND}, nor for
     * {@link CacheState#HOT}, which the steps bring about themselves: by doing once unmeasured what they measure.
     *
     * @throws TargetException if the state cannot be had, with what is missing and what can be done
     */
    void prepare(CacheState state);

    /**
     * To be called right before something is read; what is read first after {@link #prepare} proves the state. What comes back is to be told
     * right afterwards how many blocks were read from outside the server's own cache, empty where the server does not count them, and throws a
     * {@link TargetException} if the caches cannot have been in the state that they were brought into.
     */
    default Consumer<OptionalLong> watch() {
        return blocksRead -> {};
    }
}
