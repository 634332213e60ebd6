package siemload.database.contract;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.SharedLoad;
import siemload.database.Store;
import siemload.database.Target;

/** The connections of a {@link Mutant}. */
final class MutantTarget extends TargetInFront {
    private final Fault fault;
    /** Those that are given away again and again. */
    private final Map<String, Store> copies = new ConcurrentHashMap<>();

    MutantTarget(Target healthy, Fault fault) {
        super(healthy);
        this.fault = fault;
    }

    @Override
    public SharedLoad loadTogether(DatasetKey key) {
        SharedLoad load = healthy().loadTogether(key);
        return fault == Fault.KEEPS_NOTHING_THAT_SEVERAL_LOAD
                ? Replacing.method("finish", Optional.empty(), SharedLoad.class, load)
                : load;
    }

    @Override
    public BulkLoad joinLoad(String name) {
        return healthy().joinLoad(name);
    }

    @Override
    public Store join(DatasetKey key, String name) {
        return fault == Fault.GIVES_WHO_JOINS_ANOTHER_COPY
                ? healthy().copy(key, "another")
                : healthy().join(key, name);
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        boolean ofOneName = fault == Fault.GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY;
        boolean again = ofOneName
                || fault == Fault.GIVES_EACH_RUN_THE_SAME_COPY
                || fault == Fault.KEEPS_WHAT_A_READING_RUN_WRITES;
        String name = key.fingerprint() + (ofOneName ? runId : "");
        Store copy = again
                ? copies.computeIfAbsent(name, first -> healthy().copy(key, runId))
                : healthy().copy(key, runId);
        return mutant(copy);
    }

    @Override
    public Store emptyStore(String runId) {
        return mutant(healthy().emptyStore(runId));
    }

    private Store mutant(Store store) {
        return new MutantStore(store, fault, new TreeMap<>());
    }
}
