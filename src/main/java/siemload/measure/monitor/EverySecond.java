package siemload.measure.monitor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import siemload.config.DaemonThread;
import siemload.measure.RunClock;

/**
 * A thread that does something at every full second of a run, counted from the start of the measured phase, and at the
 * start and the end of the run. Seconds that were missed because it took too long are left out. Thread-safe.
 */
final class EverySecond implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RunClock clock;
    private final LongConsumer action;
    private final Thread thread;
    private volatile boolean open = true;

    /** @param action is given the instant that was due, on the monotonic clock */
    EverySecond(String name, RunClock clock, LongConsumer action) {
        this.clock = clock;
        this.action = action;
        this.thread = DaemonThread.of(name, this::run);
    }

    void start() {
        thread.start();
    }

    /** Stops; the first call waits for an action that is under way, for 5 s at most. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        LockSupport.unpark(thread);
        DaemonThread.awaitEnd(List.of(thread), PATIENCE);
    }

    /** Whether the thread has ended, so that nothing is under way. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    private void run() {
        action.accept(clock.startNanos());
        for (long due = next(clock.startNanos()); open; due = next(due)) {
            waitUntil(due);
            if (!open) {
                return;
            }
            action.accept(due);
            if (clock.isOver(due)) {
                return;
            }
        }
    }

    /** The next full second; the latest of those that are over already. */
    private long next(long last) {
        long now = System.nanoTime();
        long from = Math.max(0, now - SECOND - last) + last;
        long next = clock.measureNanos() + Math.floorDiv(from - clock.measureNanos(), SECOND) * SECOND + SECOND;
        return clock.isOver(next) ? clock.endNanos() : next;
    }

    private void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0 && open; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
