package siemload.database.server;

import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Store;
import siemload.database.Store.StoreKind;
import siemload.query.Window;

/** A store on a server: tables that a run has for itself or reads with others, or what was there before. */
public abstract class ServerStore implements Store {
    static final String KIND_END = ":";

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
        return copy.kind().name() + KIND_END + copy.name();
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
        /** What was there before, under this name. */
        public static RunCopy existing(String name) {
            return new RunCopy(StoreKind.EXISTING, name, Optional.empty(), true, () -> {}, Canceller.watchers());
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
