package siemload.database.scripted;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The clock that answers come by. Thread-safe. */
public interface ScriptClock {
    /** The machine's own clock. */
    ScriptClock REAL = new ScriptClock() {
        /** A parked thread wakes up some tens of microseconds late, so the last stretch is spent awake. */
        private static final long AWAKE_NANOS = 80_000;

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void until(long instant, BooleanSupplier givenUp) {
            for (long left = instant - nanos(); left > 0 && !givenUp.getAsBoolean(); left = instant - nanos()) {
                if (left > AWAKE_NANOS) {
                    LockSupport.parkNanos(left - AWAKE_NANOS);
                } else {
                    Thread.onSpinWait();
                }
            }
        }
    };

    /** Nanoseconds of a monotonic clock. */
    long nanos();

    /** Returns at this instant and not before, unless somebody gave up and unparked the thread. */
    void until(long instant, BooleanSupplier givenUp);
}
