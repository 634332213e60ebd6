package siemload.dataset.learn;

import java.util.List;
import siemload.dataset.statistics.CountComparison;

/**
 * How well a field of generated events fits that of the original. Immutable.
 *
 * @param name of the field, for people
 * @param kind how it was compared
 * @param labels of the cells: words, or the least size of each
 * @param original how many there are in each cell
 * @param generated how many there are in the generated sample, or are to be expected
 * @param distance 0 for equal shares, 1 for those without anything in common
 * @param byChance the probability of such a distance or a larger one, had both come from one law
 * @param originalCount how many were compared
 * @param generatedCount with how many; for {@link Kind#LAW} as many
 */
public record FieldFit(
        String name,
        Kind kind,
        List<String> labels,
        List<Double> original,
        List<Double> generated,
        double distance,
        double byChance,
        long originalCount,
        long generatedCount) {

    public FieldFit {
        labels = List.copyOf(labels);
        original = List.copyOf(original);
        generated = List.copyOf(generated);
    }

    /** How two lots of counts are compared. */
    public enum Kind {
        /** Total variation, and Pearson's chi-squared test. */
        SHARES,
        /** Kolmogorov-Smirnov. */
        SIZES,
        /** How many values occurred how often, against what the law of popularity makes expected: total variation, and a chi-squared test. */
        LAW
    }

    static FieldFit of(
            String name,
            Kind kind,
            List<String> labels,
            List<Double> original,
            List<Double> generated,
            CountComparison fit) {
        return new FieldFit(
                name,
                kind,
                labels,
                original,
                generated,
                fit.distance(),
                fit.byChance(),
                Math.round(sum(original)),
                Math.round(sum(generated)));
    }

    private static double sum(List<Double> counts) {
        return counts.stream().mapToDouble(Double::doubleValue).sum();
    }
}
