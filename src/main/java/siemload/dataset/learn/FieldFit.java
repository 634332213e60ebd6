package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How well a field of generated events fits that of the original. Immutable.
 *
 * @param name of the field, for people
 * @param kind how it was compared
 * @param labels of the cells: words, or the least size of each
 * @param original how many there are in each cell
 * @param generated how many there are in the generated sample, or are to be expected
 * @param distance 0 for equal shares, 1 for those without anything in common
 * @param byChance how large the distance is on average, where both are drawn from one law
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
        /** Total variation: half the sum of all differences of shares. */
        SHARES,
        /** Kolmogorov-Smirnov: the largest difference of cumulated shares. */
        SIZES,
        /** How many values occurred how often, against what the law of popularity makes expected: total variation. */
        LAW
    }

    /** Of how many there are in each cell. Cells that are numbers stand in their order. */
    static FieldFit of(String name, Kind kind, Map<?, ? extends Number> original, Map<?, ? extends Number> generated) {
        Set<Object> cells = new LinkedHashSet<>(original.keySet());
        cells.addAll(generated.keySet());
        if (cells.stream().allMatch(Number.class::isInstance)) {
            cells = new TreeSet<>(cells);
        }
        List<Double> ones = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        double allOnes = sum(original.values());
        double allOthers = sum(generated.values());
        double variance = share(1, allOnes) + (kind == Kind.LAW ? 0 : share(1, allOthers));
        double variation = 0;
        double variationByChance = 0;
        double cumulated = 0;
        double largest = 0;
        for (Object cell : cells) {
            double one = count(original, cell);
            double other = count(generated, cell);
            ones.add(one);
            others.add(other);
            double difference = share(one, allOnes) - share(other, allOthers);
            variation += Math.abs(difference) / 2;
            cumulated += difference;
            largest = Math.max(largest, Math.abs(cumulated));
            double both = share(one + other, allOnes + allOthers);
            // Half the mean size of a normal error with the variance of a difference of two shares.
            variationByChance += Math.sqrt(both * (1 - both) * variance / (2 * Math.PI));
        }
        return new FieldFit(
                name,
                kind,
                cells.stream().map(String::valueOf).toList(),
                ones,
                others,
                kind == Kind.SIZES ? largest : variation,
                kind == Kind.SIZES ? Math.min(1, 0.8687 * Math.sqrt(variance)) : variationByChance,
                Math.round(allOnes),
                Math.round(allOthers));
    }

    private static double count(Map<?, ? extends Number> counts, Object cell) {
        Number count = counts.get(cell);
        return count == null ? 0 : count.doubleValue();
    }

    private static double share(double count, double all) {
        return all == 0 ? 0 : count / all;
    }

    private static double sum(Collection<? extends Number> counts) {
        return counts.stream().mapToDouble(Number::doubleValue).sum();
    }
}
