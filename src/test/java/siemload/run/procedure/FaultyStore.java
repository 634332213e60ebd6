package siemload.run.procedure;

import java.util.Optional;
import siemload.database.ForwardingSession;
import siemload.database.ForwardingStore;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.query.Search;

/**
 * A store with a fault.
 *
 * @param beforeLoading done whenever somebody wants to load; may throw
 * @param miscounted by how many each count is wrong
 */
record FaultyStore(Store store, Runnable beforeLoading, long miscounted) implements ForwardingStore {

    @Override
    public SearchSession openSession() {
        return new MiscountingSession(store.openSession(), miscounted);
    }

    @Override
    public Optional<Maintenance> maintenance() {
        beforeLoading.run();
        return store.maintenance();
    }

    private record MiscountingSession(SearchSession session, long miscounted) implements ForwardingSession {

        @Override
        public long count(Search search) {
            return session.count(search) + miscounted;
        }
    }
}
