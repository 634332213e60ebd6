package siemload.database.server;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import siemload.database.StoreKind;
import siemload.database.registry.Claim;
import siemload.database.registry.Registry;

/**
 * The tables that a run works on, and the threads that watch over its searches. Closing it drops the tables, unless they are a
 * kept data set, and what killed runs left behind; closing twice is harmless. Thread-safe.
 */
public final class RunCopy implements AutoCloseable {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final StoreKind kind;
    private final Claim claim;
    private final String name;
    private final EventTables tables;
    private final Registry registry;
    private final ScheduledThreadPoolExecutor watchers;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param name of the tables, which the claim has, too, unless they are a kept data set */
    RunCopy(StoreKind kind, Claim claim, String name, EventTables tables, Registry registry) {
        this.kind = kind;
        this.claim = claim;
        this.name = name;
        this.tables = tables;
        this.registry = registry;
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "siemload-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    /** What they are. */
    public StoreKind kind() {
        return kind;
    }

    /** The name of its tables. */
    public String name() {
        return name;
    }

    /** Is told how the server tells its tables from others after more of them were made, so that they are dropped with it. */
    public void made(String identity) {
        claim.made(identity);
    }

    /** Its tables as a whole. */
    public EventTables tables() {
        return tables;
    }

    /** For what must not wait for a session: requests to stop a search, and alarms at its deadline. */
    public ScheduledExecutorService watchers() {
        return watchers;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            watchers.shutdownNow();
            claim.release();
            if (kind == StoreKind.DATA_SET && registry.readers(name).isEmpty()) {
                tables.lock();
            }
            registry.sweep();
        }
    }
}
