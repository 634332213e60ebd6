package siemload.database.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.Registry.Entry.Purpose;
import siemload.database.server.ServerTarget.EventTables.TableContents;
import siemload.event.SecurityEvent;
import siemload.query.Window;

/**
 * A target whose server has separate tables for each data set and each run. All tables are claimed before they are created, and dropped if
 * their creation fails; leftovers of killed runs are dropped before tables are created and after a run. A database implements the abstract
 * methods: each blocks, is called by any thread, and throws a {@link TargetException} if the server cannot be reached or refuses.
 */
public abstract class ServerTarget implements Target {
    /** A length of names that all of these servers accept. */
    private static final int LONGEST_NAME = 63;

    private Optional<Registry> registry = Optional.empty();

    /** A name for messages: the server's name, {@code at}, host, port and database. */
    protected abstract String place();

    /** The registry on the server; nothing is created there before the first entry is added. */
    protected abstract Registry.Server home();

    /**
     * A name from {@link Registry#name} for tables that are about to be created.
     *
     * @param fingerprint of the data set in them; empty for the empty tables of a run
     * @param runId of their run; empty for a data set that is being loaded
     */
    protected String newName(Purpose purpose, String fingerprint, String runId) {
        return purpose == Purpose.RUN || purpose == Purpose.READING
                ? Registry.name("siemload_run_", runId.toLowerCase(Locale.ROOT), LONGEST_NAME)
                : Registry.name("siemload_data_", fingerprint, LONGEST_NAME);
    }

    /** The tables of this name, which may not exist. */
    protected abstract EventTables tables(String name);

    /** Opens the copy of a run. Closing the store closes the copy. */
    protected abstract Store openStore(RunCopy copy);

    protected abstract void disconnect();

    protected final synchronized Registry registry() {
        Registry known = registry.orElseGet(() -> new Registry(home()));
        registry = Optional.of(known);
        return known;
    }

    @Override
    public final boolean holds(DatasetKey key) {
        return registry().kept(key.fingerprint()).isPresent();
    }

    @Override
    public final void discard(DatasetKey key) {
        registry().discard(key.fingerprint());
    }

    @Override
    public final void load(DatasetKey key, Consumer<BulkLoad> events, Consumer<String> step) {
        String label = "the data set '" + key.label() + "'";
        Claim unusedClaim = made(Purpose.LOADING, key.fingerprint(), "", key.label(), "", (claim, tables) -> {
            try (BulkLoad load = tables.createLoading(claim)) {
                events.accept(load);
                long unused = load.store();
            }
            tables.complete(step);
            step.accept("count");
            TableContents stored = tables.contents();
            if (stored.events() != key.events()) {
                throw new TargetException(label + " has " + key.events() + " events, but " + stored.events()
                        + " are in " + tables.place() + " after the load");
            }
            step.accept("keep");
            tables.lock();
            if (!claim.keep(stored.summary(), stored.events())) {
                claim.close(); // Another process was faster: its data set is the one that all runs use.
            }
            return claim;
        });
    }

    @Override
    public final Store copy(DatasetKey key, String runId) {
        Entry kept = kept(key);
        String label = "run " + runId + " on " + kept.label();
        return made(Purpose.RUN, kept.fingerprint(), runId, label, "", (claim, tables) -> {
            tables.copyFrom(kept.name(), claim);
            requireWhole(kept, tables.contents());
            tables.completeCopy();
            return open(owned(StoreKind.COPY, claim.name(), claim, tables));
        });
    }

    private RunCopy owned(StoreKind kind, String name, Claim claim, EventTables tables) {
        Runnable release = () -> {
            claim.close();
            registry().sweep();
        };
        return new RunCopy(kind, name, Optional.of(tables), false, release, Canceller.watchers());
    }

    private Entry kept(DatasetKey key) {
        return registry()
                .kept(key.fingerprint())
                .orElseThrow(() -> new TargetException(
                        "the data set '" + key.label() + "' is not loaded into " + place() + "; load it first"));
    }

    @Override
    public final boolean readsInPlace(DatasetKey key) {
        return tables(key.fingerprint()).areReadInPlace();
    }

    /** Claims the data set before looking up its entry again: a process that discards it removes the entry before it looks for claims. */
    @Override
    public final Store read(DatasetKey key, String runId) {
        Entry kept = kept(key);
        EventTables tables = tables(kept.name());
        return !tables.areReadInPlace()
                ? copy(key, runId)
                : made(Purpose.READING, key.fingerprint(), runId, "run " + runId, kept.name(), (claim, unused) -> {
                    if (!kept(key).name().equals(kept.name())) {
                        throw new TargetException(
                                "the data set '" + key.label() + "' was reloaded meanwhile; start the run again");
                    }
                    requireWhole(kept, tables.contents());
                    return open(owned(StoreKind.DATA_SET, kept.name(), claim, tables));
                });
    }

