package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import siemload.compare.experiment.Comparison.Series;
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
    static List<Growth> of(Experiment experiment, Map<String, Double> sizes, List<Series> figures) {
        List<Growth> growth = new ArrayList<>();
        figures.stream()
                .filter(series -> series.isOf(experiment.metric()))
                .map(Series::subject)
                .filter(experiment.judged()::asksFor)
                .distinct()
                .forEach(subject -> {
                    Map<Double, Double> medians = medians(sizes, figures, subject, experiment.metric());
                    if (medians.size() > 1) {
                        Map<Double, Double> throughput = medians(sizes, figures, subject, new Metric("throughput"));
                        growth.add(of(subject, experiment.metric(), medians, throughput));
                    }
                });
        return growth;
    }

    private static Growth of(
            String subject, Metric metric, Map<Double, Double> medians, Map<Double, Double> throughput) {
        double[] n = array(medians.keySet());
        double[] values = array(medians.values());
        double[] factors = UniversalScalability.scalabilityFactors(n, values);
        List<Point> points = IntStream.range(0, n.length)
                .mapToObj(i -> new Point(n[i], values[i], factors[i]))
                .toList();
        boolean known = n.length >= GrowthExponent.LEAST_POINTS;
        Interval exponent = known ? GrowthExponent.of(n, values) : new Interval(0, 0, 0);
        // The throughput where it was measured, and else n over the time that n took.
        double[] rates = metric.quantity() == Quantity.RATE
                ? values
                : IntStream.range(0, n.length)
                        .mapToDouble(i -> n[i] / values[i])
                        .toArray();
        boolean everywhere = throughput.keySet().containsAll(medians.keySet());
        double[] measured = everywhere
                ? Arrays.stream(n)
                        .map(size -> throughput.getOrDefault(size, 0.0))
                        .toArray()
                : rates;
        return new Growth(
                subject, metric.name(), points, exponent, known, UniversalScalability.of(subject, n, measured));
    }

    /** Where too many searches got no answer to know the value, there is none. */
    private static Map<Double, Double> medians(
            Map<String, Double> sizes, List<Series> figures, String subject, Metric metric) {
        Map<Double, Double> medians = new LinkedHashMap<>();
        sizes.forEach((variant, n) -> figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.isOf(metric)
                        && series.variant().equals(variant)
                        && series.median() > 0
                        && series.bounds().isEmpty()
                        && n > 0)
                .forEach(series -> medians.put(n, series.median())));
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
     * @param factor T(n)/T(first)
     */
    public record Point(double n, double median, double factor) {}
}
