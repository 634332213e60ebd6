package siemload.database.scripted;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.InProcessTarget;
import siemload.database.PreparedEvents;
import siemload.database.Store;
import siemload.event.SecurityEvent;

/** Takes any data set and keeps none of it. */
record ScriptedTarget(Duration searchTimeout, Map<String, String> parameters) implements InProcessTarget {

    @Override
    public SortedMap<String, String> settings() {
        return new TreeMap<>(parameters);
    }

    @Override
    public boolean holds(DatasetKey key) {
        return false;
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return new DatasetLoad() {
            @Override
            public PreparedEvents prepare(List<SecurityEvent> events) {
                return new PreparedEvents(events, prepared -> {});
            }

            @Override
            public long store() {
                return 0;
            }

            @Override
            public void finish(Consumer<String> step) {}

            @Override
            public void close() {}
        };
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        return new ScriptedStore(
                new Script(ScriptClock.REAL, ScriptTiming.of(parameters)), searchTimeout, key.events());
    }

    /** The script begins anew in each process: what it stores is the process's own. */
    @Override
    public Store join(DatasetKey key, String name) {
        return copy(key, name);
    }

    @Override
    public void close() {}
}
