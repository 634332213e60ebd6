package siemload.dataset.learn;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

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

    /** Of counts by name. */
    static FieldFit ofShares(String name, Map<String, Double> original, Map<String, Double> generated) {
        Set<String> labels = new LinkedHashSet<>(original.keySet());
        labels.addAll(generated.keySet());
        return of(name, Kind.SHARES, labels, original, generated);
    }

    /** Of how often each size occurred. */
    static FieldFit ofSizes(String name, Histogram original, Histogram generated) {
        Map<Long, Double> all = cells(original);
        Map<Long, Double> others = cells(generated);
        Set<Long> sizes = new TreeSet<>(all.keySet());
        sizes.addAll(others.keySet());
        return of(name, Kind.SIZES, sizes, all, others);
    }

    private static Map<Long, Double> cells(Histogram sizes) {
        Map<Long, Double> cells = new HashMap<>();
        sizes.recordedValues()
                .forEach(cell -> cells.put(sizes.lowestEquivalentValue(cell.getValueIteratedTo()), (double)
                        cell.getCountAtValueIteratedTo()));
        return cells;
    }

    static FieldFit ofLaw(String name, PopularityLaw law) {
        return of(
                name,
                Kind.LAW,
                IntStream.of(law.edges()).mapToObj(String::valueOf).toList(),
                DoubleStream.of(law.found()).boxed().toList(),
                DoubleStream.of(law.expected()).boxed().toList());
    }

    private static <K> FieldFit of(
            String name, Kind kind, Set<K> cells, Map<K, Double> original, Map<K, Double> generated) {
        return of(
                name,
                kind,
                cells.stream().map(String::valueOf).toList(),
                cells.stream().map(cell -> original.getOrDefault(cell, 0.0)).toList(),
                cells.stream().map(cell -> generated.getOrDefault(cell, 0.0)).toList());
    }

    private static FieldFit of(
            String name, Kind kind, List<String> labels, List<Double> original, List<Double> generated) {
        double all = sum(original);
        double others = sum(generated);
        double variance = share(1, all) + (kind == Kind.LAW ? 0 : share(1, others));
        double variation = 0;
        double variationByChance = 0;
        double cumulated = 0;
        double largest = 0;
        for (int i = 0; i < labels.size(); i++) {
            double difference = share(original.get(i), all) - share(generated.get(i), others);
            variation += Math.abs(difference) / 2;
            cumulated += difference;
            largest = Math.max(largest, Math.abs(cumulated));
            double both = share(original.get(i) + generated.get(i), all + others);
            // Half the mean size of a normal error with the variance of a difference of two shares.
            variationByChance += Math.sqrt(both * (1 - both) * variance / (2 * Math.PI));
        }
        return new FieldFit(
                name,
                kind,
                labels,
                original,
                generated,
                kind == Kind.SIZES ? largest : variation,
                kind == Kind.SIZES ? Math.min(1, 0.8687 * Math.sqrt(variance)) : variationByChance,
                Math.round(all),
                Math.round(others));
    }

    private static double share(double count, double all) {
        return all == 0 ? 0 : count / all;
    }

    private static double sum(List<Double> counts) {
        return counts.stream().mapToDouble(Double::doubleValue).sum();
    }
}
