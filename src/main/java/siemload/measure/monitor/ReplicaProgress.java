package siemload.measure.monitor;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How much of what a server has acknowledged a replica of it is known to have, by looks at where the server's log ends and at how far
 * the replica has come in it. Never too much: what is not known counts as missing. Instants are those of {@link System#nanoTime}.
 *
 * <p>Looks are taken by one thread; whoever asks may be any.
 */
public final class ReplicaProgress {
    /** In the order of time, and of the log; all of them beyond where the replica was last. */
    private final Deque<Look> ahead = new ArrayDeque<>();

    private volatile long completeNanos;

    /** Whatever was acknowledged before an instant lies before this place in the log. */
    private record Look(long nanos, long end) {}

    /** @param nanos at which the replica had all that its server had acknowledged */
    public ReplicaProgress(long nanos) {
        this.completeNanos = nanos;
    }

    /**
     * Takes where the log ends.
     *
     * @param nanos before the server was asked
     */
    public void written(long nanos, long end) {
        ahead.addLast(new Look(nanos, end));
    }

    /** Takes how far the replica has come. */
    public void replayed(long position) {
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
}
