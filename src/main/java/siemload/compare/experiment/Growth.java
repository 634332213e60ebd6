package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.statistics.GrowthExponent;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.Quantity;
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
        UniversalScalability scalability) {

    public Growth {
        points = List.copyOf(points);
    }

    /**
     * The growth of every subject that has known values above 0 at two or more sizes.
     *
     * @param sizes by variant; empty for an axis that is none of numbers
     */
    static List<Growth> of(Verdicts decider, Map<String, Double> sizes) {
        Metric metric = decider.experiment().metric();
        List<Growth> growth = new ArrayList<>();
        for (String subject : decider.subjects()) {
            Map<Double, Double> medians = medians(decider, sizes, subject, metric);
            if (medians.size() > 1) {
                growth.add(of(subject, metric, medians, medians(decider, sizes, subject, new Metric("throughput"))));
            }
        }
        return growth;
    }

    private static Growth of(
            String subject, Metric metric, Map<Double, Double> medians, Map<Double, Double> throughput) {
        double[] n = array(medians.keySet());
        double[] values = array(medians.values());
        double first = medians.getOrDefault(Collections.min(medians.keySet()), 0.0);
        List<Point> points = new ArrayList<>();
        medians.forEach((size, median) -> points.add(new Point(size, median, median / first)));
        boolean known = n.length >= GrowthExponent.LEAST_POINTS;
        Interval exponent = known ? GrowthExponent.of(n, values) : new Interval(0, 0, 0);
        // The throughput where it was measured, and else n over the time that n took.
        double[] rates = new double[n.length];
        for (int i = 0; i < n.length; i++) {
            double rate = metric.quantity() == Quantity.RATE ? values[i] : n[i] / values[i];
            rates[i] = throughput.keySet().containsAll(medians.keySet()) ? throughput.getOrDefault(n[i], 0.0) : rate;
        }
        return new Growth(subject, metric.name(), points, exponent, known, UniversalScalability.of(subject, n, rates));
    }

    /** Where too many searches got no answer to know the value, there is none. */
    private static Map<Double, Double> medians(
            Verdicts decider, Map<String, Double> sizes, String subject, Metric metric) {
        Map<Double, Double> medians = new LinkedHashMap<>();
        sizes.forEach((variant, n) -> decider.find(subject, metric.name(), variant)
                .filter(series -> series.median() > 0 && series.bounds().isEmpty() && n > 0)
                .ifPresent(series -> medians.put(n, series.median())));
        return medians;
    }

    private static double[] array(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * One value of the axis.
     *
     * @param n the value
     * @param median of the metric
     * @param factor how many times that of the smallest n
     */
    public record Point(double n, double median, double factor) {}
}
