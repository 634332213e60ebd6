package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.results.RunResult;
import siemload.run.ExitCode;
import siemload.run.PlainLookups;
import siemload.run.selftest.CpuCost;
import siemload.run.selftest.EventCount;
import siemload.run.selftest.KnownTimes;
import siemload.run.selftest.SelftestFile;
import siemload.run.selftest.SelftestResult;
import siemload.run.selftest.SelftestResult.Check;

/** Proves on this machine that what is measured is what happens. */
@Command(
        name = "selftest",
        description = {
            "Proves on this machine that what is measured is what happens, in less than two minutes: known answer times and a"
                    + " stall, counted events, and the processor time of a search beside the plain driver's. Its figures go to"
                    + " selftest.json in the directory of the results."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all checks passed", "1:one did not"},
        footerHeading = "%nExamples:%n",
        footer = {"  ./siemload selftest", "  ./siemload selftest --results /var/tmp/siemload"})
final class SelftestCommand implements Callable<Integer> {
    private static final int THREADS = 8;
    private static final Duration PLAIN_WARMUP = Duration.ofSeconds(6);
    private static final Duration PLAIN_MEASURED = Duration.ofSeconds(6);

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        Instant when = Instant.now();
        Settings settings = host.settings();
        Path results = settings.value(Property.RESULTS).toAbsolutePath();
        Path cache = settings.value(Property.CACHE).toAbsolutePath();
        SelftestRuns runs = SelftestRuns.prepare(host, results.resolve("selftest"), cache);
        List<Check> checks = new ArrayList<>();
        checks.addAll(runs.run("known times", "known-times", List.of("--target", "scripted"), KnownTimes::of));
        checks.addAll(runs.run("counted events", "feed", List.of("--probes", "false"), EventCount::of));
        checks.addAll(runs.run("processor time", "lookups", List.of(), plainBeside(runs, cache)));
        SelftestResult result = SelftestResult.of(
                when, Runtime.version().toString(), Runtime.getRuntime().availableProcessors(), checks);
        Path file = results.resolve("selftest.json");
        SelftestFile.write(file, result);
        host.status("");
        host.line(table(result));
        host.line("results: " + file);
        return (result.passed() ? ExitCode.OK : ExitCode.MISSED).number();
    }

    private Function<RunResult, List<Check>> plainBeside(SelftestRuns runs, Path cache) {
        return run -> {
            Map<String, String> options = new LinkedHashMap<>();
            options.put(Property.SCENARIO.name(), runs.scenario("lookups").toString());
            options.put(Property.DATASET.name(), runs.dataset().toString());
            options.put(Property.CACHE.name(), cache.toString());
            ProcessHost.useOptions(options);
            PlainLookups.Cost plain = PlainLookups.measure(host, THREADS, PLAIN_WARMUP, PLAIN_MEASURED);
            return List.of(CpuCost.of(run, plain.cpuMicros()));
        };
    }

    private static String table(SelftestResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "check", "expected", "measured"));
        StringBuilder failures = new StringBuilder();
        for (Check check : result.checks()) {
            rows.add(List.of(check.passed() ? "ok" : "FAILED", check.name(), check.expected(), check.measured()));
            if (!check.passed()) {
                failures.append("FAILED: ")
                        .append(check.name())
                        .append(": ")
                        .append(check.why())
                        .append('\n');
            }
        }
        return Table.of(rows) + "\n\n" + failures + verdict(result);
    }

    private static String verdict(SelftestResult result) {
        int all = result.checks().size();
        long failed = result.checks().stream().filter(check -> !check.passed()).count();
        return failed == 0
                ? "all " + all + " checks passed: what is measured here is what happens"
                : failed + " of " + all + " checks failed: do not trust what is measured on this machine as it is now";
    }
}
