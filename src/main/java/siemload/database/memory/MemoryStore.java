package siemload.database.memory;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import siemload.database.Accounts;
import siemload.database.EventSink;
import siemload.database.LocalSink;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Trends;

/** One run's own table. */
final class MemoryStore implements Store {
    private final EventTable table;
    private final Duration searchTimeout;
    private final MemoryAccounts accounts = new MemoryAccounts();
    private final MemoryTrends trends = new MemoryTrends();

    MemoryStore(EventTable table, Duration searchTimeout) {
        this.table = table;
        this.searchTimeout = searchTimeout;
    }

    @Override
    public SearchSession openSession() {
        return new MemorySession(table, trends, searchTimeout);
    }

    @Override
    public EventSink openSink() {
        return new LocalSink(table::addMissing);
    }

    @Override
    public long events() {
        return table.size();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return new Presence(table.countOf(ids), 0);
    }

    @Override
    public Optional<Maintenance> maintenance() {
        return Optional.of(new MemoryMaintenance(table));
    }

    @Override
    public Optional<Accounts> accounts() {
        return Optional.of(accounts);
    }

    @Override
    public Optional<Trends> trends() {
        return Optional.of(trends);
    }

    @Override
    public void close() {}
}
