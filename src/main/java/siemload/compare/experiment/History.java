package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import siemload.compare.statistics.ChangePoints;
import siemload.compare.statistics.ChangePoints.ChangePoint;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.Validity;

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

    private static Course course(String name, String figure, List<HistoryEntry> own, long seed) {
        List<HistoryEntry> having = own.stream()
                .filter(entry -> entry.figures().containsKey(figure))
                .toList();
        List<Double> values = having.stream()
                .map(entry -> entry.figures().getOrDefault(figure, 0.0))
                .toList();
        Map<Boolean, List<Integer>> places = IntStream.range(0, having.size())
                .boxed()
                .collect(Collectors.partitioningBy(i -> having.get(i).isTrusted()));
        List<Integer> trusted = places.getOrDefault(true, List.of());
        List<ChangePoint> changes = trusted.size() < ChangePoints.LEAST_VALUES
                ? List.of()
                : new ChangePoints(seed)
                        .in(trusted.stream().mapToDouble(values::get).toArray()).stream()
                                .map(point -> new ChangePoint(
                                        trusted.get(point.index()), point.pValue(), point.before(), point.after()))
                                .toList();
        return new Course(
                name,
                figure,
                having.stream().map(HistoryEntry::at).toList(),
                having.stream().map(HistoryEntry::label).toList(),
                values,
                places.getOrDefault(false, List.of()),
                changes);
    }

    /**
     * One line of a history: what a gate, an experiment or a run measured at some time. Immutable.
     *
     * @param at when, as in RFC 3339
     * @param name of the gate's scenario, the experiment or the run's scenario: only equal names are compared
     * @param label what was measured, for people: a version or a revision; may be empty
     * @param outcome of a gate, as {@code passed} or {@code host too noisy}; {@code invalid} or {@code
     *     saturated} for a run that was; else empty
     * @param figures by subject and metric, {@code HAWAT1 p95}; that of an experiment's variant with its label behind, in
     *     brackets
     */
    public record HistoryEntry(String at, String name, String label, String outcome, Map<String, Double> figures) {

        private static final Set<String> NOT_TRUSTED = Set.of("invalid", "host too noisy");

        public HistoryEntry {
            label = Objects.requireNonNullElse(label, "");
            outcome = Objects.requireNonNullElse(outcome, "");
            figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        }

        /** Whether its figures say something about what was measured. */
        public boolean isTrusted() {
            return !NOT_TRUSTED.contains(outcome);
        }

        /**
         * The entry of a directory with results: of a gate, of an experiment, or of a run.
         *
         * @param label for people; the revision of the suite's own program where it is empty
         * @throws IOException if it holds no results, or broken ones
         */
        public static HistoryEntry read(Path directory, String label) throws IOException {
            if (ResultFile.GATE.isIn(directory)) {
                return ofGate(ResultFile.GATE.read(directory), label);
            }
            if (ResultFile.COMPARISON.isIn(directory)) {
                return ofExperiment(directory, ResultFile.COMPARISON.read(directory), label);
            }
            if (Files.exists(RunFile.RUN.in(directory))) {
                return ofRun(directory, label);
            }
            throw new IOException(directory + " holds no results of a gate, an experiment or a run");
        }

        /** The candidate's medians: what is to be released. */
        private static HistoryEntry ofGate(GateResult gate, String label) {
            Map<String, Double> figures = new TreeMap<>();
            gate.paired().figures().stream()
                    .filter(series -> series.variant().equals(GateRules.CANDIDATE))
                    .filter(series -> gate.verdicts().stream()
                            .anyMatch(verdict -> verdict.isOf(series.subject(), series.metric())))
                    .forEach(series -> figures.put(series.subject() + " " + series.metric(), series.median()));
            String outcome = gate.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return new HistoryEntry(gate.startedAt(), gate.name(), label, outcome, figures);
        }

        private static HistoryEntry ofExperiment(Path directory, Comparison comparison, String label)
                throws IOException {
            Map<String, Double> figures = new TreeMap<>();
            comparison.figures().stream()
                    .filter(series -> series.isOf(comparison.experiment().metric()))
                    .forEach(series -> figures.put(
                            series.subject() + " " + series.metric() + " [" + series.variant() + "]", series.median()));
            String at = "";
            if (!comparison.runs().isEmpty()) {
                Path first = ResultPath.below(
                        directory,
                        comparison.runs().get(0).directory(),
                        ResultFile.COMPARISON.in(directory).toString());
                RunResult run = RunResultFile.read(RunFile.RUN.in(first));
                at = run.identity().startedAt().toString();
            }
            return new HistoryEntry(at, comparison.experiment().name(), label, "", figures);
        }

        private static HistoryEntry ofRun(Path directory, String label) throws IOException {
            RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
            RunFigures measured = RunFigures.read(directory);
            Map<String, Double> figures = new TreeMap<>();
            measured.figures()
                    .forEach((subject, values) -> values.keySet().stream()
                            .map(Metric::new)
                            .filter(metric -> !metric.isOtherTime())
                            .forEach(metric -> measured.figure(subject, metric)
                                    .ifPresent(value -> figures.put(subject + " " + metric.name(), value))));
            Validity validity = run.validity();
            String outcome = switch (validity.verdict()) {
                case NOT_VALID -> "invalid";
                case DISTURBED -> validity.saturation().seen() ? "saturated" : "disturbed";
                case VALID -> validity.saturation().seen() ? "saturated" : "";
            };
            return new HistoryEntry(
                    run.identity().startedAt().toString(), run.identity().scenario(), label, outcome, figures);
        }
    }
}
