package siemload.load;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import siemload.config.DaemonThread;

/**
 * Executes the steps of users, tasks and replays when they are due, one after the other on a thread of its own, so that nobody is late
 * because all workers are busy. Thread-safe.
 *
 * <p>Waking up takes about a tenth of a millisecond, and so does waking the worker that takes the search. So a step comes up to 0.5 ms
 * early, and the thread that runs its search spins until the instant; but for no more than one part in {@value #EARLY_PART} of the time
 * between instants.
 */
final class DueSteps implements AutoCloseable {
    private static final long EARLY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int EARLY_PART = 10;

    private final PriorityBlockingQueue<Step> steps = new PriorityBlockingQueue<>();
    private final AtomicLong added = new AtomicLong();
    private final long originNanos = System.nanoTime();
    private final Thread thread = DaemonThread.of("siemload-due", this::takeAll);
    private volatile boolean open = true;

    DueSteps() {
        thread.start();
    }

    /** A step due at an instant since the origin; the number orders steps of the same instant. */
    private record Step(long dueNanos, long number, Runnable action) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int byInstant = Long.compare(dueNanos, other.dueNanos);
            return byInstant == 0 ? Long.compare(number, other.number) : byInstant;
        }
    }

    /**
     * Adds a step.
     *
     * @param dueNanos when it is due, on {@link System#nanoTime}; a past instant means at once. It may be executed up to 0.5 ms early
     * @param action must return at once, for instance after submitting a search, and must not throw
     */
    void at(long dueNanos, Runnable action) {
        Step step = new Step(dueNanos - originNanos, added.getAndIncrement(), action);
        steps.add(step);
        if (step.equals(steps.peek())) {
            LockSupport.unpark(thread);
        }
    }

    /** Ends when no step is left; each of them is executed when it is due. */
    @Override
    public void close() {
        open = false;
        LockSupport.unpark(thread);
    }

    /** Waits for an instant on {@link System#nanoTime} while this condition holds; whoever changes it may unpark the thread. */
    static void parkUntil(long nanos, BooleanSupplier waits) {
        while (System.nanoTime() - nanos < 0 && waits.getAsBoolean()) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
    }

    private void takeAll() {
        long lastDueNanos = 0;
        long dueBeforeNanos = 0;
        while (true) {
            Step next = steps.peek();
            if (next == null) {
                if (!open) {
                    return;
                }
                LockSupport.park(this);
                continue;
            }
            long before = next.dueNanos() == lastDueNanos ? dueBeforeNanos : lastDueNanos;
            long early = Math.min(EARLY_NANOS, Math.max(0, next.dueNanos() - before) / EARLY_PART);
            long left = next.dueNanos() - (System.nanoTime() - originNanos) - early;
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            // A step added meanwhile that is due even earlier comes first.
            Step due = steps.remove();
            if (due.dueNanos() != lastDueNanos) {
                dueBeforeNanos = lastDueNanos;
                lastDueNanos = due.dueNanos();
            }
            due.action().run();
        }
    }
}
