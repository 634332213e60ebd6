package siemload.database.sql;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks once a second after connections whose sockets have no timeout, and breaks those on which the network is silent. Thread-safe. */
public final class SilenceWatch {
    private final Duration longest;
    private final Queue<RunConnection> watched = new ConcurrentLinkedQueue<>();

    /**
     * Looks until the watchers are shut down.
     *
     * @param longest how long an answer may take before the network counts as silent
     */
    public SilenceWatch(ScheduledExecutorService watchers, Duration longest) {
        this.longest = longest;
        var unused = watchers.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    /** The connection, which is watched from now on. */
    public RunConnection over(RunConnection connection) {
        watched.add(connection);
        return connection;
    }

    private void look() {
        long now = System.nanoTime();
        watched.forEach(connection -> connection.endSilence(now, longest));
    }
}
