package siemload.load;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.TimeUnit;
import siemload.measure.MicrosHistogram;
import siemload.measure.RunClock;
import siemload.results.MicrosSummary;

/**
 * Measures how late the timers of Gatling's event loops are: a late loop lets users wait for something that is not the
 * database. Each loop has a timer every 10 ms on a strict timetable, so that a loop that was busy for a second counts as
 * a hundred late timers. Thread-safe.
 */
final class EventLoopProbe {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Of the measured phase, and of the others. */
    private final MicrosHistogram[] lateness = {new MicrosHistogram(), new MicrosHistogram()};

    /** Starts a timer on each loop; they end with the measured phase. */
    void start(EventExecutorGroup loops, RunClock clock) {
        long first = System.nanoTime() + PERIOD_NANOS;
        for (EventExecutor loop : loops) {
            wait(loop, first, clock);
        }
    }

    /** How late the timers of the measured phase were. */
    MicrosSummary lateness() {
        return lateness[0].summary();
    }

    private void wait(EventExecutor loop, long dueNanos, RunClock clock) {
        if (!clock.isOver(dueNanos) && !loop.isShuttingDown()) {
            var unused = loop.schedule(
                    () -> tick(loop, dueNanos, clock), dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    private void tick(EventExecutor loop, long dueNanos, RunClock clock) {
        wait(loop, take(dueNanos, System.nanoTime(), clock), clock);
    }

    /** Counts all timers that were due by now, from this one on. @return when the next one is due */
    long take(long firstDueNanos, long nowNanos, RunClock clock) {
        long due = firstDueNanos;
        for (; nowNanos - due >= 0; due += PERIOD_NANOS) {
            lateness[clock.phaseIndex(due)].recordNanos(nowNanos - due);
        }
        return due;
    }
}
