package siemload.database.server;

import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.registry.Claim;
import siemload.event.SecurityEvent;

/** Keeps others from dropping what it writes into, until it is closed. */
record ClaimedLoad(BulkLoad part, Claim claim) implements BulkLoad {
    @Override
    public void write(List<SecurityEvent> events) {
        part.write(events);
    }

    @Override
    public long store() {
        return part.store();
    }

    /** Gives the claim up also where the part does not close: this process writes nothing more into it. */
    @Override
    public void close() {
        try {
            part.close();
        } catch (RuntimeException unclosed) {
            claim.giveUp(unclosed);
            throw unclosed;
        }
        claim.release();
    }
}
