package siemload.measure;

import org.HdrHistogram.Histogram;
import siemload.results.MicrosSummary;

/**
 * Times in whole microseconds with three significant digits, so that every reported percentile is within 0.1 % of a
 * recorded value. Percentiles are nearest rank: the smallest value with at least that share of values at or below it.
 * Thread-safe: whoever records waits for others who do, and for readers hardly ever. Many threads that record at once had better leave
 * their times to one, as in {@link LatencyRecorder}.
 */
public final class MicrosHistogram {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Locked by readers. Neither it nor the other is a packed one: adding to those costs more CPU than the searches that are measured. */
    private final Histogram taken = new Histogram(SIGNIFICANT_DIGITS);

    /** Locked, by this, by whoever records. */
    private Histogram untaken = new Histogram(SIGNIFICANT_DIGITS);

    /** Records a time; a negative one, which a clock of one machine cannot give, counts as 0. */
    public void recordNanos(long nanos) {
        recordNanos(nanos, 1);
    }

    /** Records the same time for several things. */
    synchronized void recordNanos(long nanos, long times) {
        untaken.recordValueWithCount(Math.max(0, (nanos + 500) / 1000), times);
    }

    /** The number of recorded times. */
    public long count() {
        return all().getTotalCount();
    }

    /** The recorded times summed up. */
    public MicrosSummary summary() {
        return MicrosSummary.of(all());
    }

    /** Adds another histogram's times to this one. */
    public void add(MicrosHistogram other) {
        add(other.all());
    }

    /** Adds times in microseconds with the same precision. */
    synchronized void add(Histogram micros) {
        untaken.add(micros);
    }

    /** The times recorded since the last call, in microseconds; the caller owns the histogram. */
    Histogram takeInterval() {
        synchronized (taken) {
            Histogram interval;
            synchronized (this) {
                interval = untaken;
                untaken = new Histogram(SIGNIFICANT_DIGITS);
            }
            taken.add(interval);
            return interval;
        }
    }

    /** A copy, since others may go on recording. */
    private Histogram all() {
        synchronized (taken) {
            Histogram all = taken.copy();
            synchronized (this) {
                all.add(untaken);
            }
            return all;
        }
    }
}
