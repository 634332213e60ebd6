package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import siemload.dataset.learn.FieldFit.Kind;
import siemload.dataset.statistics.CountComparison;
import siemload.dataset.statistics.RankLawFit;

/** Holds what was measured of a generated sample against what was measured of the original, field by field. Stateless. */
final class StreamFit {
    /** So many points of a curve are kept for drawing. */
    private static final int MOST_POINTS = 120;

    private static final List<Sizes> SIZES = List.of(
            new Sizes("bytes of a line", StreamMeasure::lines),
            new Sizes(
                    "characters of a description",
                    measure -> measure.categories().lengths()),
            new Sizes("characters of a note", measure -> measure.details().notes()),
            new Sizes(
                    "seconds from EventTime to DetectTime",
                    measure -> measure.times().lasted()),
            new Sizes(
                    "seconds from DetectTime to CreateTime",
                    measure -> measure.times().delay()),
            new Sizes("FlowCount and ConnCount", measure -> measure.details().counts()));

    private StreamFit() {}

    /** A field of sizes, in words, and where they were counted. */
    private record Sizes(String name, Function<StreamMeasure, SizeHistogram> of) {}

    /**
     * All fields.
     *
     * @param names by which those of the original stand in the profile
     */
    static List<FieldFit> of(StreamMeasure original, Pseudonyms names, StreamMeasure generated, LearntProfile learnt) {
        Pseudonyms asTheyAre = new Pseudonyms(NameRule.KEEP, 0);
        Map<String, Map<String, Double>> first = NamedShares.of(original, names, original);
        Map<String, Map<String, Double>> second = NamedShares.of(generated, asTheyAre, original);
        List<FieldFit> fits = new ArrayList<>();
        first.forEach((name, shares) -> fits.add(shares(name, shares, second.getOrDefault(name, Map.of()))));
        learnt.laws().forEach((name, law) -> {
            if (!law.edges().isEmpty()) {
                fits.add(law(name, law));
            }
        });
        SIZES.forEach(sizes -> fits.add(sizes(sizes, original, generated)));
        return List.copyOf(fits);
    }

    private static FieldFit shares(String name, Map<String, Double> original, Map<String, Double> generated) {
        Set<String> labels = new LinkedHashSet<>(original.keySet());
        labels.addAll(generated.keySet());
        List<Double> first =
                labels.stream().map(label -> original.getOrDefault(label, 0.0)).toList();
        List<Double> second =
                labels.stream().map(label -> generated.getOrDefault(label, 0.0)).toList();
        return FieldFit.of(
                name,
                Kind.SHARES,
                List.copyOf(labels),
                first,
                second,
                CountComparison.ofShares(array(first), array(second)));
    }

    private static FieldFit law(String name, RankLawFit law) {
        List<String> labels = law.edges().stream()
                .map(edge -> String.format(Locale.ROOT, "%,d", edge))
                .toList();
        double distance = CountComparison.ofShares(array(law.found()), array(law.expected()))
                .distance();
        return FieldFit.of(
                "popularity: " + name,
                Kind.LAW,
                labels,
                law.found(),
                law.expected(),
                new CountComparison(distance, law.misfit()));
    }

    private static FieldFit sizes(Sizes field, StreamMeasure original, StreamMeasure generated) {
        SizeHistogram first = field.of().apply(original);
        SizeHistogram second = field.of().apply(generated);
        double[] firstCells = first.cells(second);
        double[] secondCells = second.cells(first);
        CountComparison fit = CountComparison.ofOrder(firstCells, secondCells);
        Map<Long, double[]> points = new LinkedHashMap<>();
        int used = 0;
        for (int i = 0; i < firstCells.length; i++) {
            used += firstCells[i] + secondCells[i] > 0 ? 1 : 0;
        }
        int each = Math.max(1, (used + MOST_POINTS - 1) / MOST_POINTS);
        long[] sizes = SizeHistogram.sizes(firstCells.length);
        double[] point = new double[2];
        int inPoint = 0;
        for (int i = 0; i < firstCells.length; i++) {
            if (firstCells[i] + secondCells[i] > 0) {
                point[0] += firstCells[i];
                point[1] += secondCells[i];
                inPoint++;
                if (inPoint == each || i == firstCells.length - 1) {
                    points.put(sizes[i], point);
                    point = new double[2];
                    inPoint = 0;
                }
            }
        }
        return new FieldFit(
                field.name(),
                Kind.SIZES,
                points.keySet().stream().map(String::valueOf).toList(),
                points.values().stream().map(counts -> counts[0]).toList(),
                points.values().stream().map(counts -> counts[1]).toList(),
                fit.distance(),
                fit.byChance(),
                first.count(),
                second.count());
    }

    private static double[] array(List<Double> counts) {
        return counts.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
