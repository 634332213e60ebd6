package siemload.database.contract;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Transport;

/**
 * The connections of a {@link Mutant}.
 *
 * @param copies those that are given away again and again
 */
record MutantTarget(Target healthy, Fault fault, Map<String, Store> copies) implements Target {
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
        boolean ofOneName = fault == Fault.GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY;
        boolean again = ofOneName
                || fault == Fault.GIVES_EACH_RUN_THE_SAME_COPY
                || fault == Fault.KEEPS_WHAT_A_READING_RUN_WRITES;
        String name = key.fingerprint() + (ofOneName ? runId : "");
        Store copy = again ? copies.computeIfAbsent(name, first -> healthy.copy(key, runId)) : healthy.copy(key, runId);
        return mutant(copy);
    }

    @Override
    public Store emptyStore(String runId) {
        return mutant(healthy.emptyStore(runId));
    }

    private Store mutant(Store store) {
        return new MutantStore(store, fault, new TreeMap<>());
    }

    @Override
    public void close() {
        healthy.close();
    }
}
