package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.Validity;

/** What gates and runs measured, in the order of time, whatever the order in which they are given. Immutable. */
public record History(List<HistoryEntry> entries) {
    public History {
        entries =
                entries.stream().sorted(Comparator.comparing(HistoryEntry::at)).toList();
    }

    /** Everything that was measured: the entries that have a figure, by their name and that of the figure, both sorted. */
    public Map<String, Map<String, List<HistoryEntry>>> courses() {
        Map<String, Map<String, List<HistoryEntry>>> courses = new TreeMap<>();
        entries.forEach(entry -> entry.figures()
                .keySet()
                .forEach(figure -> courses.computeIfAbsent(entry.name(), unused -> new TreeMap<>())
                        .computeIfAbsent(figure, unused -> new ArrayList<>())
                        .add(entry)));
        return courses;
    }

    /**
     * What a gate or a run measured at some time. Immutable.
     *
     * @param at when, as in RFC 3339
     * @param name of the scenario: only equal names are compared
     * @param label what was measured, for people: the name of its directory
     * @param outcome of a gate, as {@code passed} or {@code host too noisy}; {@code invalid} or {@code
     *     saturated} for a run that was; else empty
     * @param figures by subject and metric, {@code HAWAT1 p95}
     */
    public record HistoryEntry(String at, String name, String label, String outcome, Map<String, Double> figures) {

        public HistoryEntry {
            figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        }

        /**
         * The entry of a directory with results: of a gate, whose {@code gate.json} is enough, or of a run.
         *
         * @throws IOException if it holds no results, or broken ones
         */
        public static HistoryEntry read(Path directory) throws IOException {
            String label = String.valueOf(directory.toAbsolutePath().normalize().getFileName());
            if (ResultFile.GATE.isIn(directory)) {
                return ofGate(ResultFile.GATE.read(directory), label);
            }
            if (Files.exists(RunFile.RUN.in(directory))) {
                return ofRun(directory, label);
            }
            throw new IOException(directory + " holds no results of a gate or a run");
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

        private static HistoryEntry ofRun(Path directory, String label) throws IOException {
            RunResult run = RunResult.read(RunFile.RUN.in(directory));
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
