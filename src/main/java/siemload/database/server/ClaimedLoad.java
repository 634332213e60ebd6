package siemload.database.server;

import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.PreparedEvents;
import siemload.database.registry.Claim;
import siemload.event.SecurityEvent;

/** Keeps others from dropping what it writes into, until it is closed. */
record ClaimedLoad(BulkLoad part, Claim claim) implements BulkLoad {
    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        return part.prepare(events);
    }

    @Override
    public long store() {
        return part.store();
    }

    /** Gives the claim up also where the part does not close: this process writes nothing more into it. */
    @Override
    public void close() {
        close(part, claim::release);
    }

    /** Gives up what a load writes into also where it does not close; where that fails, too, it is added to the first failure. */
    static void close(BulkLoad load, Release release) {
        try (release) {
            load.close();
        }
    }

    /** Gives up what a load writes into. */
    @FunctionalInterface
    interface Release extends AutoCloseable {
        @Override
        void close();
    }
}
