package siemload.database.memory;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import siemload.database.EventSink;
import siemload.database.Maintenance;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** One run's own table. */
final class MemoryStore implements Store {
    private final EventTable table;
    private final Duration searchTimeout;

    MemoryStore(EventTable table, Duration searchTimeout) {
        this.table = table;
        this.searchTimeout = searchTimeout;
    }

    @Override
    public SearchSession openSession() {
        return new MemorySession(table, searchTimeout);
    }

    @Override
    public EventSink openSink() {
        IdeaWriter writer = new IdeaWriter();
        return new EventSink() {
            @Override
            public long write(List<SecurityEvent> batch) {
                table.addMissing(batch);
                return batch.stream()
                        .mapToLong(event -> writer.toBytes(event).length)
                        .sum();
            }

            @Override
            public void close() {}
        };
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
    public void close() {}
}
