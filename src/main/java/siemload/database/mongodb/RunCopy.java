package siemload.database.mongodb;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import siemload.database.Maintenance;
import siemload.database.registry.Claim;

/** A run's collection, and the threads that watch over its searches. */
final class RunCopy implements AutoCloseable {
    /** Two, so that one request to a slow server does not hold up the others. */
    private static final int WATCHERS = 2;

    private final MongodbDatasets datasets;
    private final Claim claim;
    private final ScheduledThreadPoolExecutor watchers;

    RunCopy(MongodbDatasets datasets, Claim claim) {
        this.datasets = datasets;
        this.claim = claim;
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "mongodb-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    String collection() {
        return claim.name();
    }

    /** Makes whoever looks after the collection notice that connections are broken. */
    void reconnect() {
        datasets.reconnect();
    }

    /** The collection as a whole, without limits of time. */
    Maintenance maintenance() {
        return new MongodbMaintenance(datasets, collection());
    }

    ScheduledExecutorService watchers() {
        return watchers;
    }

    /** Drops the collection. */
    @Override
    public void close() {
        watchers.shutdownNow();
        claim.release();
        datasets.sweep();
    }
}
