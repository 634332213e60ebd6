package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import siemload.compare.experiment.History;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.compare.experiment.Metric;
import siemload.compare.report.ComparisonReports;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.results.report.Table;
import siemload.run.ExitCode;

/** Shows what was measured night by night. */
@Command(
        name = "history",
        description = {
            "Plots what was measured night by night.",
            "Reads the directories of gates and runs, however old they are; of a gate its gate.json is enough."
        },
        mixinStandardHelpOptions = true,
        footer = {"  ./siemload history target/siemload/gates/*", "  ./siemload history nights/*"})
final class HistoryCommand implements Callable<Integer> {
    private final ProcessHost host = new ProcessHost();

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "directories with results of gates or runs")
    private List<Path> directories = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        List<HistoryEntry> entries = new ArrayList<>();
        for (Path directory : directories) {
            try {
                HistoryEntry entry = HistoryEntry.read(directory);
                if (entry.figures().isEmpty()) {
                    host.line(directory + ": has no figures that count");
                }
                entries.add(entry);
            } catch (IOException without) {
                // A night that was killed must not hide all others.
                host.line(Reason.of(without));
                if (directories.size() == 1) {
                    throw without;
                }
            }
        }
        History history = new History(entries);
        Table table = Table.titled("", "<figure", "<nights", "<first", "<latest");
        history.courses()
                .forEach((of, figures) -> figures.forEach((figure, nights) -> {
                    long doubtful =
                            nights.stream().filter(night -> !night.isTrusted()).count();
                    table.row(
                            of,
                            figure,
                            nights.size() + (doubtful == 0 ? "" : " (" + doubtful + " doubtful)"),
                            shown(figure, nights.get(0)),
                            shown(figure, nights.get(nights.size() - 1)));
                }));
        host.line(table.lines());
        Path page = Files.createDirectories(
                        host.settings().value(Property.RESULTS).toAbsolutePath())
                .resolve("history.html");
        Files.writeString(page, ComparisonReports.history(history));
        host.line("\nplot: " + page);
        return ExitCode.OK.number();
    }

    /** In the unit of its metric. */
    private static String shown(String figure, HistoryEntry night) {
        return Metric.ofFigure(figure).inWords().shown(night.figures().getOrDefault(figure, 0.0));
    }
}
