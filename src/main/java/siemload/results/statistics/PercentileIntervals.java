package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.special.Beta;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.RunFile.TimeMetric;

/**
 * The 95 % intervals of percentiles, computed from the times of each second by fractional order statistics (Hutson, Calculating
 * nonparametric confidence intervals for quantiles using fractional order statistics, Journal of Applied Statistics 26, 1999). Intervals
 * are computed for the effective number of independent times, see {@link #designEffect}. docs/adr/031 has their simulated coverage.
 * Intervals say nothing about conditions outside the run, such as a stall in every tenth minute. Stateless.
 */
public final class PercentileIntervals {
    /** The largest number of spans of a run: long runs have spans of several seconds, so that a day costs no more than ten minutes. */
    private static final int MOST_SPANS = 600;

    /** The smallest number of seconds of a run; fewer seconds do not show whether seconds are alike. */
    private static final int FEWEST_SECONDS = 4;

    /** The percentiles by their names, as shares from 0 to 1. */
    public static final Map<String, Double> SHARES =
            Map.of("p50", 0.5, "p90", 0.9, "p95", 0.95, "p99", 0.99, "p999", 0.999);

    private static final double TAIL = 0.025;
    private static final double NORMAL = new NormalDistribution().inverseCumulativeProbability(1 - TAIL);

    private PercentileIntervals() {}

    /** A source of times that can be read twice. */
    @FunctionalInterface
    interface Source {
        void read(Consumer<LoggedInterval> reader) throws IOException;
    }

    /**
     * Computes the intervals from one log of a run, which is read twice.
     *
     * @param groups returns the names of the groups to which a logged interval belongs
     * @return the intervals of each group, by the name of the percentile in {@link siemload.results.MicrosSummary}; empty for runs of less
     *     than four seconds
     * @throws IOException if the log cannot be read
     */
    public static Map<String, Map<String, MicrosInterval>> read(
            Path directory, TimeMetric metric, Function<LoggedInterval, Collection<String>> groups) throws IOException {
        return of(reader -> LoggedInterval.read(directory, metric, reader), groups);
    }

    /** Computes the intervals for times without a log, which may come in any order. */
    static Map<String, Map<String, MicrosInterval>> of(
            Source source, Function<LoggedInterval, Collection<String>> groups) throws IOException {
        Map<String, Histogram> times = new TreeMap<>();
        int[] seconds = new int[1];
        source.read(interval -> {
            seconds[0] = Math.max(seconds[0], second(interval) + 1);
            groups.apply(interval)
                    .forEach(group -> times.computeIfAbsent(group, unused -> new Histogram(3))
                            .add(interval.times()));
        });
        if (seconds[0] < FEWEST_SECONDS) {
            return Map.of();
        }
        int secondsOfSpan = (seconds[0] + MOST_SPANS - 1) / MOST_SPANS;
        int spans = (seconds[0] + secondsOfSpan - 1) / secondsOfSpan;
        Map<String, Map<String, Percentile>> counted = new TreeMap<>();
        times.forEach((group, all) -> {
            Map<String, Percentile> percentiles = new TreeMap<>();
            SHARES.forEach((name, share) -> percentiles.put(name, new Percentile(all, share, spans)));
            counted.put(group, all.getTotalCount() == 0 ? Map.of() : percentiles);
        });
        source.read(interval -> {
            List<Percentile> counting = groups.apply(interval).stream()
                    .flatMap(group -> counted.getOrDefault(group, Map.of()).values().stream())
                    .toList();
            int span = second(interval) / secondsOfSpan;
            // A histogram is read once for all groups, since it has thousands of cells for a handful of searches.
            for (HistogramIterationValue value : interval.times().recordedValues()) {
                counting.forEach(one -> one.count(span, value.getValueIteratedTo(), value.getCountAtValueIteratedTo()));
            }
        });
        Map<String, Map<String, MicrosInterval>> intervals = new TreeMap<>();
        counted.forEach((group, percentiles) -> {
            Map<String, MicrosInterval> ofGroup = new TreeMap<>();
            percentiles.forEach((name, one) -> ofGroup.put(name, one.interval()));
            intervals.put(group, ofGroup);
        });
        return intervals;
    }

    /** Returns the second of the measured phase in which a logged interval ended, from 0 on. */
    private static int second(LoggedInterval interval) {
        return (int) Math.max(0, Math.round(interval.endSecond()) - 1);
    }

