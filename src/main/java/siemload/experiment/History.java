package siemload.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import siemload.statistics.ChangePoint;
import siemload.statistics.ChangePoints;

/**
 * Nights in a file of JSON Lines, in the order of time, whatever the order in which they were added. Immutable.
 *
 * @param nights of all names
 */
public record History(List<Night> nights) {
    public History {
        nights = nights.stream().sorted(Comparator.comparing(Night::at)).toList();
    }

    /**
     * Reads a file; one that does not exist is empty, and a last line that a crash cut off does not count.
     *
     * @throws IOException if another line is no night; the message names it
     */
    public static History read(Path file) throws IOException {
        return new History(JsonLines.read(file, Night.class, "a line of a history", night -> {
            Objects.requireNonNull(night.at());
            Objects.requireNonNull(night.name());
        }));
    }

    /** Adds a line to a file; returns when it is on disk. */
    public static void add(Path file, Night night) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        JsonLines.add(file, night);
    }

    /** Whether it holds a night of the same name and time. */
    public boolean holds(Night night) {
        return nights.stream()
                .anyMatch(
                        other -> other.name().equals(night.name()) && other.at().equals(night.at()));
    }

    /** Everything that was measured, sorted. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        nights.forEach(night -> names.add(night.name()));
        return names;
    }

    /**
     * How one figure went on.
     *
     * @param at when, one for each value
     * @param values in the order of time
     * @param doubtful the indexes of those nights that could not be trusted; no change is looked for in them
     * @param changes where the values became others: advice, not a verdict; empty below ten values
     */
    public record Course(
            String name,
            String figure,
            List<String> at,
            List<String> labels,
            List<Double> values,
            List<Integer> doubtful,
            List<Change> changes) {
        public Course {
            at = List.copyOf(at);
            labels = List.copyOf(labels);
            values = List.copyOf(values);
            doubtful = List.copyOf(doubtful);
            changes = List.copyOf(changes);
        }
    }

    /**
     * A place where values became others.
     *
     * @param index of the first of the new ones
     * @param before the median of those before it, up to the neighbouring change
     * @param after the median of those from it on, up to the neighbouring change
     */
    public record Change(int index, double before, double after, double pValue) {}

    /** All figures of one name, sorted by their names. */
    public List<Course> courses(String name, long seed) {
        List<Night> own =
                nights.stream().filter(night -> night.name().equals(name)).toList();
        Set<String> figures = new TreeSet<>();
        own.forEach(night -> figures.addAll(night.figures().keySet()));
        return figures.stream().map(figure -> course(name, figure, own, seed)).toList();
    }

    private static Course course(String name, String figure, List<Night> nights, long seed) {
        List<Night> with = nights.stream()
                .filter(night -> night.figures().containsKey(figure))
                .toList();
        List<Double> values =
                with.stream().map(night -> night.figures().get(figure)).toList();
        return new Course(
                name,
                figure,
                with.stream().map(Night::at).toList(),
                with.stream().map(Night::label).toList(),
                values,
                IntStream.range(0, with.size())
                        .filter(index -> !with.get(index).isTrusted())
                        .boxed()
                        .toList(),
                changes(with, values, seed));
    }

    private static List<Change> changes(List<Night> nights, List<Double> values, long seed) {
        int[] trusted = IntStream.range(0, nights.size())
                .filter(index -> nights.get(index).isTrusted())
                .toArray();
        if (trusted.length < ChangePoints.LEAST_VALUES) {
            return List.of();
        }
        double[] series = Arrays.stream(trusted).mapToDouble(values::get).toArray();
        List<Change> changes = new ArrayList<>();
        for (ChangePoint point : new ChangePoints(seed).in(series)) {
            changes.add(new Change(trusted[point.index()], point.before(), point.after(), point.pValue()));
        }
        return changes;
    }
}
