package siemload.load;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import siemload.config.DaemonThread;

/**
 * Takes the steps of a load when they are due: those of users, tasks and replays alike, one after the other on a thread of its own,
 * so that nobody is late because all workers are busy. Thread-safe.
 *
 * <p>Waking up takes about a tenth of a millisecond, and so does waking the worker that takes the search. So a step comes up to 0.5
 * ms before it is due, and whoever runs what it submits spins until the instant; but for no more than one part in
 * {@value #EARLY_PART} of the time between instants.
 */
final class DueSteps implements AutoCloseable {
    private static final long EARLY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int EARLY_PART = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::dueNanos).thenComparingLong(Step::number));
    private final long originNanos = System.nanoTime();
    private boolean open = true;
    private long added;
    private long lastDueNanos;
    /** Of the instant before the last one. */
    private long dueBeforeNanos;

    DueSteps() {
        DaemonThread.start("siemload-due", this::takeAll);
    }

    /** What is due at an instant since the origin; the number decides between steps of the same one. */
    private record Step(long dueNanos, long number, Runnable action) {}

    /**
     * Adds a step.
     *
     * @param dueNanos when it is due, on {@link System#nanoTime}; at once, if that is past. It may be done up to 0.5 ms before
     * @param action takes no time, such as to submit a search, and must not throw
     */
    void at(long dueNanos, Runnable action) {
        lock.lock();
        try {
            Step step = new Step(dueNanos - originNanos, added++, action);
            steps.add(step);
            if (step.equals(steps.peek())) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends when no step is left; each of these is taken when it is due. */
    @Override
    public void close() {
        lock.lock();
        try {
            open = false;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void takeAll() {
        try {
            for (Optional<Step> step = next(); step.isPresent(); step = next()) {
                step.get().action().run();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Step> next() throws InterruptedException {
        lock.lock();
        try {
            while (open || !steps.isEmpty()) {
                long left = steps.isEmpty() ? Long.MAX_VALUE : nanosToStart(steps.element());
                if (left <= 0) {
                    return Optional.of(take());
                }
                long unused = changed.awaitNanos(left);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Step take() {
        Step step = steps.remove();
        if (step.dueNanos() != lastDueNanos) {
            dueBeforeNanos = lastDueNanos;
            lastDueNanos = step.dueNanos();
        }
        return step;
    }

    private long nanosToStart(Step step) {
        long before = step.dueNanos() == lastDueNanos ? dueBeforeNanos : lastDueNanos;
        long early = Math.min(EARLY_NANOS, Math.max(0, step.dueNanos() - before) / EARLY_PART);
        return step.dueNanos() - (System.nanoTime() - originNanos) - early;
    }
}
