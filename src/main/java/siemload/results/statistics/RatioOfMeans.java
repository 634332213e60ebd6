package siemload.results.statistics;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.descriptive.moment.StandardDeviation;

/**
 * By how much times are longer than others that were measured in turn with them: the geometric mean of the rounds' ratios with
 * its 95 % interval, by Student's t over their logarithms. Immutable.
 *
 * @param low 0 for a single round
 * @param high {@link Double#MAX_VALUE} for a single round
 */
public record RatioOfMeans(double value, double low, double high) {
    private static final double CONFIDENCE = 0.95;

    /**
     * Over rounds.
     *
     * @param ratios of each round, above 0; at least one
     */
    public static RatioOfMeans of(List<Double> ratios) {
        double[] logs = ratios.stream().mapToDouble(Math::log).toArray();
        double sum = 0;
        for (double log : logs) {
            sum += log;
        }
        double mean = sum / logs.length;
        if (logs.length == 1) {
            return new RatioOfMeans(Math.exp(mean), 0, Double.MAX_VALUE);
        }
        double quantile = new TDistribution(logs.length - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double half = quantile * new StandardDeviation().evaluate(logs) / Math.sqrt(logs.length);
        return new RatioOfMeans(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
    }
}
