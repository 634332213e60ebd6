package siemload.compare.statistics;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * How a metric grows along an axis of numbers: users, events, addresses in a list. Immutable.
 *
 * @param points in the order of the axis, two or more
 * @param exponent of the power law y = factor n^exponent that fits best, from the least-squares line through log y over log n, with its
 *     95 % interval by Student's t with as many degrees of freedom as there are points but two: 1 is in proportion, 2 is with the
 *     square, 0 not at all; all 0 where there are too few points for one
 * @param exponentKnown whether it could be fitted
 */
public record Growth(String subject, String metric, List<Point> points, Interval exponent, boolean exponentKnown) {
    /** Two parameters and one value to see whether they fit. */
    private static final int LEAST_POINTS = 3;

    private static final double SIGNIFICANCE = 0.05;

    public Growth {
        points = List.copyOf(points);
    }

    /**
     * One value of the axis.
     *
     * @param n the value
     * @param median of the metric
     * @param factor how many times that of the smallest n
     */
    public record Point(double n, double median, double factor) {}

    /**
     * The growth of a metric.
     *
     * @param medians of the metric, by the values of the axis, two or more; all above 0
     */
    public static Growth of(String subject, String metric, Map<Double, Double> medians) {
        double first = medians.getOrDefault(Collections.min(medians.keySet()), 0.0);
        SimpleRegression line = new SimpleRegression();
        medians.forEach((n, median) -> line.addData(Math.log(n), Math.log(median)));
        boolean known = medians.size() >= LEAST_POINTS;
        double half = known ? line.getSlopeConfidenceInterval(SIGNIFICANCE) : 0;
        double slope = known ? line.getSlope() : 0;
        return new Growth(
                subject,
                metric,
                medians.entrySet().stream()
                        .map(one -> new Point(one.getKey(), one.getValue(), one.getValue() / first))
                        .toList(),
                new Interval(slope, slope - half, slope + half),
                known);
    }
}
