package siemload.database.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import siemload.database.DatasetLoad;
import siemload.database.Replica;
import siemload.database.Replica.Replication;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.SharedLoad;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.PreparedEvents;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.event.SecurityEvent;

/**
 * A target on a server on which each data set and each run has tables of its own. Whatever is made is claimed before and
 * given up where making it fails; what killed runs left is dropped before anything is made and after a run.
 */
public final class ServerTarget implements Target {
    private final DatabaseServer server;
    private final Registry registry;

    /** @param server is closed with this target */
    public ServerTarget(DatabaseServer server) {
        this.server = server;
        this.registry = new Registry(server.registry(), server.objects());
    }

    @Override
    public String version() {
        return server.version();
    }

    @Override
    public SortedMap<String, String> settings() {
        return server.settings();
    }

    @Override
    public Sessions sessions() {
        return server.sessions();
    }

    @Override
    public Transport transport() {
        return server.transport();
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(server.use());
    }

    @Override
    public Optional<Replication> openReplication() {
        return server.openReplication();
    }

    @Override
    public Replica connectReplica(ServerAddress address, int sessions) {
        return server.connectReplica(address, sessions, registry);
    }

    @Override
    public boolean holds(DatasetKey key) {
        return registry.kept(key.fingerprint()).isPresent();
    }

    @Override
    public void discard(DatasetKey key) {
        registry.discard(key.fingerprint());
    }

    @Override
    public List<String> strangers() {
        Set<String> ours = registry.entries().stream().map(Entry::name).collect(Collectors.toSet());
        return server.strangers(ours);
    }

    @Override
    public DatasetLoad load(DatasetKey key) {
        return made(Purpose.LOADING, key.fingerprint(), "", key.label(), (claim, tables) -> {
            BulkLoad events = tables.createLoading(claim, "the data set '" + key.label() + "'");
            return new ServerLoad(key, claim, tables, events, registry);
        });
    }

    @Override
    public boolean loadsTogether() {
        return server.tables("any").areLoadedTogether();
    }

    @Override
    public SharedLoad loadTogether(DatasetKey key) {
        return made(Purpose.LOADING, key.fingerprint(), "", key.label(), (claim, tables) -> {
            tables.create(claim);
            return new ServerLoad(key, claim, tables, new WrittenByOthers(), registry);
        });
    }

    @Override
    public BulkLoad joinLoad(String name) {
        EventTables tables = server.tables(name);
        Optional<Claim> writing = writing(name, tables);
        try {
            requireLoading(name);
            BulkLoad part = tables.openPart("a part of " + name);
            return writing.<BulkLoad>map(claim -> new ClaimedLoad(part, claim)).orElse(part);
        } catch (TargetException e) {
            writing.ifPresent(claim -> claim.giveUp(e));
            throw e;
        }
    }

    private void requireLoading(String name) {
        boolean isLoaded = registry.entries().stream()
                .anyMatch(entry ->
                        entry.purpose() == Purpose.LOADING && entry.name().equals(name));
        if (!isLoaded) {
            throw new TargetException("no data set is being loaded as " + name + " into " + server.place());
        }
    }

    /** Keeps others from dropping tables that this process would make anew by what it writes. */
    private Optional<Claim> writing(String name, EventTables tables) {
        return tables.areMadeByWriting()
                ? Optional.of(registry.claimWriting(server.newName(Purpose.READING, "", "joined"), name))
                : Optional.empty();
    }

    @Override
    public Store copy(DatasetKey key, String runId) {
        Entry kept = kept(key);
        String label = "run " + runId + " on " + kept.label();
        return made(Purpose.RUN, kept.fingerprint(), runId, label, (claim, tables) -> {
            StoreKind kind = copied(kept, claim, tables);
            requireWhole(kept, tables.contents());
            tables.completeCopy();
            return open(new RunCopy(kind, claim, claim.name(), tables, registry));
        });
    }

    private StoreKind copied(Entry kept, Claim claim, EventTables tables) {
        try {
            return tables.copyFrom(kept.name(), claim);
        } catch (TargetException e) {
            List<Entry> readers = registry.readers(kept.name());
            if (readers.isEmpty()) {
                throw e;
            }
            String who = readers.stream().map(Entry::label).collect(Collectors.joining(", "));
            throw new TargetException(
                    "the data set '" + kept.label() + "' cannot be copied while others read it (" + who
                            + "); wait until they have ended: " + e.getMessage(),
                    e);
        }
    }

    private Entry kept(DatasetKey key) {
        return registry.kept(key.fingerprint())
                .orElseThrow(() -> new TargetException(
                        "the data set '" + key.label() + "' is not loaded into " + server.place() + "; load it first"));
    }

    @Override
    public boolean readsInPlace(DatasetKey key) {
        return server.tables(key.fingerprint()).areReadInPlace();
    }

