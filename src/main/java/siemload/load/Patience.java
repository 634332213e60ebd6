package siemload.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How long a user waits for an answer. One timer serves all searches of the user, one after the other: an answer does not
 * cancel it, but when it fires it looks what is awaited then, and is set anew if that has time left. Thread-safe; one
 * search at a time is awaited.
 */
final class Patience {
    private static final long NOTHING = 0;

    private final long nanos;
    private final Timer timer;
    private final LongSupplier clock;
    private final LongConsumer lost;
    private final AtomicLong awaited = new AtomicLong(NOTHING);
    private final AtomicBoolean timing = new AtomicBoolean();
    private volatile long deadlineNanos;
    private long turns;

    /**
     * Nothing is awaited at first.
     *
     * @param clock nanoseconds of a monotonic clock
     * @param lost what to do when patience runs out, on the timer's thread; told the instant at which it did, which is earlier than
     *     the call where the timer is late
     */
    Patience(Duration patience, Timer timer, LongSupplier clock, LongConsumer lost) {
        this.nanos = patience.toNanos();
        this.timer = timer;
        this.clock = clock;
        this.lost = lost;
    }

    /** Runs something later. */
    @FunctionalInterface
    interface Timer {
        void after(Runnable step, long nanos);
    }

    /**
     * The user starts to wait, or has done so some time ago, where this is called late.
     *
     * @return what to tell {@link #stop}
     */
    long start(long startNanos) {
        deadlineNanos = startNanos + nanos;
        turns++;
        awaited.set(turns);
        if (timing.compareAndSet(false, true)) {
            timer.after(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
        }
        return turns;
    }

    /**
     * The answer has come.
     *
     * @return whether the user has waited for it
     */
    boolean stop(long turn) {
        return awaited.compareAndSet(turn, NOTHING);
    }

    /** When the patience of the wait that began last ends, or ended. */
    long deadlineNanos() {
        return deadlineNanos;
    }

    private void fire() {
        long turn = awaited.get();
        long left = deadlineNanos - clock.getAsLong();
        if (turn != NOTHING && left > 0) {
            timer.after(this::fire, left);
            return;
        }
        timing.set(false);
        if (turn != NOTHING && awaited.compareAndSet(turn, NOTHING)) {
            lost.accept(deadlineNanos);
        } else if (awaited.get() != NOTHING && timing.compareAndSet(false, true)) {
            // Started while this was looking, and relied on this timer.
            timer.after(this::fire, Math.max(0, deadlineNanos - clock.getAsLong()));
        }
    }
}
