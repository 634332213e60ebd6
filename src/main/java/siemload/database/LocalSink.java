package siemload.database;

import java.util.List;
import java.util.function.Consumer;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Feeds a store that is in this process. Used by one thread. */
public final class LocalSink implements EventSink {
    private final Consumer<List<SecurityEvent>> store;
    private final IdeaWriter writer = new IdeaWriter();

    /** @param store stores those events of a batch that it does not have yet */
    public LocalSink(Consumer<List<SecurityEvent>> store) {
        this.store = store;
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        store.accept(batch);
        return batch.stream().mapToLong(event -> writer.toBytes(event).length).sum();
    }

    @Override
    public void close() {}
}
