package siemload.results.statistics;

import java.util.OptionalDouble;
import org.hipparchus.special.Beta;

/**
 * Between which ranks a percentile lies with 95 %: order statistics, at ranks between the whole ones, too (Hutson, Calculating
 * nonparametric confidence intervals for quantiles using fractional order statistics, Journal of Applied Statistics 26, 1999).
 * The share of all times at or below the one of rank {@code (n + 1) u} has the distribution Beta((n + 1) u, (n + 1) (1 - u)).
 * Stateless.
 */
final class PercentileRanks {
    private static final double TAIL = 0.025;
    private static final int HALVINGS = 45;

    private PercentileRanks() {}

    /**
     * The lower end, as a share of {@code n + 1}.
     *
     * @param percentile 0 to 1, without both
     * @param times how many independent times there are
     * @return empty if there are too few: all of them may lie above the percentile
     */
    static OptionalDouble lower(double percentile, double times) {
        return Math.pow(1 - percentile, times) > TAIL
                ? OptionalDouble.empty()
                : OptionalDouble.of(share(percentile, times, 1 - TAIL));
    }

    /** The upper end, likewise. */
    static OptionalDouble upper(double percentile, double times) {
        return Math.pow(percentile, times) > TAIL
                ? OptionalDouble.empty()
                : OptionalDouble.of(share(percentile, times, TAIL));
    }

    /** With how many independent times there is an upper end. */
    static long fewest(double percentile) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log(percentile));
    }

    /** The share at which the percentile is no less than a time of that rank with this probability. */
    private static double share(double percentile, double times, double probability) {
        double from = 0;
        double to = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (from + to) / 2;
            double below = Beta.regularizedBeta(percentile, (times + 1) * middle, (times + 1) * (1 - middle));
            if (below > probability) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return (from + to) / 2;
    }
}
