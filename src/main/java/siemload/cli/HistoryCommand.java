package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.compare.experiment.History;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.compare.experiment.Metric;
import siemload.compare.report.ComparisonReports;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.results.report.Table;
import siemload.run.ExitCode;

/** Keeps what was measured night by night. */
@Command(
        name = "history",
        description = {
            "Keeps and plots what was measured night by night.",
            "Figures of gates and runs go into a file of JSON Lines."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(add | show)",
        footer = {
            "  ./siemload history add target/siemload/gates/gate-20261121-020000 --label 4.2.1",
            "  ./siemload history show --name hawat"
        })
final class HistoryCommand {
    private final ProcessHost host = new ProcessHost();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            scope = picocli.CommandLine.ScopeType.INHERIT,
            description = "the history; history.jsonl in the directory of the results unless given")
    private Optional<Path> file = Optional.empty();

    private Path file() {
        return file.orElseGet(
                () -> host.settings().value(Property.RESULTS).toAbsolutePath().resolve("history.jsonl"));
    }

    @Command(name = "add", description = "Adds the results of a gate or a run.", mixinStandardHelpOptions = true)
    int add(
            @Parameters(paramLabel = "DIR", arity = "1..*", description = "directories with results")
                    List<Path> results,
            @Option(
                            names = "--label",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "what was measured: a version")
                    String label)
            throws IOException {
        for (Path directory : results) {
            HistoryEntry entry = HistoryEntry.read(directory, label);
            if (entry.figures().isEmpty()) {
                host.line(directory + ": has no figures that count, not added");
            } else if (History.read(file()).holds(entry)) {
                host.line(directory + ": already in " + file());
            } else {
                History.add(file(), entry);
                host.line(directory + ": " + entry.name() + " of " + entry.at() + ", "
                        + entry.figures().size() + " figures, added to " + file());
            }
        }
        return ExitCode.OK.number();
    }

    @Command(name = "show", description = "Shows how figures went on, with a plot.", mixinStandardHelpOptions = true)
    int show(
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            defaultValue = "",
                            description = "of a scenario; all unless given")
                    String name)
            throws IOException {
        History history = History.read(file());
        if (history.entries().isEmpty()) {
            throw new ConfigException(
                    new Origin.WholeFile(file().toString()),
                    "holds no nights yet (add some with ./siemload history add)");
        }
        Map<String, Map<String, List<HistoryEntry>>> courses = history.courses();
        if (!name.isEmpty() && !courses.containsKey(name)) {
            throw new ConfigException(
                    new Origin.Option("name"),
                    "'" + name + "' is unknown ("
                            + Choices.names(courses.keySet()).help(name) + ")");
        }
        Table table = Table.titled("", "<figure", "<nights", "<first", "<latest");
        courses.forEach((of, figures) -> figures.forEach((figure, nights) -> {
            if (name.isEmpty() || of.equals(name)) {
                long doubtful =
                        nights.stream().filter(night -> !night.isTrusted()).count();
                table.row(
                        of,
                        figure,
                        nights.size() + (doubtful == 0 ? "" : " (" + doubtful + " doubtful)"),
                        shown(figure, nights.get(0)),
                        shown(figure, nights.get(nights.size() - 1)));
            }
        }));
        host.line(table.lines());
        Path page = file().resolveSibling("history.html");
        Files.writeString(page, ComparisonReports.history(history));
        host.line("\nplot: " + page);
        return ExitCode.OK.number();
    }

    /** In the unit of its metric. */
    private static String shown(String figure, HistoryEntry night) {
        return Metric.ofFigure(figure).inWords().shown(night.figures().getOrDefault(figure, 0.0));
    }
}
