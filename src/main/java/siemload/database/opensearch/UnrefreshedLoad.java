package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import siemload.database.BulkLoad;
import siemload.database.PreparedEvents;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;

/** A load into an index that nobody searches meanwhile: nothing of it becomes visible before its end, which costs less. Used by one thread. */
final class UnrefreshedLoad implements BulkLoad {
    private static final String NEVER = "-1";

    private final EventIndex index;
    private final BulkLoad load;
    private final JsonNode interval;
    private boolean stored;

    /** @param load is closed with this one */
    UnrefreshedLoad(EventIndex index, BulkLoad load) {
        this.index = index;
        this.load = load;
        this.interval = index.refreshInterval();
        index.setRefreshInterval(NEVER);
    }

    @Override
    public PreparedEvents prepare(List<SecurityEvent> events) {
        return load.prepare(events);
    }

    @Override
    public long store() {
        long bytes = load.store();
        restore();
        return bytes;
    }

    private void restore() {
        stored = true;
        index.setRefreshInterval(interval.isMissingNode() ? NullNode.getInstance() : interval);
        index.checkpoint();
    }

    @Override
    public void close() {
        load.close();
        if (!stored) {
            try {
                restore();
            } catch (TargetException gone) {
                // With the index or the server: what was being loaded is given up anyway.
            }
        }
    }
}
