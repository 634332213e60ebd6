package siemload.results;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.AbstractHistogram;

/**
 * A distribution of times in microseconds; all figures are 0 if nothing was recorded. Percentiles are nearest rank, within 0.1 % of a
 * recorded value. Immutable.
 *
 * @param p999 the 99.9th percentile
 * @param intervals95 the 95 % interval of each percentile, by its name in this record; empty if the times of single seconds are not known
 */
public record MicrosSummary(
        long min,
        double mean,
        long p50,
        long p90,
        long p95,
        long p99,
        long p999,
        long max,
        Map<String, MicrosInterval> intervals95) {

    /** The summary if no time was recorded. */
    public static final MicrosSummary NONE = new MicrosSummary(0, 0, 0, 0, 0, 0, 0, 0);

    public MicrosSummary {
        intervals95 = Collections.unmodifiableMap(new TreeMap<>(intervals95));
    }

    /** Makes a summary without intervals, which would need the times of single seconds. */
    public MicrosSummary(long min, double mean, long p50, long p90, long p95, long p99, long p999, long max) {
        this(min, mean, p50, p90, p95, p99, p999, max, Map.of());
    }

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

    /** Returns a summary of the same distribution with these intervals. */
    public MicrosSummary with(Map<String, MicrosInterval> intervals) {
        return new MicrosSummary(min, mean, p50, p90, p95, p99, p999, max, intervals);
    }

    /**
     * The 95 % interval of a percentile, in microseconds. Immutable.
     *
     * @param low 0 if there are too few times for a lower end
     * @param high -1 if there are too few times for an upper end
     */
    public record MicrosInterval(long low, long high) {
        /** The value of an upper end that is not known. */
        public static final long OPEN = -1;

        /** Returns whether the interval has no upper end. */
        public boolean hasNoHighEnd() {
            return high == OPEN;
        }
    }
}
