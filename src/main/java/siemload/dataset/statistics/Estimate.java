package siemload.dataset.statistics;

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

    /** A number that is known. */
    public static Estimate exact(double value) {
        return new Estimate(value, value, value);
    }

    /** A number with a normal error of this standard deviation. */
    public static Estimate normal(double value, double deviation) {
        return new Estimate(value, value - REACH * deviation, value + REACH * deviation);
    }

    /**
     * The share that {@code hits} of {@code all} estimate, with the interval of Wilson ("Probable Inference, the Law of
     * Succession, and Statistical Inference", 1927), which holds for shares near 0 and 1, too. Nothing seen tells nothing: 0 to 1.
     */
    public static Estimate share(long hits, long all) {
        if (all == 0) {
            return new Estimate(0, 0, 1);
        }
        double share = (double) hits / all;
        double square = REACH * REACH / all;
        double middle = (share + square / 2) / (1 + square);
        double reach = REACH * Math.sqrt(share * (1 - share) / all + square / 4 / all) / (1 + square);
        return new Estimate(
                share,
                hits == 0 ? 0 : Math.min(share, middle - reach),
                hits == all ? 1 : Math.max(share, middle + reach));
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
