package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;

/** Makes a line of a history of a directory with results: of a gate, of an experiment, or of a run. Stateless. */
public final class HistoryEntryReader {

    private HistoryEntryReader() {}

    /**
     * The entry of a directory.
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
        for (Comparison.Series series : gate.paired().figures()) {
            boolean decides = gate.compared().verdicts().stream()
                    .anyMatch(verdict -> verdict.subject().equals(series.subject())
                            && verdict.metric().equals(series.metric()));
            if (decides && series.variant().equals(GateRules.CANDIDATE)) {
                figures.put(series.subject() + " " + series.metric(), series.median());
            }
        }
        String outcome = gate.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new HistoryEntry(gate.startedAt(), gate.name(), label, outcome, figures);
    }

    private static HistoryEntry ofExperiment(Path directory, Comparison comparison, String label) throws IOException {
        Map<String, Double> figures = new TreeMap<>();
        for (Comparison.Series series : comparison.figures()) {
            if (series.metric().equals(comparison.experiment().judged().metric().name())) {
                figures.put(series.subject() + " " + series.metric() + " [" + series.variant() + "]", series.median());
            }
        }
        return new HistoryEntry(
                startedAt(directory, comparison), comparison.experiment().name(), label, "", figures);
    }

    private static String startedAt(Path directory, Comparison comparison) throws IOException {
        if (comparison.runs().isEmpty()) {
            return "";
        }
        String path = comparison.runs().get(0).directory();
        Path first = ResultPath.below(
                directory, path, ResultFile.COMPARISON.in(directory).toString());
        return RunResultFile.read(RunFile.RUN.in(first)).identity().startedAt().toString();
    }

    private static HistoryEntry ofRun(Path directory, String label) throws IOException {
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        RunFigures measured = RunFiguresReader.read(directory);
        Map<String, Double> figures = new TreeMap<>();
        measured.figures()
                .forEach((subject, values) -> values.keySet().stream()
                        .map(Metric::new)
                        .filter(metric -> !metric.isOtherTime())
                        .forEach(metric -> measured.figure(subject, metric)
                                .ifPresent(value -> figures.put(subject + " " + metric.name(), value))));
        return new HistoryEntry(
                run.identity().startedAt().toString(),
                run.identity().scenario(),
                label,
                verdict(run.validity()),
                figures);
    }

    private static String verdict(Validity validity) {
        if (validity.verdict() == RunVerdict.NOT_VALID) {
            return "invalid";
        }
        if (validity.saturation().seen()) {
            return "saturated";
        }
        return validity.verdict() == RunVerdict.DISTURBED ? "disturbed" : "";
    }
}
