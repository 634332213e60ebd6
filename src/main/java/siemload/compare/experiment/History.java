package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import siemload.compare.statistics.ChangePoint;
import siemload.compare.statistics.ChangePoints;

/**
 * Entries in a file of JSON Lines, in the order of time, whatever the order in which they were added. Immutable.
 *
 * @param entries of all names
 */
public record History(List<HistoryEntry> entries) {
    public History {
        entries =
                entries.stream().sorted(Comparator.comparing(HistoryEntry::at)).toList();
    }

    /**
     * Reads a file; one that does not exist is empty, and a last line that a crash cut off does not count.
     *
     * @throws IOException if another line is no entry; the message names it
     */
    public static History read(Path file) throws IOException {
        return new History(JsonLines.read(file, HistoryEntry.class, "a line of a history"));
    }

    /** Adds a line to a file; returns when it is on disk. */
    public static void add(Path file, HistoryEntry entry) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        JsonLines.add(file, entry);
    }

    /** Whether it holds an entry of the same name and time. */
    public boolean holds(HistoryEntry entry) {
        return entries.stream()
                .anyMatch(
                        other -> other.name().equals(entry.name()) && other.at().equals(entry.at()));
    }

    /** Everything that was measured, sorted. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        entries.forEach(entry -> names.add(entry.name()));
        return names;
    }

    /**
     * How one figure went on.
     *
     * @param at when, one for each value
     * @param values in the order of time
     * @param doubtful the indexes of those entries that could not be trusted; no change is looked for in them
     * @param changes where the values became others: advice, not a verdict; empty below ten values
     */
    public record Course(
            String name,
            String figure,
            List<String> at,
            List<String> labels,
            List<Double> values,
            List<Integer> doubtful,
            List<ChangePoint> changes) {
        public Course {
            at = List.copyOf(at);
            labels = List.copyOf(labels);
            values = List.copyOf(values);
            doubtful = List.copyOf(doubtful);
            changes = List.copyOf(changes);
        }
    }

    /** All figures of one name, sorted by their names. */
    public List<Course> courses(String name, long seed) {
        List<HistoryEntry> own =
                entries.stream().filter(entry -> entry.name().equals(name)).toList();
        Set<String> figures = new TreeSet<>();
        own.forEach(entry -> figures.addAll(entry.figures().keySet()));
        return figures.stream().map(figure -> course(name, figure, own, seed)).toList();
    }

    private static Course course(String name, String figure, List<HistoryEntry> entries, long seed) {
        List<HistoryEntry> with = entries.stream()
                .filter(entry -> entry.figures().containsKey(figure))
                .toList();
        List<Double> values =
                with.stream().map(entry -> entry.figures().get(figure)).toList();
        return new Course(
                name,
                figure,
                with.stream().map(HistoryEntry::at).toList(),
                with.stream().map(HistoryEntry::label).toList(),
                values,
                IntStream.range(0, with.size())
                        .filter(index -> !with.get(index).isTrusted())
                        .boxed()
                        .toList(),
                changes(with, values, seed));
    }

    private static List<ChangePoint> changes(List<HistoryEntry> entries, List<Double> values, long seed) {
        int[] trusted = IntStream.range(0, entries.size())
                .filter(index -> entries.get(index).isTrusted())
                .toArray();
        if (trusted.length < ChangePoints.LEAST_VALUES) {
            return List.of();
        }
        double[] series = Arrays.stream(trusted).mapToDouble(values::get).toArray();
        List<ChangePoint> changes = new ArrayList<>();
        for (ChangePoint point : new ChangePoints(seed).in(series)) {
            changes.add(new ChangePoint(trusted[point.index()], point.pValue(), point.before(), point.after()));
        }
        return changes;
    }
}
