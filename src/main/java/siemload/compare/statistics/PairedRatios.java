package siemload.compare.statistics;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.random.RandomGenerator;
import org.hipparchus.random.Well1024a;
import org.hipparchus.stat.descriptive.moment.StandardDeviation;
import siemload.results.statistics.Median;

/**
 * The ratio candidate / baseline of one figure, from pairs of runs. Each pair of runs gives one log ratio; single requests are never
 * compared. Immutable and thread-safe; the same log ratios and seed give the same figures.
 *
 * @param pairs the number of pairs, at least 1
 * @param ratio the median ratio with its 95 % interval: BCa bootstrap of the median log ratio over the pairs, 10,000 resamples. The
 *     interval is widened for few pairs (Hesterberg, What Teachers Should Know about the Bootstrap, American Statistician 69 (2015),
 *     section 5.2): otherwise it would hold the true ratio in only 87 to 94 % of cases. With fewer than {@value #LEAST_PAIRS} pairs no
 *     interval can reach 95 %, so the bounds are the smallest and the largest ratio
 * @param pValue the exact two-sided sign-flip p-value; for more than 20 pairs, estimated from 100,000 drawn choices of signs
 * @param spread the standard deviation of the log ratios; 0 for a single pair, which shows no spread
 */
public record PairedRatios(int pairs, Interval ratio, double pValue, double spread) {

    /** With fewer pairs even the clearest difference has a p-value above 0.05: the smallest possible is 2 / 2^pairs. */
    public static final int LEAST_PAIRS = 6;

    static final double CONFIDENCE = 0.95;
    static final int RESAMPLES = 10_000;

    /** The variance of a median divided by the variance of a mean, for many normal values. */
    private static final double MEDIAN_VARIANCE = Math.PI / 2;

    /** The sum of two normal quantiles: 1.96 for 95 %, and 0.84 for finding a difference in 80 % of cases. */
    private static final double QUANTILES = 2.8;

    private static final int MOST_EXACT = 20;
    private static final int DRAWS = 100_000;
    /** Sums of the same numbers in another order may differ in their last digits. */
    private static final double ROUNDING = 1e-12;

    /**
     * Computes the figures from one log ratio for each pair.
     *
     * @throws IllegalArgumentException if there are no log ratios, or one of them is not finite
     */
    public static PairedRatios of(double[] logRatios, long seed) {
        return of(logRatios, RESAMPLES, seed);
    }

    /** Computes the figures with any number of bootstrap resamples; simulations use fewer. */
    static PairedRatios of(double[] logRatios, int resamples, long seed) {
        if (logRatios.length == 0 || !Arrays.stream(logRatios).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("needs finite log ratios, was " + Arrays.toString(logRatios));
        }
        DoubleSummaryStatistics seen = Arrays.stream(logRatios).summaryStatistics();
        Interval logs = logRatios.length < LEAST_PAIRS
                ? new Interval(Median.of(logRatios), seen.getMin(), seen.getMax())
                : new BcaBootstrap(Median::of, resamples, seed).interval(logRatios, widened(logRatios.length));
        double spread = new StandardDeviation().evaluate(logRatios);
        return new PairedRatios(logRatios.length, logs.exp(), signFlip(logRatios, seed), spread);
    }

    /**
     * Returns the number of pairs that show a difference of this size in 80 % of cases, at least {@value #LEAST_PAIRS}: pi/2 (2.8 spread /
     * log difference)^2. This is the usual formula for the mean of normal values, times pi/2 for the larger variance of a median.
     *
     * @param spread standard deviation of the log ratios, at least 0
     * @param differenceRatio the size of the difference, above 0: 0.05 is 5 %
     */
    public static int pairsNeeded(double spread, double differenceRatio) {
        double quotient = QUANTILES * spread / Math.log1p(differenceRatio);
        return (int)
                Math.max(LEAST_PAIRS, Math.min(Integer.MAX_VALUE, Math.ceil(MEDIAN_VARIANCE * quotient * quotient)));
    }

    /** Returns the difference, 0.05 for 5 %, that this many pairs show in 80 % of cases: the inverse of {@link #pairsNeeded}. */
    public static double visibleDelta(double spread, int pairs) {
        return Math.expm1(QUANTILES * spread * Math.sqrt(MEDIAN_VARIANCE / pairs));
    }

    /**
     * Returns the difference, 0.05 for 5 %, that this many pairs show in 80 % of cases if a difference counts only from a margin on: the
     * estimate must reach the margin, which it does in 80 % of cases if the difference exceeds the margin by 0.84 standard errors.
     *
     * @param spread standard deviation of the log ratios, at least 0
     */
    public static double foundDelta(double margin, double spread, int pairs) {
        double visible = Math.log1p(visibleDelta(spread, pairs));
        return Math.expm1(Math.max(visible, Math.log1p(margin) + 0.84 / QUANTILES * visible));
    }

    /** Returns the nominal confidence at which a bootstrap of few pairs reaches about 95 %, from Student's quantile and n - 1. */
    static double widened(int pairs) {
        double quantile = new TDistribution(pairs - 1.0).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double tail = new NormalDistribution(0, 1).cumulativeProbability(-quantile * Math.sqrt(pairs / (pairs - 1.0)));
        return 1 - 2 * tail;
    }

