package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.measure.environment.EnvironmentFile;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.report.RunReports;
import siemload.results.report.TextReport;

/** Writes what a run found out. Stateless. */
final class ResultFiles {
    private ResultFiles() {}

    /**
     * Writes run.json, environment.json and the reports, and prints report.txt.
     *
     * @param ending how what was measured ended
     * @param serverGone whether the server broke down
     * @return how the process should end; where run.json could not be written, the user was told why not
     */
    static ExitCode write(RunSetup setup, RunResult result, LoadOutcome.Ending ending, boolean serverGone) {
        if (!write(setup, result)) {
            return ExitCode.INVALID_INPUT;
        }
        if (ending == LoadOutcome.Ending.INTERRUPTED) {
            return ExitCode.INTERRUPTED;
        }
        if (serverGone) {
            return ExitCode.TARGET_FAILED;
        }
        if (ending == LoadOutcome.Ending.ABORTED) {
            return ExitCode.INCONCLUSIVE;
        }
        if (setup.plan().settings().value(Property.FAIL_ON).equals("breakdown")) {
            return ExitCode.OK;
        }
        return switch (result.validity().verdict()) {
            case NOT_VALID -> ExitCode.INCONCLUSIVE;
            case VALID, DISTURBED -> ofObjectives(result);
        };
    }

    private static ExitCode ofObjectives(RunResult result) {
        boolean met = result.objectives().stream().allMatch(RunResult.ObjectiveResult::met);
        return met && !result.validity().saturation().seen() ? ExitCode.OK : ExitCode.MISSED;
    }

    private static boolean write(RunSetup setup, RunResult result) {
        RunHost host = setup.host();
        Path directory = setup.directory().path();
        String text = TextReport.of(result, directory);
        Path json = RunFile.RUN.in(directory);
        try {
            RunResultFile.write(json, result);
            EnvironmentFile.write(RunFile.ENVIRONMENT.in(directory), setup.environment());
            setup.directory().markLatest();
        } catch (IOException unwritten) {
            host.line(text);
            host.failure("the results could not be written to " + directory + ": " + Reason.of(unwritten), unwritten);
            return false;
        }
        host.line("");
        host.line(text + "results: " + json);
        writeReports(host, directory);
        return true;
    }

    /** What was measured is safe by now: a report can be made again, and must not change how the run ends. */
    private static void writeReports(RunHost host, Path directory) {
        try {
            RunReports.Written written = RunReports.write(directory);
            written.files().forEach(file -> host.line("         " + file));
            written.leftOut().forEach(reason -> host.line("warning: left out of report.html: " + reason));
        } catch (IOException | RuntimeException unwritten) {
            host.line("warning: the reports could not be written: " + unwritten.getMessage() + " (./siemload report "
                    + directory + " tries again)");
        }
    }
}
