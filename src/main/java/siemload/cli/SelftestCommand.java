package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.results.ResultValue;
import siemload.results.WholeFile;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.selftest.SelftestResult;
import siemload.run.selftest.SelftestResult.Check;
import siemload.run.selftest.SelftestRuns;

/** Proves on this machine that what is measured is what happens. */
@Command(
        name = "selftest",
        description = {
            "Proves on this machine that measurements are right.",
            "Takes about two minutes: known answer times and a stall, the hand-over of searches, counted events, and the"
                    + " time of a long search beside the server's own. Its figures go to selftest.json in the directory of"
                    + " the results."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:all checks passed", "1:one did not", "3:a run of it failed, so that one could not be made"},
        footer = {"  ./siemload selftest", "  ./siemload selftest --results /var/tmp/siemload"})
final class SelftestCommand implements Callable<Integer> {
    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        Instant when = Instant.now();
        Settings settings = host.settings();
        Path results = settings.value(Property.RESULTS).toAbsolutePath();
        Path cache = settings.value(Property.CACHE).toAbsolutePath();
        SelftestRuns runs = new SelftestRuns(host, results.resolve("selftest"), cache);
        SelftestResult result = SelftestResult.of(
                when, Runtime.version().toString(), Runtime.getRuntime().availableProcessors(), runs.checks());
        Path file = results.resolve("selftest.json");
        WholeFile.write(file, ResultValue.text(result));
        host.line(table(result));
        host.line("results: " + file);
        return exitCode(result).number();
    }

    private static ExitCode exitCode(SelftestResult result) {
        if (result.lacksRuns()) {
            return ExitCode.TARGET_FAILED;
        }
        return result.passed() ? ExitCode.OK : ExitCode.MISSED;
    }

    private static String table(SelftestResult result) {
        Table table = Table.titled("", "<check", "<expected", "<measured");
        StringBuilder failures = new StringBuilder();
        for (Check check : result.checks()) {
            table.row(check.passed() ? "ok" : "FAILED", check.name(), check.expected(), check.measured());
            failures.append(check.passed() ? "" : "FAILED: " + check.name() + ": " + check.why() + "\n");
        }
        return table.lines() + "\n\n" + failures + verdict(result);
    }

    private static String verdict(SelftestResult result) {
        int all = result.checks().size();
        long failed = result.checks().stream().filter(check -> !check.passed()).count();
        return failed == 0
                ? "all " + all + " checks passed: what is measured here is what happens"
                : failed + " of " + all + " checks failed: do not trust what is measured on this machine as it is now";
    }
}
