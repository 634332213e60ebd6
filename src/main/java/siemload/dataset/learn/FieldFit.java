package siemload.dataset.learn;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

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
    private static final int MOST_POINTS = 120;

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
        return of(name, Kind.SHARES, List.copyOf(labels), cells(labels, original), cells(labels, generated));
    }

    private static List<Double> cells(Set<String> labels, Map<String, Double> counts) {
        return labels.stream().map(label -> counts.getOrDefault(label, 0.0)).toList();
    }

    static FieldFit ofLaw(String name, PopularityLaw law) {
        List<String> labels =
                IntStream.of(law.edges()).mapToObj(String::valueOf).toList();
        List<Double> found =
                IntStream.range(0, labels.size()).mapToObj(i -> law.found()[i]).toList();
        List<Double> expected = IntStream.range(0, labels.size())
                .mapToObj(i -> law.expected()[i])
                .toList();
        return of(name, Kind.LAW, labels, found, expected);
    }

    /** Of sizes, whose cells are drawn in groups where they are very many. */
    static FieldFit ofSizes(String name, Frequencies<Long> original, Frequencies<Long> generated) {
        Map<Long, double[]> cells = new TreeMap<>();
        original.sorted((size, count) -> cells.computeIfAbsent(size, unused -> new double[2])[0] += count);
        generated.sorted((size, count) -> cells.computeIfAbsent(size, unused -> new double[2])[1] += count);
        Map<Long, double[]> points = new TreeMap<>();
        double all = (double) original.all();
        double others = (double) generated.all();
        int each = cells.size() / MOST_POINTS + 1;
        double distance = 0;
        double difference = 0;
        double[] point = new double[2];
        int read = 0;
        for (Map.Entry<Long, double[]> cell : cells.entrySet()) {
            double[] counts = cell.getValue();
            difference += share(counts[0], all) - share(counts[1], others);
            distance = Math.max(distance, Math.abs(difference));
            point[0] += counts[0];
            point[1] += counts[1];
            if (++read % each == 0 || read == cells.size()) {
                points.put(cell.getKey(), point);
                point = new double[2];
            }
        }
        return new FieldFit(
                name,
                Kind.SIZES,
                points.keySet().stream().map(String::valueOf).toList(),
                points.values().stream().map(counts -> counts[0]).toList(),
                points.values().stream().map(counts -> counts[1]).toList(),
                distance,
                Math.min(1, 0.8687 * Math.sqrt(share(1, all) + share(1, others))),
                original.all(),
                generated.all());
    }

    private static FieldFit of(
            String name, Kind kind, List<String> labels, List<Double> original, List<Double> generated) {
        double all = sum(original);
        double others = sum(generated);
        double variance = share(1, all) + (kind == Kind.LAW ? 0 : share(1, others));
        double distance = 0;
        double byChance = 0;
        for (int i = 0; i < labels.size(); i++) {
            distance += Math.abs(share(original.get(i), all) - share(generated.get(i), others)) / 2;
            double both = share(original.get(i) + generated.get(i), all + others);
            // Half the mean size of a normal error with the variance of a difference of two shares.
            byChance += Math.sqrt(both * (1 - both) * variance / (2 * Math.PI));
        }
        return new FieldFit(
                name, kind, labels, original, generated, distance, byChance, Math.round(all), Math.round(others));
    }

    private static double share(double count, double all) {
        return all == 0 ? 0 : count / all;
    }

    private static double sum(List<Double> counts) {
        return counts.stream().mapToDouble(Double::doubleValue).sum();
    }
}
