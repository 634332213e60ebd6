package siemload.load;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What workers are to do: searches at once, in the order in which they came, and users' steps at the instants at which they
 * are due. Thread-safe.
 *
 * <p>An idle worker waits for the next step itself and then takes it, so that a user's search begins on the thread that runs
 * it: a timer on another thread would have to wake the worker, which takes longer than a short search. Waking up takes about a
 * tenth of a millisecond, and so do a user's steps up to the search, in code that is seldom run. So a worker comes to a step up
 * to 0.5 ms before it is due, and spins when all is ready; but for no more than one part in {@value #EARLY_PART} of the time
 * between steps.
 *
 * <p>Where no worker is idle, {@link #nextOverdue} takes the steps on a thread of their own: users go on pressing Search when
 * the database does not keep up. Leader and followers are those of {@link java.util.concurrent.DelayQueue}.
 *
 * @param <S> a search
 */
final class WorkQueue<S> {
    private static final long EARLY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int EARLY_PART = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition noWorker = lock.newCondition();
    private final Queue<S> searches = new ArrayDeque<>();
    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::dueNanos).thenComparingLong(Step::number));
    private final long originNanos = System.nanoTime();
    private Optional<Thread> leader = Optional.empty();
    private boolean open = true;
    /** How many searches wait; changed under the lock, and read without it. */
    private volatile int length;

    private int idle;
    private long added;
    private long lastDueNanos;

    /** What is due at an instant since the origin; the number decides between steps of the same one. */
    private record Step(long dueNanos, long number, Runnable action) {}

    /** Adds a search for the next worker. */
    void add(S search) {
        lock.lock();
        try {
            searches.add(search);
            length = searches.size();
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a step of a user.
     *
     * @param dueNanos when it is due, on {@link System#nanoTime}; at once, if that is past. It may be done up to 0.5 ms before:
     *     whoever runs what it submits waits for the instant
     */
    void at(long dueNanos, Runnable action) {
        lock.lock();
        try {
            Step step = new Step(dueNanos - originNanos, added++, action);
            steps.add(step);
            if (steps.element().number() == step.number()) {
                leader = Optional.empty();
                (idle > 0 ? work : noWorker).signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The searches that wait for a worker. */
    List<S> waiting() {
        lock.lock();
        try {
            return List.copyOf(searches);
        } finally {
            lock.unlock();
        }
    }

    /** Whether no search waits for a worker; asked after each answer, and so without the lock. */
    boolean isEmpty() {
        return length == 0;
    }

    /**
     * Waits for work on a worker's thread.
     *
     * @return a search to run, when it is due; nothing after a step, which has been done
     */
    Optional<S> next() throws InterruptedException {
        Step step;
        lock.lockInterruptibly();
        idle++;
        try {
            while (searches.isEmpty() && (steps.isEmpty() || nanosToStart() > 0)) {
                awaitWork();
            }
            if (!searches.isEmpty()) {
                S search = searches.remove();
                length = searches.size();
                return Optional.of(search);
            }
            step = steps.remove();
            lastDueNanos = step.dueNanos();
        } finally {
            idle--;
            passOn();
            lock.unlock();
        }
        step.action().run();
        return Optional.empty();
    }

    /** Waits as the one who will take the next step, or as one of those who follow; the loop is the caller's. */
    @SuppressWarnings("WaitNotInLoop")
    private void awaitWork() throws InterruptedException {
        if (steps.isEmpty() || leader.isPresent()) {
            work.await();
            return;
        }
        Optional<Thread> me = Optional.of(Thread.currentThread());
        leader = me;
        try {
            work.awaitNanos(nanosToStart());
        } finally {
            if (leader.equals(me)) {
                leader = Optional.empty();
            }
        }
    }

    private void passOn() {
        if (idle == 0) {
            noWorker.signal();
        } else if (leader.isEmpty() && !(searches.isEmpty() && steps.isEmpty())) {
            work.signal();
        }
    }

    /**
     * Waits for a step that no worker is free for.
     *
     * @return nothing once the queue is closed and no step is left
     */
    Optional<Runnable> nextOverdue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (open || !steps.isEmpty()) {
                if (idle > 0 || steps.isEmpty()) {
                    noWorker.await();
                } else if (nanosTo(steps.element()) > 0) {
                    noWorker.awaitNanos(nanosTo(steps.element()));
                } else {
                    return Optional.of(steps.remove().action());
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Workers take no more; {@link #nextOverdue} tells the steps that are left, when they are due. */
    void close() {
        lock.lock();
        try {
            open = false;
            noWorker.signal();
        } finally {
            lock.unlock();
        }
    }

    /** How long until a worker comes to the next step, which there must be. */
    private long nanosToStart() {
        Step step = steps.element();
        long early = Math.min(EARLY_NANOS, Math.max(0, step.dueNanos() - lastDueNanos) / EARLY_PART);
        return nanosTo(step) - early;
    }

    private long nanosTo(Step step) {
        return step.dueNanos() - (System.nanoTime() - originNanos);
    }
}
