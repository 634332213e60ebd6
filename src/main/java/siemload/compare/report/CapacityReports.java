package siemload.compare.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityResult.Trial;
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
        List<Line> lines = new ArrayList<>(List.of(new Line("", "  " + result.sentence())));
        if (!result.gaveOut().isEmpty()) {
            lines.add(new Line("", "    gave out first: " + String.join("; ", result.gaveOut())));
        } else {
            result.firstMissed()
                    .ifPresent(trial -> lines.add(new Line(
                            "",
                            "    nothing that was watched was used up; first missed: "
                                    + String.join("; ", trial.why()))));
        }
        Table runs = Table.titled(
                result.question().range().varied().unit(),
                "p50, ms",
                "p95, ms",
                "p99, ms",
                "answers/s",
                "<outcome");
        for (Trial trial : result.trials()) {
            runs.row(
                    VariedLoad.number(trial.load()),
                    Amounts.millis(trial.p50Micros()),
                    Amounts.millis(trial.p95Micros()),
                    Amounts.millis(trial.p99Micros()),
                    Amounts.significant(trial.searchesPerSecond()),
                    trial.words());
        }
        return new Report()
                .section("capacity", "")
                .add(
                        Level.SUMMARY,
                        new Prose("the largest load that meets "
                                + String.join(", ", result.question().objectives()) + ":"),
                        new Lines("", "", lines))
                .add(Level.TEXT, runs);
    }
}
