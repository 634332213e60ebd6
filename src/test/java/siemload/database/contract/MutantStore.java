package siemload.database.contract;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import siemload.database.Accounts;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.ForwardingStore;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.event.SecurityEvent;

/**
 * What a {@link Mutant} stores.
 *
 * @param sizes those that were told before
 */
record MutantStore(Store store, Fault fault, SortedMap<String, Long> sizes) implements ForwardingStore {
    @Override
    public Optional<Maintenance> maintenance() {
        Maintenance maintenance = store.maintenance().orElseThrow();
        return Optional.of(
                fault == Fault.DELETES_NOTHING
                        ? Replacing.method("deleteAll", Optional.of(0L), Maintenance.class, maintenance)
                        : maintenance);
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        if (fault == Fault.NEVER_FORGETS_AN_INDEX) {
            sizes.put("index " + sizes.size(), 1L);
        }
        return new TreeMap<>(sizes);
    }

    @Override
    public SearchSession openSession() {
        return new MutantSession(store.openSession(), fault, this::trends);
    }

    @Override
    public Optional<Counters> openCounters() {
        return fault == Fault.COUNTS_TWO_SEARCHES_AS_ONE || fault == Fault.COUNTS_THE_TIME_OF_OTHERS
                ? Optional.of(new MutantCounters(fault, new AtomicLong()))
                : store.openCounters();
    }

    @Override
    public EventSink openSink() {
        EventSink sink = store.openSink();
        if (fault != Fault.STORES_ONLY_THE_FIRST_OF_A_BATCH) {
            return sink;
        }
        return new EventSink() {
            @Override
            public long write(List<SecurityEvent> batch) {
                return sink.write(batch.subList(0, Math.min(1, batch.size())));
            }

            @Override
            public void close() {
                sink.close();
            }
        };
    }

    @Override
    public Optional<Accounts> accounts() {
        return fault == Fault.TAKES_ONLY_THE_FIRST_WITHDRAWAL
                ? store.accounts().map(MutantAccounts::new)
                : store.accounts();
    }
}
