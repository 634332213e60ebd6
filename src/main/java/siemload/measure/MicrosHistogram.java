package siemload.measure;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;
import org.HdrHistogram.Recorder;

/**
 * Times in whole microseconds with three significant digits, so that every reported percentile is within 0.1 % of a
 * recorded value. Percentiles are nearest rank: the smallest value with at least that share of values at or below it.
 * Recording is wait-free and thread-safe; reading while others record gives a slightly older picture.
 */
public final class MicrosHistogram {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Not a packed one: HdrHistogram 2.2.2 may spin for ever when two threads let a packed one grow at once. */
    private final Recorder recorder = new Recorder(SIGNIFICANT_DIGITS);

    private final Histogram total = new PackedHistogram(SIGNIFICANT_DIGITS);
    private Histogram untaken = new PackedHistogram(SIGNIFICANT_DIGITS);

    /** Records a time; a negative one, which a clock of one machine cannot give, counts as 0. */
    public void recordNanos(long nanos) {
        recorder.recordValue(Math.max(0, (nanos + 500) / 1000));
    }

    /** Records the same time for several things. */
    void recordNanos(long nanos, long times) {
        recorder.recordValueWithCount(Math.max(0, (nanos + 500) / 1000), times);
    }

    /** The number of recorded times. */
    public long count() {
        return collected().getTotalCount();
    }

    /** The recorded times summed up. */
    public MicrosSummary summary() {
        return MicrosSummary.of(collected());
    }

    /** Adds another histogram's times to this one. */
    public synchronized void add(MicrosHistogram other) {
        Histogram more = other.collected();
        total.add(more);
        untaken.add(more);
    }

    /** The times recorded since the last call, in microseconds; the caller owns the histogram. */
    synchronized Histogram takeInterval() {
        collect();
        Histogram taken = untaken;
        untaken = new PackedHistogram(SIGNIFICANT_DIGITS);
        return taken;
    }

    /** All times; a copy, since others may go on recording. */
    private synchronized Histogram collected() {
        collect();
        return total.copy();
    }

    private void collect() {
        Histogram fresh = recorder.getIntervalHistogram();
        total.add(fresh);
        untaken.add(fresh);
    }
}
