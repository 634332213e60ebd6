package siemload.compare.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * Estimates a threshold from trials at single loads: most trials below the threshold succeed, and few trials above it. Immutable.
 *
 * <p>The chance of success at a load x is that of a logistic curve, l + (1 - 2 l) / (1 + exp((ln x - ln t) / s)), with the threshold t, a
 * spread s, and the lapse l for results with another cause (Watson and Pelli, QUEST: A Bayesian adaptive psychometric method, 1983). The
 * prior is flat: t is log-uniform over the range, and s is any of {@link #SPREADS} (Kontsevich and Tyler, 1999, learn both).
 */
public final class ThresholdPosterior {
    /** The possible spreads: success turns to failure within 1 % of the load with the smallest, over half of the load with the largest. */
    private static final double[] SPREADS = {0.004, 0.01, 0.025, 0.06, 0.15};

    private static final double LAPSE = 0.02;
    private static final int STEPS = 1_000;

    private final double logLowest;
    private final double step;
    /** The joint probability of each spread and each threshold. */
    private final double[][] weights = new double[SPREADS.length][STEPS];
    /** For each step, the probability that the threshold is at most the step's threshold. */
    private final double[] cumulative = new double[STEPS];

    /**
     * Computes the posterior after these trials.
     *
     * @param lowest the lowest threshold, above 0
     * @param highest the highest threshold, above the lowest
     */
    public ThresholdPosterior(double lowest, double highest, List<Observation> observations) {
        if (!(lowest > 0 && highest > lowest)) {
            throw new IllegalArgumentException("no range: " + lowest + " to " + highest);
        }
        this.logLowest = Math.log(lowest);
        this.step = (Math.log(highest) - logLowest) / STEPS;
        double most = Double.NEGATIVE_INFINITY;
        for (int spread = 0; spread < SPREADS.length; spread++) {
            for (int i = 0; i < STEPS; i++) {
                for (Observation one : observations) {
                    double success = success(i, Math.log(one.load()), spread);
                    weights[spread][i] += Math.log(one.success() ? success : 1 - success);
                }
                most = Math.max(most, weights[spread][i]);
            }
        }
        // Up to this line the weights are logarithms, since the likelihood of a thousand trials underflows.
        for (double[] ofSpread : weights) {
            for (int i = 0; i < STEPS; i++) {
                ofSpread[i] = Math.exp(ofSpread[i] - most);
                cumulative[i] += ofSpread[i];
            }
        }
        Arrays.parallelPrefix(cumulative, Double::sum);
        double all = cumulative[STEPS - 1];
        Arrays.setAll(cumulative, i -> cumulative[i] / all);
        for (double[] ofSpread : weights) {
            Arrays.setAll(ofSpread, i -> ofSpread[i] / all);
        }
    }

    /**
     * One trial at a load.
     *
     * @param load above 0
     * @param success whether the trial succeeded
     */
    public record Observation(double load, boolean success) {}

    /** Returns the probability that a trial at a load succeeds if the threshold is the one of this step. */
    private double success(int i, double logLoad, int spread) {
        double logThreshold = logLowest + (i + 0.5) * step;
        return LAPSE + (1 - 2 * LAPSE) / (1 + Math.exp((logLoad - logThreshold) / SPREADS[spread]));
    }

    /**
     * Returns the expected uncertainty of the threshold after one more trial at this load: the threshold's entropy in nats over the steps
     * of this range. The load with the smallest value is to be tried next (Kontsevich and Tyler, 1999).
     */
    public double entropyAfter(double load) {
        double logLoad = Math.log(load);
        double[] successes = new double[STEPS];
        double[] failures = new double[STEPS];
        for (int spread = 0; spread < SPREADS.length; spread++) {
            for (int i = 0; i < STEPS; i++) {
                double success = success(i, logLoad, spread);
                successes[i] += weights[spread][i] * success;
                failures[i] += weights[spread][i] * (1 - success);
            }
        }
        return entropy(successes) + entropy(failures);
    }

    /** Returns the entropy of a distribution, multiplied by the sum of its parts. */
    private static double entropy(double[] parts) {
        double sum = Arrays.stream(parts).sum();
        return Arrays.stream(parts)
                .filter(part -> part > 0)
                .map(part -> -part * Math.log(part / sum))
                .sum();
    }

    /** Returns the load below which the threshold lies with this probability, 0 to 1. */
    public double quantile(double probability) {
        int above = 0;
        while (above < STEPS - 1 && cumulative[above] < probability) {
            above++;
        }
        double before = above == 0 ? 0 : cumulative[above - 1];
        double width = cumulative[above] - before;
        double part = width <= 0 ? 0.5 : Math.min(1, Math.max(0, (probability - before) / width));
        return Math.exp(logLowest + (above + part) * step);
    }

    /** Returns the probability that the threshold is at least this load. */
    public double isAtLeast(double load) {
        double place = (Math.log(load) - logLowest) / step;
        int index = (int) Math.min(STEPS - 1, Math.max(0, place));
        double before = index == 0 ? 0 : cumulative[index - 1];
        double within = Math.min(1, Math.max(0, place - index));
        return place >= STEPS ? 0 : 1 - (before + within * (cumulative[index] - before));
    }

    /** Returns the median of the threshold, with the central interval that holds the threshold with this probability. */
    public Interval interval(double probability) {
        double outside = (1 - probability) / 2;
        return new Interval(quantile(0.5), quantile(outside), quantile(1 - outside));
    }
}
