package siemload.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import siemload.results.report.RunReports;
import siemload.run.ExitCode;

/** Makes the reports of a run again. */
@Command(
        name = "report",
        description = "Makes the reports of a run again from its files.",
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload report target/siemload",
            "  ./siemload report target/siemload/hawat-postgresql-20261121-101500"
        })
final class ReportCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "DIR",
            description = "the directory of a run, or a results directory, whose newest run is meant")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        ProcessHost host = new ProcessHost();
        host.protectResults();
        try {
            host.results(RunReports.write(directory));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(String.valueOf(unreadable.getMessage()), unreadable);
        }
        return ExitCode.OK.number();
    }
}
