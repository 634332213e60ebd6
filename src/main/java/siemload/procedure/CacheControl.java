package siemload.procedure;

import siemload.scenario.CacheState;

/**
 * Brings the caches of database and system into a state. Emptying them may start the server anew: sessions that are open
 * then must connect again, which they do by themselves. Used by one thread; returns when it is done.
 */
public interface CacheControl {

    /** Leaves the caches as they are found, and can do nothing else: {@code cold} and {@code lukewarm} are refused. */
    CacheControl NONE = state -> {
        switch (state) {
            case AS_FOUND, HOT -> {}
            case COLD, LUKEWARM ->
                throw new siemload.target.TargetException(
                        "the caches of this server cannot be emptied (use caches=hot or asFound)");
        }
    };

    /**
     * Prepares the caches right before something is measured. Nothing is done for {@link CacheState#AS_FOUND}, nor for
     * {@link CacheState#HOT}, which is brought about by whoever measures: by doing it once unmeasured.
     *
     * @throws siemload.target.TargetException if the state cannot be had, with what is missing and what can be done
     */
    void prepare(CacheState state);
}
