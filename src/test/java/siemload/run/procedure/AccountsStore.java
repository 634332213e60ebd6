package siemload.run.procedure;

import java.util.Collection;
import java.util.Optional;
import siemload.database.Accounts;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.Store;

/** A store with other accounts. */
record AccountsStore(Store store, Accounts seen) implements Store {

    @Override
    public Optional<Accounts> accounts() {
        return Optional.of(seen);
    }

    @Override
    public SearchSession openSession() {
        return store.openSession();
    }

    @Override
    public EventSink openSink() {
        return store.openSink();
    }

    @Override
    public long events() {
        return store.events();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return store.presenceOf(ids);
    }

    @Override
    public void close() {
        store.close();
    }
}
