package siemload.target.scripted;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import siemload.event.SecurityEvent;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Store;
import siemload.target.Target;

/** Takes any data set and keeps none of it. */
final class ScriptedTarget implements Target {
    private final Duration searchTimeout;
    private final Map<String, String> parameters;

    ScriptedTarget(Duration searchTimeout, Map<String, String> parameters) {
        this.searchTimeout = searchTimeout;
        this.parameters = parameters;
    }

    @Override
    public String version() {
        return "1";
    }

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
            public void write(List<SecurityEvent> events) {}

            @Override
            public void store() {}

            @Override
            public void finish(Consumer<String> step) {}

            @Override
            public void close() {}
        };
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        return new ScriptedStore(new Script(Waiting.REAL, Pace.of(parameters)), searchTimeout, key.events());
    }

    @Override
    public void close() {}
}
