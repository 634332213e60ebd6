package siemload.database.postgresql;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far behind somebody is who follows a log, by how long ago its end was first seen beyond where he is. Precise to the time between
 * two looks, and never too much. Used by one thread.
 */
final class LogPositions {
    /** In the order of time and of the log; all of them beyond where he was last. */
    private final Deque<Seen> ahead = new ArrayDeque<>();

    /** Where the log ended at an instant. */
    private record Seen(long nanos, long end) {}

    /**
     * Takes one more look.
     *
     * @param nowNanos on the monotonic clock
     * @param end of the log, in bytes
     * @param follower how far he has come
     * @return how far he is behind
     */
    Duration lag(long nowNanos, long end, long follower) {
        if (ahead.isEmpty() || end > ahead.getLast().end()) {
            ahead.addLast(new Seen(nowNanos, end));
        }
        while (!ahead.isEmpty() && ahead.getFirst().end() <= follower) {
            ahead.removeFirst();
        }
        return ahead.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(nowNanos - ahead.getFirst().nanos());
    }
}
