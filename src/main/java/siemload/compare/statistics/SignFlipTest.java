package siemload.compare.statistics;

import org.hipparchus.random.RandomGenerator;
import org.hipparchus.random.Well1024a;

/**
 * Whether paired differences lie around zero: if they do, each could as well have had the other sign. The p-value is the
 * share of all ways to set the signs whose sum is at least as far from zero as the one seen (Fisher, The Design of
 * Experiments, 1935, section 21). Exact up to 20 pairs; above that 100,000 ways are drawn, and the one seen counts as one
 * more (Phipson and Smyth 2010), so that it is never 0. Two-sided; needs symmetry, not normality. Stateless and thread-safe.
 */
final class SignFlipTest {
    static final int MOST_EXACT = 20;

    private static final int DRAWS = 100_000;

    /** Sums of the same numbers in another order may differ in their last digits. */
    private static final double ROUNDING = 1e-12;

    private SignFlipTest() {}

    /** The p-value, above 0 and at most 1; the seed matters only above 20 differences. */
    static double pValue(double[] differences, long seed) {
        double sum = 0;
        double magnitude = 0;
        for (double difference : differences) {
            sum += difference;
            magnitude += Math.abs(difference);
        }
        double least = Math.abs(sum) - ROUNDING * magnitude;
        return differences.length <= MOST_EXACT ? exact(differences, least) : drawn(differences, least, seed);
    }

    /** All signs in the order of a Gray code, so that one changes a step; the last one stays, since all signs turned give the same distance. */
    private static double exact(double[] differences, double least) {
        int free = Math.max(differences.length - 1, 0);
        double[] signed = differences.clone();
        long far = 0;
        long ways = 1L << free;
        for (long way = 0; way < ways; way++) {
            if (way > 0) {
                int flipped = Long.numberOfTrailingZeros(way);
                signed[flipped] = -signed[flipped];
            }
            far += Math.abs(sum(signed)) >= least ? 1 : 0;
        }
        return (double) far / ways;
    }

    private static double drawn(double[] differences, double least, long seed) {
        RandomGenerator random = new Well1024a(seed);
        long far = 1;
        for (int draw = 0; draw < DRAWS; draw++) {
            double sum = 0;
            for (double difference : differences) {
                sum += random.nextBoolean() ? difference : -difference;
            }
            far += Math.abs(sum) >= least ? 1 : 0;
        }
        return far / (DRAWS + 1.0);
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
