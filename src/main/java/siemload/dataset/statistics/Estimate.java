package siemload.dataset.statistics;

import org.hipparchus.special.Beta;

/**
 * A number that was estimated, and the 95 % interval that it lies in. Immutable.
 *
 * @param value the best guess, within the interval
 * @param low the lower end of the interval
 * @param high its upper end; infinite where the counts set no limit
 */
public record Estimate(double value, double low, double high) {
    /** How many standard deviations the interval reaches to each side. */
    static final double REACH = 1.959_963_985;

    /** The probability of either side outside the interval. */
    private static final double TAIL = 0.025;

    private static final int STEPS = 60;

    /** A number that is known. */
    public static Estimate exact(double value) {
        return new Estimate(value, value, value);
    }

    /** A number with a normal error of this standard deviation. */
    public static Estimate normal(double value, double deviation) {
        return new Estimate(value, value - REACH * deviation, value + REACH * deviation);
    }

    /**
     * The share that {@code hits} of {@code all} estimate, with the exact interval of Clopper and Pearson ("The Use of Confidence or
     * Fiducial Limits Illustrated in the Case of the Binomial", 1934), which holds a share of any size in at least 95 of 100 cases.
     * Nothing seen tells nothing: 0 to 1.
     */
    public static Estimate share(long hits, long all) {
        if (all == 0) {
            return new Estimate(0, 0, 1);
        }
        double low = hits == 0 ? 0 : betaQuantile(TAIL, (double) hits, all - hits + 1.0);
        double high = hits == all ? 1 : betaQuantile(1 - TAIL, hits + 1.0, (double) (all - hits));
        return new Estimate((double) hits / all, low, high);
    }

    /** Below which a number of the beta distribution lies with this probability. */
    private static double betaQuantile(double probability, double first, double second) {
        return Bisection.find(0, 1, STEPS, number -> Beta.regularizedBeta(number, first, second) < probability);
    }

    /** Whether the interval holds this number, but for what rounding to a file's digits may have taken. */
    public boolean holds(double number) {
        double rounding = 1e-6 * Math.abs(number);
        return low - rounding <= number && number <= high + rounding;
    }

    /** This estimate in another unit; the factor is above 0. */
    public Estimate times(double factor) {
        return new Estimate(value * factor, low * factor, high * factor);
    }

    /** This estimate of something that cannot be outside these limits. */
    public Estimate within(double least, double most) {
        return new Estimate(clamp(value, least, most), clamp(low, least, most), clamp(high, least, most));
    }

    /** This estimate of a whole number, all ends rounded. */
    public Estimate rounded() {
        return new Estimate(Math.rint(value), Math.rint(low), Math.rint(high));
    }

    private static double clamp(double number, double least, double most) {
        return Math.max(least, Math.min(most, number));
    }
}
