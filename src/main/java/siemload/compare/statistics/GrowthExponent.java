package siemload.compare.statistics;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * How a value grows with a size: y = factor x^exponent, from the least-squares line through log y over log x. 1 is in
 * proportion, 2 is with the square, 0 not at all. Stateless and thread-safe.
 */
public final class GrowthExponent {
    /** Two parameters and one value to see whether they fit. */
    public static final int LEAST_POINTS = 3;

    private static final double SIGNIFICANCE = 0.05;

    private GrowthExponent() {}

    /**
     * The slope with its 95 % interval by Student's t with n - 2 degrees of freedom; several values of one size count as several
     * points.
     *
     * @throws IllegalArgumentException for fewer than {@value #LEAST_POINTS} points, fewer than two different sizes, or
     *     values that are not above 0
     */
    public static Interval of(double[] sizes, double[] values) {
        boolean enough = sizes.length == values.length
                && sizes.length >= LEAST_POINTS
                && Arrays.stream(sizes).distinct().count() > 1;
        if (!enough
                || !DoubleStream.concat(Arrays.stream(sizes), Arrays.stream(values))
                        .allMatch(value -> value > 0 && Double.isFinite(value))) {
            throw new IllegalArgumentException("growth needs " + LEAST_POINTS
                    + " points of at least two sizes, all above 0, was sizes " + Arrays.toString(sizes) + ", values "
                    + Arrays.toString(values));
        }
        SimpleRegression line = new SimpleRegression();
        for (int i = 0; i < sizes.length; i++) {
            line.addData(Math.log(sizes[i]), Math.log(values[i]));
        }
        double half = line.getSlopeConfidenceInterval(SIGNIFICANCE);
        double slope = line.getSlope();
        return new Interval(slope, slope - half, slope + half);
    }
}
