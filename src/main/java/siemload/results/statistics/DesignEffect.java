package siemload.results.statistics;

import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * How much less the times of a run tell than as many independent ones: those of one second share its stalls and its load, and
 * a slow second is seldom alone. Stateless.
 *
 * <p>The variance of a sum over seconds is that of its autocovariances (Geyer, Practical Markov Chain Monte Carlo, Statistical
 * Science 7, 1992: pairs of lags are summed up while they fall and are positive; here, while they are more than half of what
 * chance gives them, and at most a quarter of the run). It is corrected for the degrees of freedom
 * that the lags took, and widened by Student's t for those that remain. The ratio to the variance of independent times is the
 * design effect (Kish, Survey Sampling, 1965); as with Korn and Graubard (Survey Methodology 24, 1998), the count of
 * times divided by it is taken for the count of independent ones.
 */
final class DesignEffect {
    private static final double HALF = 0.5;

    /** As a part of the run: a quarter. */
    private static final int LONGEST_LAG = 4;

    private static final double LEAST_FREEDOM = 3;
    private static final double UPPER_TAIL = 0.975;
    private static final double NORMAL = new NormalDistribution().inverseCumulativeProbability(UPPER_TAIL);

    private DesignEffect() {}

    /**
     * The design effect, with the widening for what is not known of it.
     *
     * @param deviations of each second, in their order, from what is expected of it; they add up to 0
     * @param independentVariance what the variance of their sum would be if the times were independent; above 0
     * @return at least 1
     */
    static double of(double[] deviations, double independentVariance) {
        int seconds = deviations.length;
        double variance = autocovariance(deviations, 0);
        double chance = HALF * variance * Math.sqrt(2.0 / seconds);
        double before = Double.POSITIVE_INFINITY;
        int lags = 0;
        for (int lag = 1; lag + 1 < seconds / LONGEST_LAG; lag += 2) {
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
        double student = new TDistribution(Math.max(LEAST_FREEDOM, seconds / window - 1))
                        .inverseCumulativeProbability(UPPER_TAIL)
                / NORMAL;
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
