package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.statistics.GrowthExponent;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.Quantity;
import siemload.compare.statistics.UniversalScalability;

/** Fits how the metric grows along an axis of numbers. Used by one thread. */
record GrowthFit(Map<String, Double> sizes, List<Series> figures, Metric metric) {

    /**
     * The growth of every subject that has known values above 0 at two or more sizes.
     *
     * @param sizes by cell; empty for an axis that is none of numbers
     */
    static List<Growth> of(Experiment experiment, Map<String, Double> sizes, List<Series> figures) {
        GrowthFit fit = new GrowthFit(sizes, figures, experiment.judged().metric());
        Set<String> subjects = new LinkedHashSet<>();
        figures.stream()
                .filter(series ->
                        series.metric().equals(experiment.judged().metric().name()))
                .filter(series -> experiment.judged().subjects().isEmpty()
                        || experiment.judged().subjects().contains(series.subject()))
                .forEach(series -> subjects.add(series.subject()));
        List<Growth> growth = new ArrayList<>();
        for (String subject : subjects) {
            Map<Double, Double> medians =
                    fit.medians(subject, experiment.judged().metric().name());
            if (medians.size() > 1) {
                growth.add(fit.growth(subject, medians));
            }
        }
        return growth;
    }

    private Growth growth(String subject, Map<Double, Double> medians) {
        double[] n = array(medians.keySet());
        double[] values = array(medians.values());
        double[] factors = UniversalScalability.scalabilityFactors(n, values);
        List<Growth.Point> points = new ArrayList<>();
        for (int i = 0; i < n.length; i++) {
            points.add(new Growth.Point(n[i], values[i], factors[i]));
        }
        boolean known = n.length >= GrowthExponent.LEAST_POINTS;
        Interval exponent = known ? GrowthExponent.of(n, values).exponent() : new Interval(0, 0, 0);
        return new Growth(subject, metric.name(), points, exponent, known, scalability(subject, n, values));
    }

    /** Takes the throughput where it was measured, and else n over the time that n took. */
    private Growth.Scalability scalability(String subject, double[] n, double[] values) {
        Map<Double, Double> measured = medians(subject, "throughput");
        boolean everywhere = Arrays.stream(n).allMatch(measured::containsKey);
        double[] throughput = new double[n.length];
        for (int i = 0; i < n.length; i++) {
            throughput[i] = everywhere
                    ? Objects.requireNonNull(measured.get(n[i]))
                    : metric.quantity() == Quantity.RATE ? values[i] : n[i] / values[i];
        }
        return Growth.Scalability.of(subject, n, throughput);
    }

    /** Where too many searches got no answer to know the value, there is none. */
    private Map<Double, Double> medians(String subject, String name) {
        Map<Double, Double> medians = new LinkedHashMap<>();
        sizes.forEach((cell, n) -> figures.stream()
                .filter(series -> series.subject().equals(subject)
                        && series.metric().equals(name)
                        && series.variant().equals(cell)
                        && series.median() > 0
                        && series.bounds().isEmpty()
                        && n > 0)
                .forEach(series -> medians.put(n, series.median())));
        return medians;
    }

    private static double[] array(Iterable<Double> values) {
        List<Double> list = new ArrayList<>();
        values.forEach(list::add);
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
