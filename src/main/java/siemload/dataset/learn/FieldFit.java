package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

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
    static FieldFit of(String name, Stream<?> ones, Stream<?> others) {
        Counts<Object> original = Counts.of(ones);
        Counts<Object> generated = Counts.of(others);
        Collection<Object> cells = new LinkedHashSet<>(original.counts().keySet());
        cells.addAll(generated.counts().keySet());
        if (cells.stream().allMatch(Number.class::isInstance)) {
            cells = new TreeSet<>(cells);
        }
        double allOnes = Math.max(1, original.all());
        double allOthers = Math.max(1, generated.all());
        double distance = 0;
        double byChance = 0;
        List<Long> inOriginal = new ArrayList<>();
        List<Long> inGenerated = new ArrayList<>();
        for (Object cell : cells) {
            long one = original.counts().getOrDefault(cell, 0L);
            long other = generated.counts().getOrDefault(cell, 0L);
            inOriginal.add(one);
            inGenerated.add(other);
            distance += Math.abs(one / allOnes - other / allOthers) / 2;
            double both = (one + other) / (allOnes + allOthers);
            // Half the mean size of a normal error with the variance of a difference of two shares.
            byChance += Math.sqrt(both * (1 - both) * (1 / allOnes + 1 / allOthers) / (2 * Math.PI));
        }
        return new FieldFit(
                name,
                cells.stream().map(String::valueOf).toList(),
                inOriginal,
                inGenerated,
                distance,
                byChance,
                original.all(),
                generated.all());
    }
}
