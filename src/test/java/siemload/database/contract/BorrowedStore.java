package siemload.database.contract;

import java.util.Collection;
import java.util.Optional;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;

/** A store that stays open when its borrower closes it. */
record BorrowedStore(Store owned) implements Store {

    @Override
    public SearchSession openSession() {
        return owned.openSession();
    }

    @Override
    public EventSink openSink() {
        throw new UnsupportedOperationException("other tests share this copy: nothing is written into it");
    }

    @Override
    public Optional<Counters> openCounters() {
        return owned.openCounters();
    }

    @Override
    public long events() {
        return owned.events();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return owned.presenceOf(ids);
    }

    @Override
    public void close() {}
}
