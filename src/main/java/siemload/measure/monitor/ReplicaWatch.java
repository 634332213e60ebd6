package siemload.measure.monitor;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import siemload.database.Replica;
import siemload.database.SearchException;
import siemload.measure.ReplicaRecorder;

/**
 * Looks ten times a second, by a thread of its own, how far a replica has come. Where one of the two servers does not answer, the
 * replica counts as falling behind. Thread-safe.
 */
public final class ReplicaWatch implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Replica replica;
    private final ReplicaProgress progress;
    private final ReplicaRecorder.Replica recorder;
    private final ScheduledThreadPoolExecutor looking;

    private ReplicaWatch(Replica replica, ReplicaProgress progress, ReplicaRecorder.Replica recorder) {
        this.replica = replica;
        this.progress = progress;
        this.recorder = recorder;
        this.looking = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "siemload-replica");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts to look.
     *
     * @param replica is not looked at by anybody else until the watch is closed
     * @param progress takes what is seen
     * @param recorder takes how far the replica is behind
     */
    public static ReplicaWatch start(Replica replica, ReplicaProgress progress, ReplicaRecorder.Replica recorder) {
        ReplicaWatch watch = new ReplicaWatch(replica, progress, recorder);
        var unused = watch.looking.scheduleAtFixedRate(watch::look, 0, BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS);
        return watch;
    }

    private void look() {
        try {
            long asked = System.nanoTime();
            progress.written(asked, replica.written());
            progress.replayed(replica.replayed());
        } catch (SearchException silent) {
            // Then nobody knows, and what is known grows old.
        }
        long now = System.nanoTime();
        recorder.behind(now, now - progress.completeUntil(now));
    }

    /** Stops; waits for a look that is under way, for 5 s at most. */
    @Override
    public void close() {
        looking.shutdownNow();
        try {
            boolean unused = looking.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
