package siemload.database.memory;

import java.util.List;
import java.util.function.Consumer;
import siemload.database.DatasetLoad;
import siemload.database.PreparedEvents;
import siemload.database.TargetException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Collects events and hands the finished table over. */
final class MemoryLoad implements DatasetLoad {
    private final EventTable table;
    private final Consumer<EventTable> keep;
    private final IdeaWriter writer = new IdeaWriter();
    private long bytes;

    MemoryLoad(EventTable table, Consumer<EventTable> keep) {
        this.table = table;
        this.keep = keep;
    }

    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        return new PreparedEvents(events, this::add);
    }

    private void add(List<SecurityEvent> events) {
        for (SecurityEvent event : events) {
            if (!table.add(event)) {
                throw new TargetException("the event id '" + event.id() + "' occurs twice in the data set");
            }
            bytes += writer.toBytes(event).length;
        }
    }

    @Override
    public long store() {
        return bytes;
    }

    @Override
    public void finish(Consumer<String> step) {
        keep.accept(table);
    }

    @Override
    public void close() {}
}
