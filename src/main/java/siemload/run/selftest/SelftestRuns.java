package siemload.run.selftest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import siemload.config.Durations;
import siemload.database.TargetException;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.selftest.SelftestResult.Check;

/**
 * The runs of the self-test. Used by one thread.
 *
 * @param directory takes what the runs leave
 * @param cache of the runs, as their setting has it
 */
public record SelftestRuns(RunHost host, Path directory, Path cache, RunProcesses processes) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String DATASET = """
            # Few enough to be stored in a moment, many enough to look for and to sum up.
            description: Events for the self-test
            events: 50_000
            start: 2016-06-06T00:00:00Z
            span: 7d
            seed: 1
            profile: '%s'
            """;

    /** Makes a directory with the files of the runs. */
    public static SelftestRuns prepare(RunHost host, Path directory, Path cache) throws IOException {
        SelftestRuns runs = new SelftestRuns(host, directory, cache, new RunProcesses(host));
        Files.createDirectories(directory);
        for (String scenario : List.of("known-times", "hand-over", "feed", "stopwatch")) {
            try (InputStream stream = Objects.requireNonNull(
                    SelftestRuns.class.getResourceAsStream("/siemload/run/selftest/" + scenario + ".yaml"), scenario)) {
                Files.copy(stream, runs.scenario(scenario), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        String profile = host.home()
                .toAbsolutePath()
                .resolve("datasets/profiles/cesnet.yaml")
                .toString();
        Files.writeString(runs.dataset(), DATASET.replace("%s", profile.replace("'", "''")));
        return runs;
    }

    /** Makes all of them, and says what was found. */
    public List<Check> checks() throws IOException, InterruptedException {
        List<Check> checks = new ArrayList<>();
        checks.addAll(run("known times", "known-times", List.of("--target", "scripted"), KnownTimes::of));
        checks.addAll(run("hand-over", "hand-over", List.of("--target", "scripted"), HandOver::of));
        checks.addAll(run("counted events", "feed", List.of("--probes", "false"), EventCount::of));
        checks.addAll(run("the server's own time", "stopwatch", List.of("--probes", "false"), ServerTime::of));
        host.status("");
        return checks;
    }

    private Path scenario(String name) {
        return directory.resolve(name + ".yaml");
    }

    private Path dataset() {
        return directory.resolve("selftest.yaml");
    }

    /** What the checks say of a run; one that failed is a failed check. */
    private List<Check> run(
            String title, String scenario, List<String> options, Function<RunResult, List<Check>> checks)
            throws IOException, InterruptedException {
        host.status("self-test: " + title);
        Path log = directory.resolve(scenario + ".log");
        Path results = directory.resolve(scenario);
        Process run =
                processes.start(options(scenario, results, options), log, RunProcesses.Environment.WITHOUT_SETTINGS);
        try {
            return checks.apply(ended(run, PATIENCE, log, results));
        } catch (TargetException failed) {
            return List.of(failed(title, String.valueOf(failed.getMessage())));
        }
    }

    /**
     * What a run measured, once it has ended.
     *
     * @throws TargetException if it failed, with what it said last
     */
    static RunResult ended(Process run, Duration patience, Path log, Path results)
            throws IOException, InterruptedException {
        boolean isLate = !run.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
        int code = RunProcesses.await(run, Duration.ZERO);
        if (isLate) {
            throw new TargetException("it had not ended after " + Durations.format(patience) + " (see " + log + ")");
        }
        if (RunProcesses.wasInterrupted(code)) {
            throw new InterruptedException("a run of the self-test was interrupted (see " + log + ")");
        }
        if (code != ExitCode.OK.number()) {
            throw new TargetException(RunProcesses.lastLine(log) + " (see " + log + ")");
        }
        return RunResultFile.read(results.resolve("latest/run.json"));
    }

    static Check failed(String title, String why) {
        return new Check(title, "a run", SelftestResult.NO_RUN, false, why);
    }

    private List<String> options(String scenario, Path results, List<String> more) {
        List<String> options = new ArrayList<>(List.of(
                "--scenario",
                scenario(scenario).toString(),
                "--dataset",
                dataset().toString(),
                "--cache",
                cache.toString(),
                "--results",
                results.toString()));
        // A machine that is too busy is found by the checks; the answers are not checked where none is right.
        options.addAll(List.of("--failOn", "breakdown", "--checks", "0"));
        options.addAll(more);
        return options;
    }
}
