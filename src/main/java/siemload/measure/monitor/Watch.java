package siemload.measure.monitor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import siemload.config.DaemonThread;
import siemload.measure.RunClock;

/**
 * Looks at something at every full second of a run, counted from the start of the measured phase, and at the start and the end of the
 * run, by a thread of its own. Seconds that were missed because a look took too long are left out. Thread-safe.
 */
abstract class Watch implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    final RunClock clock;
    private final Thread thread;
    private volatile boolean open = true;
    private boolean paused;

    Watch(String name, RunClock clock) {
        this.clock = clock;
        this.thread = DaemonThread.of(name, this::run);
    }

    /** Looks, locked; what was due at this instant belongs to the second before it. */
    abstract void look(long dueNanos);

    /** What could not be seen, and why, for people. */
    abstract List<String> notes();

    final synchronized void tick(long dueNanos) {
        if (!paused) {
            look(dueNanos);
        }
    }

    /** What happens from now on does not count. */
    synchronized void pause() {
        paused = true;
    }

    /** It counts again. */
    synchronized void resume() {
        paused = false;
    }

    final void start() {
        thread.start();
    }

    /** Stops; the first call waits for a look that is under way, for 5 s at most. @return whether none is */
    final boolean stop() {
        if (open) {
            open = false;
            LockSupport.unpark(thread);
            DaemonThread.awaitEnd(List.of(thread), PATIENCE);
        }
        return !thread.isAlive();
    }

    private void run() {
        tick(clock.startNanos());
        for (long due = next(clock.startNanos()); open; due = next(due)) {
            for (long left = due - System.nanoTime(); left > 0 && open; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            if (open) {
                tick(due);
            }
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
}
