package siemload.compare.experiment;

import java.util.Arrays;
import java.util.List;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.UniversalScalability;

/**
 * How a metric grows along an axis of numbers: users, events, addresses in a list. Immutable.
 *
 * @param points in the order of the axis, two or more
 * @param exponent of the power law that fits best, T ~ n^exponent, with its 95 % interval; all 0 where there are too few points
 *     for one
 * @param exponentKnown whether it could be fitted
 * @param scalability what is left of the throughput with many users; not fitted where it cannot be
 */
public record Growth(
        String subject,
        String metric,
        List<Point> points,
        Interval exponent,
        boolean exponentKnown,
        Scalability scalability) {

    public Growth {
        points = List.copyOf(points);
    }

    /**
     * One value of the axis.
     *
     * @param n the value
     * @param median of the metric
     * @param factor T(n)/T(first)
     */
    public record Point(double n, double median, double factor) {}

    /**
     * The Universal Scalability Law, fitted: X(n) = lambda n / (1 + sigma (n - 1) + kappa n (n - 1)).
     *
     * @param fitted false where there are too few points, or no throughput
     * @param knee the n with the highest throughput; 0 where throughput does not fall within what was measured: a fit says
     *     nothing about more than that
     * @param relativeError root mean square of what the law misses the measured ones by, as a ratio
     * @param why not fitted; empty if it was
     */
    public record Scalability(
            boolean fitted, double lambda, double sigma, double kappa, double knee, double relativeError, String why) {
        /** Above this the law is no description of what was measured. */
        private static final double WORST_FIT = 0.25;

        /**
         * The law fitted to throughputs, if it can be.
         *
         * @param subject whose throughput it is, for people
         * @param n users, servers and the like
         * @param throughput one for each of them
         */
        public static Scalability of(String subject, double[] n, double[] throughput) {
            try {
                UniversalScalability law = UniversalScalability.fit(n, throughput);
                if (law.relativeError() > WORST_FIT) {
                    return none("the Universal Scalability Law misses the throughput of " + subject + " by "
                            + Math.round(100 * law.relativeError()) + " %");
                }
                double most = Arrays.stream(n).max().orElseThrow();
                double knee = law.knee().orElse(0);
                return new Scalability(
                        true, law.lambda(), law.sigma(), law.kappa(), knee <= most ? knee : 0, law.relativeError(), "");
            } catch (IllegalArgumentException tooFew) {
                return none(String.valueOf(tooFew.getMessage()));
            }
        }

        /** No fit. */
        public static Scalability none(String why) {
            return new Scalability(false, 0, 0, 0, 0, 0, why);
        }
    }
}