    /**
     * Returns the p-value, above 0 and at most 1, for the hypothesis that each paired difference could as well have the other sign. The
     * p-value is the share of all choices of signs with a sum at least as far from zero as the observed sum (Fisher, The Design of
     * Experiments, 1935, section 21). It is exact up to 20 pairs; for more pairs 100,000 choices are drawn by the seed, and the observed
     * choice is added (Phipson and Smyth 2010), so that the p-value is never 0. Two-sided; needs symmetry, not normality.
     */
    static double signFlip(double[] differences, long seed) {
        double seen = Math.abs(Arrays.stream(differences).sum());
        double least =
                seen - ROUNDING * Arrays.stream(differences).map(Math::abs).sum();
        boolean exact = differences.length <= MOST_EXACT;
        RandomGenerator random = new Well1024a(seed);
        // The sign of the last difference is fixed, since flipping all signs gives the same distance from zero.
        long ways = exact ? 1L << (differences.length - 1) : DRAWS;
        long far = 0;
        for (long way = 0; way < ways; way++) {
            double sum = 0;
            for (int i = 0; i < differences.length; i++) {
                boolean kept = exact ? (way >> i & 1) == 0 : random.nextBoolean();
                sum += kept ? differences[i] : -differences[i];
            }
            far += Math.abs(sum) >= least ? 1 : 0;
        }
        return exact ? (double) far / ways : (far + 1) / (ways + 1.0);
    }

    /**
     * The bias-corrected and accelerated bootstrap interval of a statistic: Efron, Better Bootstrap Confidence Intervals, JASA 82 (1987);
     * formulas 14.9 to 14.15 of Efron and Tibshirani, An Introduction to the Bootstrap (1993). The acceleration comes from the jackknife.
     * Resamples that equal the estimate count half for the bias, since a median equals many of its resamples. Thread-safe; the same sample
     * and seed give the same interval.
     */
    record BcaBootstrap(ToDoubleFunction<double[]> statistic, int resamples, long seed) {
        private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);

        /**
         * Returns the interval of the statistic.
         *
         * @param sample at least two values; if all are equal, the estimate and both bounds equal them
         * @param confidence 0 to 1, both excluded
         */
        Interval interval(double[] sample, double confidence) {
            double estimate = statistic.applyAsDouble(sample.clone());
            double[] replicates = replicates(sample);
            double bias = bias(replicates, estimate);
            double acceleration = acceleration(sample);
            double tail = NORMAL.inverseCumulativeProbability((1 - confidence) / 2);
            double low = quantile(replicates, level(bias, acceleration, tail));
            double high = quantile(replicates, level(bias, acceleration, -tail));
            return new Interval(estimate, Math.min(low, high), Math.max(low, high));
        }

        private double[] replicates(double[] sample) {
            RandomGenerator random = new Well1024a(seed);
            double[] replicates = new double[resamples];
            double[] resample = new double[sample.length];
            for (int i = 0; i < resamples; i++) {
                for (int j = 0; j < resample.length; j++) {
                    resample[j] = sample[random.nextInt(sample.length)];
                }
                replicates[i] = statistic.applyAsDouble(resample);
            }
            Arrays.sort(replicates);
            return replicates;
        }

        /** Returns the normal quantile of the share of replicates below the estimate; finite even if all replicates lie on one side. */
        private static double bias(double[] replicates, double estimate) {
            double below = Arrays.stream(replicates)
                    .map(one -> one < estimate ? 1 : one == estimate ? 0.5 : 0)
                    .sum();
            double share = Math.min(Math.max(below, 0.5), replicates.length - 0.5) / replicates.length;
            return NORMAL.inverseCumulativeProbability(share);
        }

        /** Returns a sixth of the skewness of the jackknife values; 0 if all of these values are equal. */
        double acceleration(double[] sample) {
            double[] left = new double[sample.length];
            for (int omitted = 0; omitted < sample.length; omitted++) {
                double[] rest = new double[sample.length - 1];
                System.arraycopy(sample, 0, rest, 0, omitted);
                System.arraycopy(sample, omitted + 1, rest, omitted, rest.length - omitted);
                left[omitted] = statistic.applyAsDouble(rest);
            }
            double mean = Arrays.stream(left).average().orElseThrow();
            double squares = 0;
            double cubes = 0;
            for (double value : left) {
                double difference = mean - value;
                squares += difference * difference;
                cubes += difference * difference * difference;
            }
            return squares == 0 ? 0 : cubes / (6 * Math.pow(squares, 1.5));
        }

        private static double level(double bias, double acceleration, double tail) {
            double shifted = bias + tail;
            return NORMAL.cumulativeProbability(bias + shifted / (1 - acceleration * shifted));
        }

        /** Returns the quantile by nearest rank: the smallest replicate with at least this share of all replicates at or below it. */
        private static double quantile(double[] sorted, double level) {
            int rank = (int) Math.ceil(level * sorted.length);
            return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
        }
    }
}
