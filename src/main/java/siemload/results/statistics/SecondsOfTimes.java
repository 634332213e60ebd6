package siemload.results.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.results.MicrosInterval;

/**
 * Times of one kind, to be gone through twice: all of them are {@link #add added}, then each second's are {@link #count counted}
 * against the percentiles of all. Used by one thread.
 */
final class SecondsOfTimes {
    private static final Map<String, Double> PERCENTILES =
            new TreeMap<>(Map.of("p50", 0.5, "p90", 0.9, "p95", 0.95, "p99", 0.99, "p999", 0.999));
    private static final double PERCENT = 100;
    private static final double HALF = 0.5;

    private final Histogram all = new Histogram(3);
    private final List<Percentile> percentiles = new ArrayList<>();

    /** What is counted against one percentile. */
    private static final class Percentile {
        final String name;
        final double share;
        final long micros;
        final long[] counts;
        final long[] above;
        final long[] equal;

        Percentile(String name, double share, long micros, int spans) {
            this.name = name;
            this.share = share;
            this.micros = micros;
            counts = new long[spans];
            above = new long[spans];
            equal = new long[spans];
        }

        void count(int span, long value, long times) {
            counts[span] += times;
            if (value > micros) {
                above[span] += times;
            } else if (value == micros) {
                equal[span] += times;
            }
        }

        /**
         * Of those equal to the percentile, such a part counts as above it that exactly the share does which is above a
         * percentile: the deviations add up to 0.
         */
        double designEffect() {
            double total = sum(counts);
            double part = ((1 - share) * total - sum(above)) / sum(equal);
            double[] deviations = new double[counts.length];
            for (int i = 0; i < deviations.length; i++) {
                deviations[i] = above[i] + part * equal[i] - (1 - share) * counts[i];
            }
            return DesignEffect.of(deviations, share * (1 - share) * total);
        }

        private static double sum(long[] values) {
            double sum = 0;
            for (long value : values) {
                sum += value;
            }
            return sum;
        }
    }

    /** Adds times in the first round. */
    void add(Histogram times) {
        all.add(times);
    }

    /**
     * Ends the first round.
     *
     * @param spans how many spans of seconds are counted apart
     */
    void startCounting(int spans) {
        PERCENTILES.forEach((name, share) ->
                percentiles.add(new Percentile(name, share, all.getValueAtPercentile(PERCENT * share), spans)));
    }

    /** Adds times of a span in the second round. */
    void count(int span, DistinctTimes times) {
        for (int i = 0; i < times.micros().length; i++) {
            long micros = all.highestEquivalentValue(times.micros()[i]);
            for (Percentile percentile : percentiles) {
                percentile.count(span, micros, times.counts()[i]);
            }
        }
    }

    /** The interval of each percentile by its name, after both rounds; none of no times. */
    Map<String, MicrosInterval> intervals() {
        Map<String, MicrosInterval> intervals = new TreeMap<>();
        if (all.getTotalCount() == 0) {
            return intervals;
        }
        for (Percentile percentile : percentiles) {
            double independent = all.getTotalCount() / percentile.designEffect();
            intervals.put(
                    percentile.name,
                    new MicrosInterval(
                            at(
                                    PercentileRanks.lower(percentile.share, independent)
                                            .orElse(0),
                                    0),
                            at(
                                    PercentileRanks.upper(percentile.share, independent)
                                            .orElse(1),
                                    MicrosInterval.OPEN)));
        }
        return intervals;
    }

    /** The time at this share of n + 1, between two ranks in proportion. */
    private long at(double share, long beyond) {
        double rank = (all.getTotalCount() + 1) * share;
        long below = (long) rank;
        if (below < 1 || rank > all.getTotalCount()) {
            return beyond;
        }
        double lower = atRank(below);
        return Math.round(lower + (rank - below) * (atRank(Math.min(below + 1, all.getTotalCount())) - lower));
    }

    /** Half a rank less, as the histogram goes up to the next whole rank. */
    private long atRank(long rank) {
        return all.getValueAtPercentile(PERCENT * (rank - HALF) / all.getTotalCount());
    }
}
