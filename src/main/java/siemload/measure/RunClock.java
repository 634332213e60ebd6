package siemload.measure;

import java.time.Duration;

/**
 * The phases of one run on the monotonic clock. A sample belongs to the phase in which it was due. Immutable and thread-safe.
 *
 * @param startNanos {@link System#nanoTime} at the start of the warm-up
 * @param measureNanos at the start of the measured phase
 * @param endNanos at its end
 */
public record RunClock(long startNanos, long measureNanos, long endNanos) {
    /** A hundred years; two readings of the monotonic clock can differ by more than that. */
    private static final Duration NEVER = Duration.ofDays(365 * 100);

    public static RunClock startingAt(long startNanos, Duration warmup, Duration measurement) {
        long measureNanos = startNanos + warmup.toNanos();
        return new RunClock(startNanos, measureNanos, measureNanos + measurement.toNanos());
    }

    /** Creates the clock of a run that is measured from this instant on and ends when its work is done. */
    public static RunClock openEnded(long startNanos) {
        return startingAt(startNanos, Duration.ZERO, NEVER);
    }

    /** Returns whether work that is due at this instant is measured. */
    public boolean measures(long nanos) {
        return nanos - measureNanos >= 0 && nanos - endNanos < 0;
    }

    /**
     * Returns 0 for an instant that {@link #measures} accepts, else 1, computed without a branch: compiled code omits branches that were
     * never taken, and is discarded when the first measured search takes such a branch.
     */
    int phaseIndex(long nanos) {
        long negativeOutside = (nanos - measureNanos) | (endNanos - 1 - nanos);
        return (int) (negativeOutside >>> (Long.SIZE - 1));
    }

    public boolean isOver(long nanos) {
        return nanos - endNanos >= 0;
    }

    /** The phase at this instant: {@code warmup}, {@code measured} or {@code end}. */
    String phaseAt(long nanos) {
        if (nanos - measureNanos < 0) {
            return "warmup";
        }
        return isOver(nanos) ? "end" : "measured";
    }

    /** The seconds from the start of the warm-up to this instant, or to the end of the run if that is earlier. */
    public double secondsSinceStart(long nanos) {
        return ((isOver(nanos) ? endNanos : nanos) - startNanos) / 1e9;
    }

    /** Returns the seconds from the start of the measured phase to this instant, negative before that start. */
    public double second(long nanos) {
        return (nanos - measureNanos) / 1e9;
    }

    /** Returns how many seconds of the measured phase lie before this instant. */
    public double measuredSeconds(long nanos) {
        long until = isOver(nanos) ? endNanos : nanos;
        return Math.max(0, until - measureNanos) / 1e9;
    }
}
