package siemload.database.contract;

import java.util.SortedMap;
import siemload.database.DatasetLoad;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Transport;

/** Does what the target behind it does. */
abstract class TargetInFront implements Target {
    private final Target healthy;

    TargetInFront(Target healthy) {
        this.healthy = healthy;
    }

    final Target healthy() {
        return healthy;
    }

    @Override
    public String version() {
        return healthy.version();
    }

    @Override
    public Transport transport() {
        return healthy.transport();
    }

    @Override
    public SortedMap<String, String> settings() {
        return healthy.settings();
    }

    @Override
    public boolean holds(DatasetKey key) {
        return healthy.holds(key);
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return healthy.load(key);
    }

    @Override
    public void discard(DatasetKey key) {
        healthy.discard(key);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        return healthy.copy(key, runId);
    }

    @Override
    public Store emptyStore(String runId) {
        return healthy.emptyStore(runId);
    }

    @Override
    public void close() {
        healthy.close();
    }
}