    @Override
    public final Store join(DatasetKey key, String name) {
        String[] given = name.split(ServerStore.KIND_END, 2);
        EventTables tables = tables(given[1]);
        StoreKind kind = StoreKind.valueOf(given[0]);
        return open(new RunCopy(kind, given[1], Optional.of(tables), true, () -> {}, Canceller.watchers()));
    }

    @Override
    public final Store emptyStore(String runId) {
        return made(Purpose.RUN, "", runId, "run " + runId, "", (claim, tables) -> {
            tables.create(claim);
            return open(owned(StoreKind.EMPTY, claim.name(), claim, tables));
        });
    }

    @Override
    public final void close() {
        synchronized (this) {
            registry.ifPresent(Registry::close);
        }
        disconnect();
    }

    /** Creates claimed tables, which are dropped again if their creation fails. */
    private <T> T made(
            Purpose purpose,
            String fingerprint,
            String runId,
            String label,
            String identity,
            BiFunction<Claim, EventTables, T> making) {
        registry().sweep();
        String name = newName(purpose, fingerprint, runId);
        Claim claim = registry().claim(purpose, name, fingerprint, label, identity);
        try {
            return making.apply(claim, tables(name));
        } catch (RuntimeException | Error failure) {
            try {
                claim.close();
            } catch (TargetException unreachable) {
                failure.addSuppressed(unreachable); // Some later run drops it.
            }
            throw failure;
        }
    }

    /** Throws an exception if the server or a disk has lost rows, which nobody would notice before an answer is checked. */
    private void requireWhole(Entry kept, TableContents now) {
        if (!now.summary().equals(kept.contents())) {
            throw new TargetException("the data set '" + kept.label() + "' that is kept in "
                    + tables(kept.name()).place() + " is damaged: it held " + kept.contents()
                    + " when it was loaded, and now " + now.summary()
                    + " (check the disk for errors; -Dreload=true loads it again)");
        }
    }

    private Store open(RunCopy copy) {
        try {
            return openStore(copy);
        } catch (TargetException e) {
            copy.close();
            throw e;
        }
    }

    /**
     * The storage of one data set or of one run: tables, a collection, or a separate database. Every call blocks and throws a {@link
     * siemload.database.TargetException} if the server refuses.
     */
    public interface EventTables extends Store.Maintenance {

        /** A name for messages: {@code the collection siemload_run_x_0badcafe}. */
        String place();

        /**
         * Creates the tables, empty and without keys and indexes.
         *
         * @param claim the claim on the tables; it receives their identity on the server as soon as that is known
         */
        void create(Claim claim);

        /**
         * Creates the tables and begins to load a data set in the fastest way; {@link #openLoad} into existing tables may be slower.
         *
         * @param claim as for {@link #create}
         */
        default BulkLoad createLoading(Claim claim) {
            create(claim);
            return openLoad();
        }

        /**
         * Creates the tables with the events of a kept data set; {@link #completeCopy} adds missing keys and indexes.
         *
         * @param kept the name of the kept tables
         * @param claim as for {@link #create}
         */
        void copyFrom(String kept, Claim claim);

        /** Works as {@link siemload.database.Store#makeRoom}; does nothing without partitions, or if the server creates them by itself. */
        default void makeRoom(Window times) {}

        /** Counts the events in the tables. */
        long events();

        /** Summarises the contents of the tables, to show whether events are lost. */
        default TableContents contents() {
            long events = events();
            return new TableContents(events, events + " events");
        }

        /**
         * Builds keys and indexes of loaded tables, and gathers statistics where the planner needs them.
         *
         * @param step takes the name of each step before it starts
         */
        default void complete(Consumer<String> step) {
            for (BuildStep index : indexes()) {
                step.accept(index.name());
                index.work().run();
            }
        }

        /** Builds keys and indexes of a copy, as fast as the server can. */
        default void completeCopy() {
            complete(step -> {});
        }

        /** Makes a complete data set read-only, if the server can, so that nobody changes the data by mistake. */
        default void lock() {}

        /** Returns whether runs can read a data set in place, because the server prevents them from changing it. */
        default boolean areReadInPlace() {
            return false;
        }

        /**
         * The contents of tables. Immutable.
         *
         * @param summary a text that changes if events are lost, as far as the database can tell: {@code 200000 events}
         */
        record TableContents(long events, String summary) {}
    }

