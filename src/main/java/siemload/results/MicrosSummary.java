package siemload.results;

import org.HdrHistogram.AbstractHistogram;

/**
 * A distribution of times in microseconds; all 0 where nothing was recorded. Percentiles are nearest rank, within 0.1 %
 * of a recorded value. Immutable.
 *
 * @param p999 the 99.9th percentile
 */
public record MicrosSummary(long min, double mean, long p50, long p90, long p95, long p99, long p999, long max) {

    /** The summary of no values. */
    public static final MicrosSummary NONE = new MicrosSummary(0, 0, 0, 0, 0, 0, 0, 0);

    public static MicrosSummary of(AbstractHistogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return NONE;
        }
        return new MicrosSummary(
                histogram.getMinValue(),
                Math.round(histogram.getMean() * 10) / 10.0,
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(95),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }
}
