package siemload.database.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import siemload.event.SecurityEvent;

/** Events by id, in the order they came. Thread-safe: one writes, or one reads, at a time. */
final class EventTable {
    private final Map<String, MemoryEvent> events;

    EventTable() {
        this(Map.of());
    }

    private EventTable(Map<String, MemoryEvent> events) {
        this.events = new LinkedHashMap<>(events);
    }

    synchronized EventTable copy() {
        return new EventTable(events);
    }

    /** Whether the event was stored: false if its id is already there. */
    synchronized boolean add(SecurityEvent event) {
        return events.putIfAbsent(event.id(), MemoryEvent.of(event)) == null;
    }

    synchronized void addMissing(List<SecurityEvent> batch) {
        batch.forEach(this::add);
    }

    synchronized List<MemoryEvent> scan(Predicate<MemoryEvent> condition) {
        List<MemoryEvent> found = new ArrayList<>();
        for (MemoryEvent event : events.values()) {
            if (condition.test(event)) {
                found.add(event);
            }
        }
        return found;
    }

    /** Answers how many events there were. */
    synchronized long deleteAll() {
        long deleted = events.size();
        events.clear();
        return deleted;
    }

    synchronized long size() {
        return events.size();
    }

    synchronized long countOf(Collection<String> ids) {
        return ids.stream().distinct().filter(events::containsKey).count();
    }
}
