package siemload.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityResult.Capacity;
import siemload.compare.capacity.Finding;
import siemload.compare.capacity.Trial;
import siemload.compare.capacity.VariedLoad;
import siemload.results.report.Amounts;
import siemload.results.report.ChartPage;
import siemload.results.report.Report;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.report.Table;

/** The reports of a capacity for people, beside its {@code capacity.json}. Stateless and thread-safe. */
public final class CapacityReports {
    private static final String RESOURCES = "/siemload/compare/report/";

    private CapacityReports() {}

    /**
     * Writes {@code report.html} and {@code summary.md} into the directory that holds {@code capacity.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, CapacityResult result) throws IOException {
        String page = new ChartPage("siemload: capacity of " + result.question().scenario())
                .elements()
                .script(RESOURCES + "capacity.js")
                .data(result)
                .with(RESOURCES + "capacity.html");
        return List.of(
                Files.writeString(directory.resolve(ComparisonReports.PAGE), page),
                Files.writeString(directory.resolve(ComparisonReports.SUMMARY), markdown(result)));
    }

    /** What a terminal shows, line by line: the answer, and what gave out first. */
    public static List<String> text(CapacityResult result) {
        return report(result).text(Level.SUMMARY).lines().toList();
    }

    static String markdown(CapacityResult result) {
        return "## siemload capacity: " + Report.escaped(result.question().scenario()) + "\n\n"
                + report(result).markdown(Level.TEXT);
    }

    private static Report report(CapacityResult result) {
        Report report = new Report()
                .section("capacity", "")
                .add(
                        Level.SUMMARY,
                        new Prose("the largest load that meets "
                                + String.join(", ", result.question().objectives()) + ":"));
        if (result.question().hasFrontier()) {
            report.add(Level.SUMMARY, frontier(result));
        }
        for (Capacity capacity : result.capacities()) {
            List<Line> lines = new ArrayList<>(List.of(new Line("", "  " + capacity.sentence())));
            notes(capacity).forEach(note -> lines.add(new Line("", "    " + note)));
            report.add(Level.SUMMARY, new Lines("", "", lines)).add(Level.TEXT, runs(capacity));
        }
        return report;
    }

    /** What stands beside an answer: what gave out first. */
    private static List<String> notes(Capacity capacity) {
        List<String> notes = new ArrayList<>();
        if (!capacity.gaveOut().isEmpty()) {
            notes.add("gave out first: " + String.join("; ", capacity.gaveOut()));
        } else {
            Trial.firstMissed(capacity.trials())
                    .ifPresent(trial -> notes.add(
                            "nothing that was watched was used up; first missed: " + String.join("; ", trial.why())));
        }
        return notes;
    }

    /** The most of what grows at each value of the other load, in the order of these. */
    private static Table frontier(CapacityResult result) {
        Table table = Table.titled(
                result.question().varied().get(1).varied().unit(),
                result.question().first().varied().unit(),
                "<95 % interval",
                "runs",
                "not valid",
                "<gave out or was missed first");
        for (Capacity capacity : result.capacities()) {
            Finding finding = capacity.finding();
            String load = VariedLoad.number(finding.estimate());
            String found = switch (finding.kind()) {
                case FOUND -> load;
                case ROUGHLY -> "about " + load;
                case AT_LEAST, NOT_MEASURABLE -> "at least " + load;
                case LESS_THAN -> "none";
                case NOTHING_MET -> "not known";
            };
            boolean between = finding.kind() == Finding.Kind.FOUND || finding.kind() == Finding.Kind.ROUGHLY;
            table.row(
                    VariedLoad.number(capacity.beside().values().iterator().next()),
                    found,
                    between
                            ? VariedLoad.number(finding.low()) + " to "
                                    + capacity.varied().words(finding.high())
                            : "",
                    capacity.trials().size(),
                    capacity.trials().stream()
                            .filter(trial -> trial.outcome() == Trial.Outcome.INVALID)
                            .count(),
                    capacity.gaveOut().stream()
                            .findFirst()
                            .or(() -> Trial.firstMissed(capacity.trials())
                                    .flatMap(trial -> trial.why().stream().findFirst()))
                            .orElse(""));
        }
        return table;
    }

    private static Table runs(Capacity capacity) {
        Table table = Table.titled(capacity.varied().unit(), "p50, ms", "p95, ms", "p99, ms", "answers/s", "<outcome");
        for (Trial trial : capacity.trials()) {
            table.row(
                    VariedLoad.number(trial.load()),
                    Amounts.millis(trial.figures().p50Micros()),
                    Amounts.millis(trial.figures().p95Micros()),
                    Amounts.millis(trial.figures().p99Micros()),
                    Amounts.significant(trial.figures().searchesPerSecond()),
                    trial.words());
        }
        return table;
    }
}