    /** A store on a server: tables that a run owns, or shares with others for reading, or existing data. */
    public abstract static class ServerStore implements Store {
        static final String KIND_END = ":";

        private final RunCopy copy;

        /** @param copy the storage of the run, closed together with the store */
        protected ServerStore(RunCopy copy) {
            this.copy = copy;
        }

        protected final RunCopy copy() {
            return copy;
        }

        @Override
        public final StoreKind kind() {
            return copy.kind();
        }

        @Override
        public final String nameToJoin() {
            return copy.kind().name() + KIND_END + copy.name();
        }

        @Override
        public long events() {
            return kind() == StoreKind.EXISTING
                    ? span().events()
                    : copy.tables().events();
        }

        @Override
        public final void makeRoom(Window times) {
            if (kind() != StoreKind.EXISTING) {
                copy.tables().makeRoom(times);
            }
        }

        @Override
        public final Optional<Store.Maintenance> maintenance() {
            return kind() == StoreKind.EXISTING ? Optional.empty() : Optional.of(copy.tables());
        }

        @Override
        public void close() {
            copy.close();
        }
    }

    /**
     * The storage of a run, and the threads that watch over its searches. Closing it drops the tables of a run, and leftovers of killed
     * runs; closing twice is harmless. Thread-safe.
     *
     * @param name of its tables
     * @param held its tables as a whole; empty for existing data
     * @param isJoined whether another process made the storage
     * @param release releases the tables
     * @param watchers for work that must not wait for a session: requests to cancel a search, and alarms at its deadline
     */
    public record RunCopy(
            StoreKind kind,
            String name,
            Optional<EventTables> held,
            boolean isJoined,
            Runnable release,
            ScheduledExecutorService watchers)
            implements AutoCloseable {
        public static RunCopy existing(String name) {
            return new RunCopy(StoreKind.EXISTING, name, Optional.empty(), true, () -> {}, Canceller.watchers());
        }

        /** Returns the tables as a whole; not to be called for existing data. */
        public EventTables tables() {
            return held.orElseThrow();
        }

        @Override
        public void close() {
            synchronized (watchers) {
                if (watchers.isShutdown()) {
                    return;
                }
                watchers.shutdownNow();
            }
            release.run();
        }
    }

    /** Inserts batches over several connections at once; while all are busy, the next caller waits. */
    public static final class ParallelLoad implements BulkLoad {
        private final String place;
        private final List<EventSink> writers = new ArrayList<>();
        private final BlockingQueue<EventSink> idle = new LinkedBlockingQueue<>();
        private final LongAdder bytes = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThread.named("siemload-load"));

        private Runnable ending = () -> {};

        /**
         * Begins to load.
         *
         * @param place the place of the loaded events, for messages: {@code the collection siemload_data_x}
         * @param opening opens a sink whose calls throw a {@link TargetException} if the server refuses
         */
        public ParallelLoad(String place, int count, Supplier<EventSink> opening) {
            this.place = place;
            try {
                for (int i = 0; i < count; i++) {
                    writers.add(opening.get());
                }
            } catch (TargetException e) {
                close();
                throw e;
            }
            idle.addAll(writers);
        }

        public ParallelLoad endingWith(Runnable work) {
            ending = work;
            return this;
        }

        @Override
        public Store.PreparedEvents prepare(List<SecurityEvent> events) {
            return new Store.PreparedEvents(events, this::insert);
        }

        private void insert(List<SecurityEvent> batch) {
            EventSink writer = waitForOne();
            threads.execute(() -> {
                try {
                    bytes.add(writer.write(batch));
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                } finally {
                    idle.add(writer);
                }
            });
        }

        @Override
        public long store() {
            for (int stored = 0; stored < writers.size(); stored++) {
                EventSink unused = waitForOne();
            }
            ending.run();
            idle.addAll(writers);
            return bytes.sum();
        }

        @Override
        public void close() {
            threads.shutdownNow();
            writers.forEach(EventSink::close);
            try {
                // An insert that takes more than a minute is not waited for: its own timeout ends it.
                boolean unused = threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits for a sink that has stored its batch. @throws TargetException if any sink has failed to store a batch */
        private EventSink waitForOne() {
            try {
                EventSink one = idle.take();
                Throwable failed = failure.get();
                if (failed == null) {
                    return one;
                }
                throw failed instanceof TargetException known
                        ? known
                        : new TargetException("cannot load " + place + ": " + failed, failed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TargetException("the load of " + place + " was interrupted", e);
            }
        }
    }
}
