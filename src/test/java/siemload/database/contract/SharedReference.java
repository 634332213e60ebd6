package siemload.database.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.Replacing;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.ServerClock;

/** The reference as several would find it on a server: what one of them has as its copy, the others join. */
final class SharedReference {
    private final Map<String, Store> copies = new ConcurrentHashMap<>();

    private SharedReference() {}

    static Target of(Target reference) {
        SharedReference shared = new SharedReference();
        return Replacing.methods(
                Target.class,
                reference,
                Map.of(
                        "copy",
                        (target, asked) -> shared.copy((DatasetKey) asked[0], (String) asked[1], target),
                        "read",
                        (target, asked) -> shared.copy((DatasetKey) asked[0], (String) asked[1], target),
                        "join",
                        (target, asked) -> Replacing.method(
                                Store.class, shared.copies.get((String) asked[1]), "close", Replacing.nothing())));
    }

    private Store copy(DatasetKey key, String runId, Target reference) {
        Store copy = Replacing.method(
                Store.class,
                reference.copy(key, runId),
                "openClock",
                (store, none) -> Optional.of(new ServerClock(Instant::now, Duration.ofMillis(1), () -> {})));
        copies.put(runId, copy);
        return Replacing.method(Store.class, copy, "nameToJoin", (store, none) -> runId);
    }
}
