package siemload.compare.statistics;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.random.RandomGenerator;
import org.hipparchus.random.Well1024a;

/**
 * The bias-corrected and accelerated bootstrap interval of a statistic: Efron, Better Bootstrap Confidence Intervals, JASA
 * 82 (1987); formulas 14.9 to 14.15 of Efron and Tibshirani, An Introduction to the Bootstrap (1993). The acceleration
 * comes from the jackknife. Resamples that equal the estimate count half for the bias, since statistics like the median
 * have many of them. Thread-safe; the same sample and seed give the same interval.
 */
final class BcaBootstrap {
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);

    private final ToDoubleFunction<double[]> statistic;
    private final int resamples;
    private final long seed;

    BcaBootstrap(ToDoubleFunction<double[]> statistic, int resamples, long seed) {
        this.statistic = statistic;
        this.resamples = resamples;
        this.seed = seed;
    }

    /**
     * The interval.
     *
     * @param sample at least two values; where all are equal, so are estimate and bounds
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

    /** The normal quantile of the share of replicates below the estimate; kept finite where all lie on one side. */
    private static double bias(double[] replicates, double estimate) {
        double below = 0;
        for (double replicate : replicates) {
            below += replicate < estimate ? 1 : replicate == estimate ? 0.5 : 0;
        }
        double share = Math.min(Math.max(below, 0.5), replicates.length - 0.5) / replicates.length;
        return NORMAL.inverseCumulativeProbability(share);
    }

    /** Skewness of the jackknife values over six; 0 where all of them are equal. */
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

    /** Nearest rank: the smallest replicate with at least this share of them at or below it. */
    private static double quantile(double[] sorted, double level) {
        int rank = (int) Math.ceil(level * sorted.length);
        return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
    }
}
