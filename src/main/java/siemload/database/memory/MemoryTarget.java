package siemload.database.memory;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.InProcessTarget;
import siemload.database.Store;
import siemload.database.TargetException;

/** Keeps the loaded data sets by fingerprint. */
final class MemoryTarget implements InProcessTarget {
    private final Duration searchTimeout;
    private final Map<String, EventTable> kept = new ConcurrentHashMap<>();

    MemoryTarget(Duration searchTimeout) {
        this.searchTimeout = searchTimeout;
    }

    @Override
    public SortedMap<String, String> settings() {
        return new TreeMap<>();
    }

    @Override
    public boolean holds(DatasetKey key) {
        return kept.containsKey(key.fingerprint());
    }

    @Override
    public void discard(DatasetKey key) {
        kept.remove(key.fingerprint());
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        Consumer<EventTable> keep = table -> kept.put(key.fingerprint(), table);
        return new MemoryLoad(new EventTable(), keep);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        EventTable table = kept.get(key.fingerprint());
        if (table == null) {
            throw new TargetException("the data set '" + key.label() + "' is not loaded into memory; load it first");
        }
        return new MemoryStore(table.copy(), searchTimeout);
    }

    @Override
    public Store emptyStore(String runId) {
        return new MemoryStore(new EventTable(), searchTimeout);
    }

    @Override
    public void close() {
        kept.clear();
    }
}
