package siemload.measure;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Times in whole microseconds with three significant digits, so that every reported percentile is within 0.1 % of a
 * recorded value. Percentiles are nearest rank: the smallest value with at least that share of values at or below it.
 * Recording is wait-free and thread-safe; reading while others record gives a slightly older picture.
 */
public final class MicrosHistogram {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram = new ConcurrentHistogram(SIGNIFICANT_DIGITS);

    /** Records a time; a negative one, which a clock of one machine cannot give, counts as 0. */
    public void recordNanos(long nanos) {
        histogram.recordValue(Math.max(0, (nanos + 500) / 1000));
    }

    /** Records the same time for several things. */
    void recordNanos(long nanos, long times) {
        histogram.recordValueWithCount(Math.max(0, (nanos + 500) / 1000), times);
    }

    /** The number of recorded times. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The recorded times summed up. */
    public MicrosSummary summary() {
        return MicrosSummary.of(histogram);
    }

    /** Adds another histogram's times to this one. */
    public void add(MicrosHistogram other) {
        histogram.add(other.histogram);
    }
}
