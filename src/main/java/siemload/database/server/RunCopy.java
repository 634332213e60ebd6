package siemload.database.server;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import siemload.database.registry.Claim;
import siemload.database.registry.Registry;

/**
 * The tables of one run, and the threads that watch over its searches. Closing it drops the tables, and what killed runs left
 * behind; closing twice is harmless. Thread-safe.
 */
public final class RunCopy implements AutoCloseable {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final Claim claim;
    private final EventTables tables;
    private final Registry registry;
    private final ScheduledThreadPoolExecutor watchers;
    private final AtomicBoolean closed = new AtomicBoolean();

    RunCopy(Claim claim, EventTables tables, Registry registry) {
        this.claim = claim;
        this.tables = tables;
        this.registry = registry;
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "siemload-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    /** The name of its tables. */
    public String name() {
        return claim.name();
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
            registry.sweep();
        }
    }
}
