package siemload.run.procedure;

import java.util.Optional;
import siemload.database.Accounts;
import siemload.database.ForwardingStore;
import siemload.database.Store;

/** A store with other accounts. */
record AccountsStore(Store store, Accounts seen) implements ForwardingStore {

    @Override
    public Optional<Accounts> accounts() {
        return Optional.of(seen);
    }
}
