package siemload.run.procedure;

import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Store;

/** What a server has counted once the sessions have ended that worked on a store. Stateless. */
final class SettledCounters {
    private SettledCounters() {}

    /**
     * Waits some seconds for them at most.
     *
     * @throws siemload.database.SearchException if the counters cannot be read
     * @throws siemload.database.TargetException if the server does not let us open them
     */
    static CounterReading of(Store store) {
        return store.openCounters()
                .map(counters -> {
                    try (Counters open = counters) {
                        return open.readSettled();
                    }
                })
                .orElse(CounterReading.NONE);
    }
}
