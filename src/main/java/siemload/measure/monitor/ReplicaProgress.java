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
 * How much of what a server has acknowledged a replica of it is known to have, by looks at where the server's log ends and at how far
 * the replica has come in it. Never too much: what is not known counts as missing. Instants are those of {@link System#nanoTime}.
 *
 * <p>Looks are taken by one thread; whoever asks may be any.
 */
public final class ReplicaProgress implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** In the order of time, and of the log; all of them beyond where the replica was last. */
    private final Deque<Look> ahead = new ArrayDeque<>();

    private final ScheduledThreadPoolExecutor looking =
            new ScheduledThreadPoolExecutor(1, DaemonThread.named("siemload-replica"));
    private volatile long completeNanos;

    /** Whatever was acknowledged before an instant lies before this place in the log. */
    private record Look(long nanos, long end) {}

    /** @param nanos at which the replica had all that its server had acknowledged */
    public ReplicaProgress(long nanos) {
        this.completeNanos = nanos;
    }

    /**
     * Looks ten times a second, by a thread of its own, until this is closed. Where one of the two servers does not answer, the replica
     * counts as falling behind.
     *
     * @param replica is not looked at by anybody else
     * @param recorder takes how far it is behind
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
            // Then nobody knows, and what is known grows old.
        }
        long now = System.nanoTime();
        recorder.behind(now, now - completeUntil(now));
    }

    /**
     * Takes where the log ends.
     *
     * @param nanos before the server was asked
     */
    void written(long nanos, long end) {
        ahead.addLast(new Look(nanos, end));
    }

    /** Takes how far the replica has come. */
    void replayed(long position) {
        while (!ahead.isEmpty() && ahead.getFirst().end() <= position) {
            completeNanos = ahead.removeFirst().nanos();
        }
    }

    /**
     * Until which instant the replica certainly has whatever its server acknowledged, for a search that begins now.
     *
     * @param nowNanos which is the answer where the replica is not behind
     */
    public long completeUntil(long nowNanos) {
        long known = completeNanos;
        return known - nowNanos < 0 ? known : nowNanos;
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
