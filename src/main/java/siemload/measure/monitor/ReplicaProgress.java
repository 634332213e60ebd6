package siemload.measure.monitor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.Target.Replica;
import siemload.measure.LatencyRecorder.ReplicaRecorder;

/**
 * Tracks which of a server's acknowledged data its replica certainly has, from the positions of server and replica in the server's log. The
 * result is never too high: data count as missing as long as nothing is known about them. Instants are those of {@link System#nanoTime}.
 *
 * <p>One thread reads the positions; any thread may ask.
 */
public final class ReplicaProgress implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The readings of the log's end that lie beyond the replica's last position, in the order of time and of the log. */
    private final Deque<Look> ahead = new ArrayDeque<>();

    private final ScheduledThreadPoolExecutor looking =
            new ScheduledThreadPoolExecutor(1, DaemonThread.named("siemload-replica"));
    private volatile long completeNanos;

    /** A reading of the log's end: all data acknowledged before the instant lie before this position of the log. */
    private record Look(long nanos, long end) {}

    /** @param nanos an instant at which the replica had everything that its server had acknowledged */
    public ReplicaProgress(long nanos) {
        this.completeNanos = nanos;
    }

    /**
     * Reads the positions ten times a second, on its own thread, until this object is closed. If one of the two servers does not answer,
     * the replica counts as falling behind.
     *
     * @param replica the replica, which nobody else uses
     * @param recorder takes the replica's lag
     */
    public void watch(Replica replica, ReplicaRecorder recorder) {
        var unused = looking.scheduleAtFixedRate(
                () -> look(replica, recorder), 0, BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look(Replica replica, ReplicaRecorder recorder) {
        try {
            long asked = System.nanoTime();
            written(asked, replica.written());
            replayed(replica.replayed());
        } catch (SearchException silent) {
            // Without an answer the position is unknown, and the last known position becomes outdated.
        }
        long now = System.nanoTime();
        recorder.behind(now, now - completeUntil(now));
    }

    /**
     * Takes the end of the log.
     *
     * @param nanos an instant before the server was asked
     */
    void written(long nanos, long end) {
        ahead.addLast(new Look(nanos, end));
    }

    /** Takes the replica's position. */
    void replayed(long position) {
        while (!ahead.isEmpty() && ahead.getFirst().end() <= position) {
            completeNanos = ahead.removeFirst().nanos();
        }
    }

    /**
     * Returns the instant up to which the replica certainly has all data that its server acknowledged, for a search that begins now.
     *
     * @param nowNanos the result if the replica is not behind
     */
    public long completeUntil(long nowNanos) {
        long known = completeNanos;
        return known - nowNanos < 0 ? known : nowNanos;
    }

    /** Stops; waits for a reading in progress, for 5 s at most. */
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
