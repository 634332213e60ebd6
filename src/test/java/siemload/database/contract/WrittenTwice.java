package siemload.database.contract;

import java.util.List;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.event.SecurityEvent;

/** A copy of the contract's events in the target and one in the reference, into which the same is written. */
final class WrittenTwice implements AutoCloseable {
    private final Store store;
    private final EventSink sink;
    private final SearchSession session;
    private final Store referenceStore;
    private final EventSink referenceSink;
    private final SearchSession reference;

    WrittenTwice(ContractSubject subject) {
        store = subject.copy();
        sink = store.openSink();
        session = store.openSession();
        referenceStore = subject.reference();
        referenceSink = referenceStore.openSink();
        reference = referenceStore.openSession();
    }

    /** Both were opened before anything was written. */
    SearchSession session() {
        return session;
    }

    SearchSession reference() {
        return reference;
    }

    void write(List<SecurityEvent> events) {
        sink.write(events);
        referenceSink.write(events);
    }

    @Override
    public void close() {
        try (store;
                sink;
                session;
                referenceStore;
                referenceSink;
                reference) {
            // Closing is all: the last one that was opened first.
        }
    }
}
