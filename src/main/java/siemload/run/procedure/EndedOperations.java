package siemload.run.procedure;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What a procedure's searches, batches and transactions have come to so far, whichever of its steps asked for them: what
 * is looked at for harm. Recorded by any thread; intervals are ended by one.
 */
public final class EndedOperations {
    private static final int DIGITS = 3;

    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder times = new Recorder(DIGITS);

    /**
     * Adds one that succeeded.
     *
     * @param startNanos when it was sent, on the monotonic clock
     */
    public void succeeded(long startNanos) {
        times.recordValue(Math.max(0, System.nanoTime() - startNanos) / 1_000);
        ended.increment();
    }

    /** Adds one that failed. */
    public void failed() {
        failed.increment();
        ended.increment();
    }

    /** How many there were so far. */
    public long endedSoFar() {
        return ended.sum();
    }

    /** How many of them failed. */
    public long failedSoFar() {
        return failed.sum();
    }

    /** Ends an interval. @return the times in microseconds of those that succeeded in it */
    public Histogram endInterval() {
        return times.getIntervalHistogram();
    }
}
