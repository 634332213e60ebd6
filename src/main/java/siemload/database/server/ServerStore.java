package siemload.database.server;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import siemload.database.Store;
import siemload.database.Store.StoreKind;
import siemload.query.Window;

/** A store on a server: tables that a run has for itself or reads with others, or what was there before. */
public abstract class ServerStore implements Store {
    private final RunCopy copy;

    /** @param copy is closed with the store */
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
        return copy.nameToJoin();
    }

    @Override
    public long events() {
        return kind() == StoreKind.EXISTING ? span().events() : copy.tables().events();
    }

    @Override
    public final void makeRoom(Window times) {
        if (kind() != StoreKind.EXISTING) {
            copy.tables().makeRoom(times);
        }
    }

    @Override
    public final Optional<Maintenance> maintenance() {
        return kind() == StoreKind.EXISTING ? Optional.empty() : Optional.of(copy.tables());
    }

    @Override
    public void close() {
        copy.close();
    }

    /**
     * What a run works on, and the threads that watch over its searches. Closing it drops the tables of a run, and what killed runs left
     * behind; closing twice is harmless. Thread-safe.
     *
     * @param name of its tables
     * @param held its tables as a whole; empty for what was there before
     * @param isJoined whether it was made by others
     * @param release gives it back
     * @param watchers for what must not wait for a session: requests to stop a search, and alarms at its deadline
     */
    public record RunCopy(
            StoreKind kind,
            String name,
            Optional<EventTables> held,
            boolean isJoined,
            Runnable release,
            ScheduledExecutorService watchers)
            implements AutoCloseable {
        private static final String KIND_END = ":";

        /** Tables that this process made, or a kept data set that it reads. */
        static RunCopy own(StoreKind kind, String name, EventTables tables, Runnable release) {
            return new RunCopy(kind, name, Optional.of(tables), false, release, Canceller.watchers());
        }

        /**
         * The tables of a run that another process has made and watches over.
         *
         * @param given the {@link #nameToJoin} that it has there
         * @param tables finds tables by their name
         */
        public static RunCopy joined(String given, Function<String, EventTables> tables) {
            String[] kindAndName = given.split(KIND_END, 2);
            return new RunCopy(
                    StoreKind.valueOf(kindAndName[0]),
                    kindAndName[1],
                    Optional.of(tables.apply(kindAndName[1])),
                    true,
                    () -> {},
                    Canceller.watchers());
        }

        /** What was there before, under this name. */
        public static RunCopy existing(String name) {
            return new RunCopy(StoreKind.EXISTING, name, Optional.empty(), true, () -> {}, Canceller.watchers());
        }

        /** By what other processes work on it, too. */
        String nameToJoin() {
            return kind.name() + KIND_END + name;
        }

        /** Its tables as a whole, unless they were there before. */
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
}