    /** Returns how many independent times a percentile, between 0 and 1, needs for an upper end of its interval. */
    public static long fewest(double percentile) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log(percentile));
    }

    /**
     * Returns the lower end of a percentile's interval, as a share of {@code n + 1}; 0 if so few times may all lie above the percentile.
     *
     * @param percentile 0 to 1, both excluded
     * @param times the number of independent times
     */
    static double lower(double percentile, double times) {
        return Math.pow(1 - percentile, times) > TAIL ? 0 : share(percentile, times, 1 - TAIL);
    }

    /** Returns the upper end of a percentile's interval, as a share of {@code n + 1}; 1 if there are too few times. */
    static double upper(double percentile, double times) {
        return Math.pow(percentile, times) > TAIL ? 1 : share(percentile, times, TAIL);
    }

    /**
     * Finds by bisection the share u for which the percentile is at least the time of rank {@code (n + 1) u} with this probability. The
     * share of all times at or below the time of rank {@code (n + 1) u} has the distribution Beta((n + 1) u, (n + 1) (1 - u)).
     */
    private static double share(double percentile, double times, double probability) {
        double share = 0.5;
        for (double step = 0.25; step > 1e-14; step /= 2) {
            double below = Beta.regularizedBeta(percentile, (times + 1) * share, (times + 1) * (1 - share));
            share += below > probability ? step : -step;
        }
        return share;
    }

    /**
     * A percentile of times of one kind. For each span, it counts how far the number of times above the percentile exceeds the expected
     * number, and how many times equal the percentile. Used by one thread.
     */
    private static final class Percentile {
        private final Histogram all;
        private final double share;
        private final long micros;
        private final double[] excess;
        private final double[] equal;

        Percentile(Histogram all, double share, int spans) {
            this.all = all;
            this.share = share;
            this.micros = all.getValueAtPercentile(100 * share);
            this.excess = new double[spans];
            this.equal = new double[spans];
        }

        /** Counts equal times of a span. */
        void count(int span, long time, long times) {
            long highest = all.highestEquivalentValue(time);
            excess[span] += times * (share - (highest > micros ? 0 : 1));
            equal[span] += highest == micros ? times : 0;
        }

        /**
         * Returns the interval after all times were counted. A part of the times equal to the percentile counts as above it, so that
         * exactly the right share is above the percentile, and the deviations add up to 0.
         */
        MicrosInterval interval() {
            double total = all.getTotalCount();
            double part = -Arrays.stream(excess).sum() / Arrays.stream(equal).sum();
            double[] deviations = new double[excess.length];
            Arrays.setAll(deviations, span -> excess[span] + part * equal[span]);
            double independent = total / designEffect(deviations, share * (1 - share) * total);
            return new MicrosInterval(
                    at(lower(share, independent), 0), at(upper(share, independent), MicrosInterval.OPEN));
        }

        /** Returns the time at this share of n + 1, interpolated between two ranks. */
        private long at(double ofAll, long beyond) {
            double rank = (all.getTotalCount() + 1) * ofAll;
            long below = (long) rank;
            if (below < 1 || rank > all.getTotalCount()) {
                return beyond;
            }
            double lower = atRank(below);
            return Math.round(lower + (rank - below) * (atRank(Math.min(below + 1, all.getTotalCount())) - lower));
        }

        /** Returns the time at a rank. Half a rank is subtracted, since the histogram rounds up to the next whole rank. */
        private long atRank(long rank) {
            return all.getValueAtPercentile(100 * (rank - 0.5) / all.getTotalCount());
        }
    }

    /**
     * Returns the design effect, at least 1: the number of times in a run that are worth one independent time. Times of one second share
     * its stalls and its load, and slow seconds come in groups.
     *
     * <p>The variance of a sum over seconds comes from its autocovariances (Geyer, Practical Markov Chain Monte Carlo, Statistical Science
     * 7, 1992: pairs of lags are summed up while they fall and are positive; here, while they exceed half of what chance causes, over at
     * most a quarter of the run). The variance is corrected for the degrees of freedom that lags took, and widened by Student's t for those
     * that remain. The ratio to the variance of independent times is the design effect (Kish, Survey Sampling, 1965). The number of times
     * divided by the design effect is the effective number of independent times (Korn and Graubard, Survey Methodology 24, 1998).
     *
     * @param deviations the deviation of each second, in order, from its expected value; they add up to 0
     * @param independentVariance the variance of the sum of deviations if the times were independent; above 0
     */
    private static double designEffect(double[] deviations, double independentVariance) {
        int seconds = deviations.length;
        double variance = autocovariance(deviations, 0);
        double chance = 0.5 * variance * Math.sqrt(2.0 / seconds);
        double before = Double.POSITIVE_INFINITY;
        int lags = 0;
        for (int lag = 1; lag + 1 < seconds / 4; lag += 2) {
            double pair = Math.min(before, autocovariance(deviations, lag) + autocovariance(deviations, lag + 1));
            if (pair <= chance) {
                break;
            }
            variance += 2 * pair;
            before = pair;
            lags = lag + 1;
        }
        double window = 2 * lags + 1;
        double left = 1 - window / seconds;
        double student =
                new TDistribution(Math.max(3, seconds / window - 1)).inverseCumulativeProbability(1 - TAIL) / NORMAL;
        return Math.max(1, variance / left / independentVariance * student * student);
    }

    private static double autocovariance(double[] deviations, int lag) {
        double sum = 0;
        for (int i = lag; i < deviations.length; i++) {
            sum += deviations[i] * deviations[i - lag];
        }
        return sum;
    }
}
