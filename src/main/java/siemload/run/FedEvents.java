package siemload.run;

import java.time.Duration;
import java.util.List;
import siemload.database.Pause;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.results.FeederResult.StoredEvents;

/**
 * Looks for every fed event by its id. Whether a batch is stored whose acknowledgement was lost is not known before: the
 * server may have stored it, or may be about to.
 */
public final class FedEvents {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MILLIS_BETWEEN_LOOKS = 100;

    private FedEvents() {}

    /** Looks for those acknowledged and for the others. */
    public static StoredEvents lookFor(LoadOutcome.Fed fed, Store store) {
        Found others = new Found();
        fed.unacknowledgedIds().accept(ids -> others.asked += ids.size());
        try {
            if (others.asked > 0) {
                awaitQuiet(store);
            }
            Found known = new Found();
            fed.acknowledgedIds().accept(ids -> known.lookFor(ids, store));
            Found unsettled = new Found();
            fed.unacknowledgedIds().accept(ids -> unsettled.lookFor(ids, store));
            return new StoredEvents(
                    known.asked - known.found,
                    known.duplicated + unsettled.duplicated,
                    unsettled.found,
                    unsettled.asked - unsettled.found,
                    0);
        } catch (TargetException | SearchException unreachable) {
            return StoredEvents.unseen(others.asked);
        }
    }

    /** A commit that the server is still working on would be missed. */
    private static void awaitQuiet(Store store) {
        long start = System.nanoTime();
        while (store.runningFor(Duration.ZERO).orElse(0) > 0) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new TargetException("the server is still working on what was fed");
            }
            Pause.millis(MILLIS_BETWEEN_LOOKS, "looking for the fed events");
        }
    }

    /** What became of some events. */
    private static final class Found {
        private long asked;
        private long found;
        private long duplicated;

        void lookFor(List<String> ids, Store store) {
            Store.Presence presence = store.presenceOf(ids);
            asked += ids.size();
            found += presence.found();
            duplicated += presence.duplicated();
        }
    }
}
