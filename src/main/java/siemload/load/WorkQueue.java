package siemload.load;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What workers are to do: searches at once, in the order in which they came, and users' steps at the instants at which they
 * are due. Thread-safe.
 *
 * <p>An idle worker waits for the next step itself and then takes it, so that a user's search begins on the thread that runs
 * it: a timer on another thread would have to wake the worker, which takes longer than a short search. Waking up takes about a
 * tenth of a millisecond, and so do a user's steps up to the search, in code that is seldom run. So a worker comes to a step up
 * to 0.5 ms before it is due, and spins when all is ready; but for no more than one part in {@value #EARLY_PART} of the time
 * between instants.
 *
 * <p>One of those that are idle, the leader, watches the clock, as in {@link java.util.concurrent.DelayQueue}. Work is put into
 * the hands of the others before they are woken, so that none needs the lock any more: where twenty steps are due at one
 * instant, all twenty are awake before the first search keeps the processors busy.
 *
 * <p>Where no worker is idle, {@link #nextOverdue} takes the steps on a thread of their own: users go on pressing Search when
 * the database does not keep up.
 *
 * @param <S> a search
 */
final class WorkQueue<S> {
    private static final long EARLY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int EARLY_PART = 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noWorker = lock.newCondition();
    private final Queue<S> searches = new ArrayDeque<>();
    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::dueNanos).thenComparingLong(Step::number));
    private final long originNanos = System.nanoTime();
    /** Idle, and not the leader; whoever has been so the longest is first. */
    private final Queue<Idle<S>> followers = new ArrayDeque<>();

    private Optional<Idle<S>> leader = Optional.empty();
    private boolean open = true;
    /** How many searches wait; changed under the lock, and read without it. */
    private volatile int length;

    private long added;
    private long lastDueNanos;
    /** Of the instant before the last one. */
    private long dueBeforeNanos;

    /** What is due at an instant since the origin; the number decides between steps of the same one. */
    private record Step(long dueNanos, long number, Runnable action) {}

    /** What a worker does next: an action, or a search. */
    private record Work<S>(Optional<Runnable> action, Optional<S> search) {}

    /** A worker that waits. */
    private static final class Idle<S> {
        private final Thread thread = Thread.currentThread();
        private volatile Optional<Work<S>> work = Optional.empty();

        /** Wakes it. */
        void give(Work<S> given) {
            work = Optional.of(given);
            LockSupport.unpark(thread);
        }
    }

    /** Adds a search for the next worker. */
    void add(S search) {
        lock.lock();
        try {
            Idle<S> worker = followers.poll();
            if (worker != null) {
                worker.give(searching(search));
            } else if (leader.isPresent()) {
                leader.orElseThrow().give(searching(search));
                leader = Optional.empty();
                noWorker.signal();
            } else {
                searches.add(search);
                length = searches.size();
            }
        } finally {
            lock.unlock();
        }
    }

    private static <S> Work<S> searching(S search) {
        return new Work<>(Optional.empty(), Optional.of(search));
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
            if (steps.element().number() != step.number()) {
                return;
            }
            if (leader.isPresent()) {
                LockSupport.unpark(leader.orElseThrow().thread);
            } else {
                passOn();
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
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Idle<S> me = new Idle<>();
        long nanos = look(me);
        while (me.work.isEmpty()) {
            LockSupport.parkNanos(this, nanos);
            if (Thread.interrupted() && isWithdrawn(me)) {
                throw new InterruptedException();
            }
            nanos = look(me);
        }
        Work<S> work = me.work.orElseThrow();
        work.action().ifPresent(Runnable::run);
        return work.search();
    }

    /** Takes what there is to do, or waits among the idle. @return how long until it has to look again */
    private long look(Idle<S> me) {
        if (me.work.isPresent()) {
            return 0;
        }
        lock.lock();
        try {
            if (me.work.isPresent()) {
                return 0;
            }
            if (!searches.isEmpty()) {
                me.work = Optional.of(searching(searches.remove()));
                length = searches.size();
                return 0;
            }
            if (isStepToBegin()) {
                leaveIdle(me);
                me.work = Optional.of(takeStep());
                handOut();
                return 0;
            }
            return beIdle(me);
        } finally {
            lock.unlock();
        }
    }

    private long beIdle(Idle<S> me) {
        if (!steps.isEmpty() && (leader.isEmpty() || leader.orElseThrow() == me)) {
            followers.remove(me);
            leader = Optional.of(me);
            return nanosToStart();
        }
        if (!followers.contains(me)) {
            leaveIdle(me);
            followers.add(me);
        }
        return Long.MAX_VALUE;
    }

    private void leaveIdle(Idle<S> me) {
        if (leader.isPresent() && leader.orElseThrow() == me) {
            leader = Optional.empty();
        } else {
            followers.remove(me);
        }
    }

    /** Whether the worker, which is wanted no longer, had nothing to do. What it was given meanwhile is done before it goes. */
    private boolean isWithdrawn(Idle<S> me) {
        lock.lock();
        try {
            if (me.work.isPresent()) {
                Thread.currentThread().interrupt();
                return false;
            }
            leaveIdle(me);
            passOn();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the steps that are to begin as well to other idle workers; one of the rest watches the clock. */
    private void handOut() {
        while (isStepToBegin() && !followers.isEmpty()) {
            followers.remove().give(takeStep());
        }
        passOn();
    }

    /** Someone has to watch the clock, or to take the steps where nobody is idle. */
    private void passOn() {
        if (leader.isEmpty() && !steps.isEmpty() && !followers.isEmpty()) {
            Idle<S> next = followers.remove();
            leader = Optional.of(next);
            LockSupport.unpark(next.thread);
        } else if (leader.isEmpty() && followers.isEmpty()) {
            noWorker.signal();
        }
    }

    private Work<S> takeStep() {
        Step step = steps.remove();
        if (step.dueNanos() != lastDueNanos) {
            dueBeforeNanos = lastDueNanos;
            lastDueNanos = step.dueNanos();
        }
        return new Work<>(Optional.of(step.action()), Optional.empty());
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
                if (leader.isPresent() || !followers.isEmpty() || steps.isEmpty()) {
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

    private boolean isStepToBegin() {
        return !steps.isEmpty() && nanosToStart() <= 0;
    }

    /** How long until a worker comes to the next step, which there must be. */
    private long nanosToStart() {
        Step step = steps.element();
        long before = step.dueNanos() == lastDueNanos ? dueBeforeNanos : lastDueNanos;
        long early = Math.min(EARLY_NANOS, Math.max(0, step.dueNanos() - before) / EARLY_PART);
        return nanosTo(step) - early;
    }

    private long nanosTo(Step step) {
        return step.dueNanos() - (System.nanoTime() - originNanos);
    }
}
