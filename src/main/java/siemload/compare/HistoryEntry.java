package siemload.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.RunFile;
import siemload.results.RunResult;

/**
 * What a gate or a run measured at some time. Immutable.
 *
 * @param at when, as in RFC 3339
 * @param name of the scenario: only equal names are compared
 * @param label what was measured, for people: the name of its directory
 * @param outcome of a gate, as {@code passed} or {@code host too noisy}; {@code invalid}, {@code disturbed} or {@code
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
        Map<String, Double> figures = new TreeMap<>();
        if (ResultFile.GATE.isIn(directory)) {
            GateResult gate = ResultFile.GATE.read(directory);
            // The candidate's medians: what is to be released.
            gate.paired().figures().stream()
                    .filter(series -> series.variant().equals(GateRules.CANDIDATE))
                    .filter(series -> gate.verdicts().stream()
                            .anyMatch(verdict -> verdict.isOf(series.subject(), series.metric())))
                    .forEach(series -> figures.put(series.subject() + " " + series.metric(), series.median()));
            return new HistoryEntry(
                    gate.startedAt(), gate.name(), label, gate.outcome().words(), figures);
        }
        if (!Files.exists(RunFile.RUN.in(directory))) {
            throw new IOException(directory + " holds no results of a gate or a run");
        }
        RunResult run = RunResult.read(RunFile.RUN.in(directory));
        RunFigures measured = RunFigures.read(directory);
        measured.figures()
                .forEach((subject, values) -> values.keySet().stream()
                        .map(Metric::new)
                        .filter(metric -> !metric.isOtherTime())
                        .forEach(metric -> measured.figure(subject, metric)
                                .ifPresent(value -> figures.put(subject + " " + metric.name(), value))));
        String verdict = run.validity().saturation().seen() ? "saturated" : "";
        String outcome = switch (run.validity().verdict()) {
            case NOT_VALID -> "invalid";
            case DISTURBED -> verdict.isEmpty() ? "disturbed" : verdict;
            case VALID -> verdict;
        };
        return new HistoryEntry(
                run.identity().startedAt().toString(), run.identity().scenario(), label, outcome, figures);
    }
}
