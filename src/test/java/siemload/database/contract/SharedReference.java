package siemload.database.contract;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import siemload.database.Replacing;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.PreparedEvents;
import siemload.database.Target;
import siemload.database.Target.DatasetLoad;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;

/** The reference as several would find it on a server: what one of them loads, or has as its copy, the others join. */
final class SharedReference {
    private final Map<String, Load> loads = new ConcurrentHashMap<>();
    private final Map<String, Store> copies = new ConcurrentHashMap<>();

    private SharedReference() {}

    static Target of(Target reference) {
        SharedReference shared = new SharedReference();
        return Replacing.methods(
                Target.class,
                reference,
                Map.of(
                        "loadTogether",
                        (target, asked) -> Optional.of(shared.load((DatasetKey) asked[0], target)),
                        "joinLoad",
                        (target, asked) -> shared.part((String) asked[0]),
                        "copy",
                        (target, asked) -> shared.copy((DatasetKey) asked[0], (String) asked[1], target),
                        "read",
                        (target, asked) -> shared.copy((DatasetKey) asked[0], (String) asked[1], target),
                        "join",
                        (target, asked) -> Replacing.method(
                                Store.class, shared.copies.get((String) asked[1]), "close", Replacing.nothing())));
    }

    private Load load(DatasetKey key, Target reference) {
        Load load = new Load(key, reference.load(key));
        loads.put(load.nameToJoin(), load);
        return load;
    }

    private Part part(String name) {
        Load load = loads.get(name);
        if (load == null) {
            throw new TargetException("no data set is being loaded as " + name);
        }
        return new Part(load);
    }

    private Store copy(DatasetKey key, String runId, Target reference) {
        ServerClock clock = new ServerClock() {
            @Override
            public Instant now() {
                return Instant.now();
            }

            @Override
            public void close() {}
        };
        Store copy = Replacing.method(
                Store.class, reference.copy(key, runId), "openClock", (store, none) -> Optional.of(clock));
        copies.put(runId, copy);
        return Replacing.method(Store.class, copy, "nameToJoin", (store, none) -> Optional.of(runId));
    }

    /** What several write. */
    private final class Load implements DatasetLoad {
        private final DatasetKey key;
        private final DatasetLoad whole;
        private long events;

        Load(DatasetKey key, DatasetLoad whole) {
            this.key = key;
            this.whole = whole;
        }

        @Override
        public String nameToJoin() {
            return "load of " + key.fingerprint();
        }

        @Override
        public PreparedEvents prepare(List<SecurityEvent> batch) {
            PreparedEvents prepared = whole.prepare(batch);
            return new PreparedEvents(batch, unused -> add(prepared));
        }

        private void add(PreparedEvents batch) {
            if (!loads.containsValue(this)) {
                throw new TargetException(nameToJoin() + " has ended");
            }
            events += batch.events().size();
            batch.write();
        }

        @Override
        public long store() {
            return whole.store();
        }

        @Override
        public void finish(Consumer<String> step) {
            if (events != key.events()) {
                throw new TargetException("it has " + key.events() + " events, but " + events + " are in it");
            }
            whole.finish(step);
            close();
        }

        @Override
        public void close() {
            loads.remove(nameToJoin());
        }
    }

    /** What one of them writes. */
    private record Part(Load load) implements BulkLoad {
        @Override
        public PreparedEvents prepare(List<SecurityEvent> events) {
            return load.prepare(events);
        }

        @Override
        public long store() {
            return load.store();
        }

        @Override
        public void close() {}
    }
}
