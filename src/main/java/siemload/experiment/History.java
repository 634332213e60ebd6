package siemload.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
     * Reads a file; one that does not exist is empty.
     *
     * @throws IOException if a line is no night; the message names it
     */
    public static History read(Path file) throws IOException {
        List<Night> nights = new ArrayList<>();
        if (!Files.exists(file)) {
            return new History(nights);
        }
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            try {
                nights.add(ResultJson.readLine(line, Night.class));
            } catch (JsonProcessingException broken) {
                throw new IOException(file + ":" + number + ": not a line of a history", broken);
            }
        }
        return new History(nights);
    }

    /** Adds a line to a file; returns when it is on disk. */
    public static void add(Path file, Night night) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        String written = Files.exists(file) ? Files.readString(file) : "";
        String separator = written.isEmpty() || written.endsWith("\n") ? "" : "\n";
        ResultJson.append(file, separator + ResultJson.line(night));
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
     * @param changes where the values became others: advice, not a verdict; empty below ten values
     */
    public record Course(
            String name,
            String figure,
            List<String> at,
            List<String> labels,
            List<Double> values,
            List<Change> changes) {
        public Course {
            at = List.copyOf(at);
            labels = List.copyOf(labels);
            values = List.copyOf(values);
            changes = List.copyOf(changes);
        }
    }

    /**
     * A place where values became others.
     *
     * @param index of the first of the new ones
     * @param ratio of the medians, those after it over those before it, up to the neighbouring changes
     */
    public record Change(int index, double ratio, double pValue) {}

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
                changes(values, seed));
    }

    private static List<Change> changes(List<Double> values, long seed) {
        if (values.size() < ChangePoints.LEAST_VALUES) {
            return List.of();
        }
        double[] series = values.stream().mapToDouble(Double::doubleValue).toArray();
        List<Change> changes = new ArrayList<>();
        for (ChangePoint point : new ChangePoints(seed).in(series)) {
            changes.add(new Change(point.index(), point.after() / point.before(), point.pValue()));
        }
        return changes;
    }
}