    /** Where it cannot be opened, for instance since it is just being copied, it is copied once more. */
    @Override
    public Store read(DatasetKey key, String runId) {
        Entry kept = kept(key);
        EventTables tables = server.tables(kept.name());
        Optional<Store> opened = tables.areReadInPlace() ? opened(key, kept, runId) : Optional.empty();
        if (opened.isEmpty()) {
            return copy(key, runId);
        }
        try {
            requireWhole(kept, tables.contents());
            return opened.orElseThrow();
        } catch (TargetException e) {
            opened.orElseThrow().close();
            throw e;
        }
    }

    /** It is claimed before its entry is looked up once more: whoever discards it removes that first, and then sees the claim. */
    private Optional<Store> opened(DatasetKey key, Entry kept, String runId) {
        registry.sweep();
        String name = server.newName(Purpose.READING, key.fingerprint(), runId);
        Claim claim = registry.claimReading(name, key, kept.name(), "run " + runId);
        RunCopy shared = new RunCopy(StoreKind.DATA_SET, claim, kept.name(), server.tables(kept.name()), registry);
        try {
            if (kept(key).name().equals(kept.name())) {
                shared.tables().unlock();
                return Optional.of(open(shared));
            }
        } catch (TargetException closed) {
            // Then it is copied, which says what is wrong if that is not possible either.
        }
        shared.close();
        return Optional.empty();
    }

    @Override
    public Store join(DatasetKey key, String name) {
        return open(RunCopy.joined(name, server::tables, this::writing, registry));
    }

    @Override
    public Store emptyStore(String runId) {
        return made(Purpose.RUN, "", runId, "run " + runId, (claim, tables) -> {
            tables.create(claim);
            return open(new RunCopy(StoreKind.EMPTY, claim, claim.name(), tables, registry));
        });
    }

    @Override
    public void close() {
        registry.close();
        server.close();
    }

    /** Makes tables that are claimed, and are dropped again if that fails. */
    private interface Making<T> {
        T make(Claim claim, EventTables tables);
    }

    private <T> T made(Purpose purpose, String fingerprint, String runId, String label, Making<T> making) {
        registry.sweep();
        String name = server.newName(purpose, fingerprint, runId);
        Claim claim = registry.claim(purpose, name, fingerprint, label, "");
        try {
            return making.make(claim, server.tables(name));
        } catch (TargetException e) {
            claim.giveUp(e);
            throw e;
        }
    }

    /** A server or a disk that lost rows gives fewer events, and nobody would notice before an answer is checked. */
    private void requireWhole(Entry kept, TableContents now) {
        if (!now.summary().equals(kept.contents())) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in "
                    + server.tables(kept.name()).place() + " is damaged: it held " + kept.contents()
                    + " when it was loaded, and now " + now.summary()
                    + " (look for errors of the disk; -Dreload=true loads it anew)");
        }
    }

    private Store open(RunCopy copy) {
        try {
            return server.openStore(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    /** Nothing is written by this process. */
    private static final class WrittenByOthers implements BulkLoad {
        @Override
        public PreparedEvents prepare(List<SecurityEvent> events) {
            throw new IllegalStateException("other processes write this data set");
        }

        @Override
        public long store() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Loads tables, completes them, and keeps them. */
    private record ServerLoad(DatasetKey key, Claim claim, EventTables tables, BulkLoad events, Registry registry)
            implements SharedLoad {

        @Override
        public String nameToJoin() {
            return claim.name();
        }

        @Override
        public PreparedEvents prepare(List<SecurityEvent> batch) {
            return events.prepare(batch);
        }

        @Override
        public long store() {
            return events.store();
        }

        @Override
        public void finish(Consumer<String> step) {
            long unused = store();
            events.close();
            tables.complete(step);
            step.accept("count");
            TableContents stored = tables.contents();
            if (stored.events() != key.events()) {
                throw new TargetException("the data set '" + key.label() + "' has " + key.events() + " events, but "
                        + stored.events() + " are in " + tables.place() + " after the load");
            }
            step.accept("keep");
            tables.lock();
            claim.keepOrRelease(stored.summary(), stored.events());
        }

        @Override
        public void close() {
            ClaimedLoad.close(events, () -> registry.release(claim));
        }
    }

    /** Keeps others from dropping what it writes into, until it is closed. */
    private record ClaimedLoad(BulkLoad part, Claim claim) implements BulkLoad {
        @Override
        public PreparedEvents prepare(List<SecurityEvent> events) {
            return part.prepare(events);
        }

        @Override
        public long store() {
            return part.store();
        }

        /** Gives the claim up also where the part does not close: this process writes nothing more into it. */
        @Override
        public void close() {
            close(part, claim::release);
        }

        /** Gives up what a load writes into also where it does not close; where that fails, too, it is added to the first failure. */
        static void close(BulkLoad load, Release release) {
            try (release) {
                load.close();
            }
        }

        /** Gives up what a load writes into. */
        @FunctionalInterface
        interface Release extends AutoCloseable {
            @Override
            void close();
        }
    }
}
