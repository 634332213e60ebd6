package siemload.run;

import java.util.List;
import java.util.function.Consumer;
import siemload.target.SearchException;
import siemload.target.Store;
import siemload.target.TargetException;

/**
 * What became of the events that the server acknowledged.
 *
 * @param lost those not in the store, or -1 if nobody could look
 * @param duplicated those in the store more than once, or -1 if nobody could look
 */
record FedEvents(long lost, long duplicated) {

    /** Looks for every acknowledged event by its id. */
    static FedEvents lookFor(Consumer<Consumer<List<String>>> acknowledgedIds, Store store) {
        long[] lost = {0};
        long[] duplicated = {0};
        try {
            acknowledgedIds.accept(ids -> {
                Store.Presence presence = store.presenceOf(ids);
                lost[0] += ids.size() - presence.found();
                duplicated[0] += presence.duplicated();
            });
        } catch (TargetException | SearchException unreachable) {
            return new FedEvents(-1, -1);
        }
        return new FedEvents(lost[0], duplicated[0]);
    }
}
