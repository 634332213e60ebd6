package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How well a field of generated events fits that of the original. Immutable.
 *
 * @param name of the field, for people
 * @param labels of the cells: words, or the least size of each
 * @param original how many there are in each cell
 * @param generated how many there are in the generated sample
 * @param distance total variation, half the sum of all differences of shares: 0 for equal ones, 1 for nothing in common
 * @param byChance how large the distance is on average, where both are drawn from one law
 * @param originalCount how many were compared
 * @param generatedCount with how many
 */
public record FieldFit(
        String name,
        List<String> labels,
        List<Long> original,
        List<Long> generated,
        double distance,
        double byChance,
        long originalCount,
        long generatedCount) {

    public FieldFit {
        labels = List.copyOf(labels);
        original = List.copyOf(original);
        generated = List.copyOf(generated);
    }

    /** Of how many there are in each cell. Cells that are numbers stand in their order. */
    static FieldFit of(String name, Counts<?> original, Counts<?> generated) {
        Set<Object> cells = new LinkedHashSet<>(original.counts().keySet());
        cells.addAll(generated.counts().keySet());
        if (cells.stream().allMatch(Number.class::isInstance)) {
            cells = new TreeSet<>(cells);
        }
        List<Long> ones = new ArrayList<>();
        List<Long> others = new ArrayList<>();
        double allOnes = Math.max(1, original.all());
        double allOthers = Math.max(1, generated.all());
        double variance = 1 / allOnes + 1 / allOthers;
        double distance = 0;
        double byChance = 0;
        for (Object cell : cells) {
            long one = original.of(cell);
            long other = generated.of(cell);
            ones.add(one);
            others.add(other);
            distance += Math.abs(one / allOnes - other / allOthers) / 2;
            double both = (one + other) / (allOnes + allOthers);
            // Half the mean size of a normal error with the variance of a difference of two shares.
            byChance += Math.sqrt(both * (1 - both) * variance / (2 * Math.PI));
        }
        List<String> labels = cells.stream().map(String::valueOf).toList();
        return new FieldFit(name, labels, ones, others, distance, byChance, original.all(), generated.all());
    }
}
