package siemload.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import siemload.database.scripted.ScriptedPlugin.ScriptClock;

/**
 * A clock that stands still while anybody works: it goes on, from one awaited instant to the next, only when every search
 * under way waits. So whatever real threads do by it takes exactly as long as the script says, however busy the machine.
 */
final class VirtualTime implements ScriptClock {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Comparator<Sleeper> EARLIEST_FIRST =
            Comparator.comparingLong((Sleeper sleeper) -> sleeper.until).thenComparingLong(sleeper -> sleeper.number);

    private final int workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Sleeper> sleepers = new PriorityQueue<>(EARLIEST_FIRST);
    private long now;
    private long slept;
    private int running;

    /** @param workers how many searches can be under way at once */
    VirtualTime(int workers) {
        this.workers = workers;
    }

    private final class Sleeper {
        private final long until;
        private final long number = slept++;
        private final Condition wake = lock.newCondition();
        private boolean awake;

        Sleeper(long until) {
            this.until = until;
        }
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void until(long instant, BooleanSupplier givenUp) {
        lock.lock();
        try {
            if (instant - now > 0) {
                Sleeper sleeper = new Sleeper(instant);
                sleepers.add(sleeper);
                changed.signal();
                await(sleeper.wake, () -> sleeper.awake, Long.MAX_VALUE);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a search is handed to the workers. */
    void submitted() {
        count(1);
    }

    /** Notes that the answer to one has come. */
    void answered() {
        count(-1);
    }

    private void count(int more) {
        lock.lock();
        try {
            running += more;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Goes on to an instant. */
    void goOnTo(long instant) {
        lock.lock();
        try {
            wakeAllUntil(instant);
            now = instant;
        } finally {
            lock.unlock();
        }
    }

    /** Goes on until nobody waits any more. */
    void goOnToTheEnd() {
        lock.lock();
        try {
            wakeAllUntil(Long.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    private void wakeAllUntil(long instant) {
        awaitRest();
        while (!sleepers.isEmpty() && sleepers.peek().until <= instant) {
            Sleeper next = sleepers.remove();
            now = next.until;
            next.awake = true;
            next.wake.signal();
            awaitRest();
        }
    }

    /** Until every worker that has something to do waits for the clock. */
    private void awaitRest() {
        await(changed, () -> sleepers.size() == Math.min(running, workers), PATIENCE_NANOS);
    }

    private void await(Condition condition, BooleanSupplier met, long patienceNanos) {
        try {
            long left = patienceNanos;
            while (!met.getAsBoolean()) {
                if (left <= 0) {
                    throw new IllegalStateException(
                            "no rest: " + running + " searches under way, " + sleepers.size() + " of them wait");
                }
                left = condition.awaitNanos(left);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", closed);
        }
    }
}
