package siemload.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import siemload.measure.RunResult;
import siemload.measure.RunResultFile;
import siemload.run.ExitCode;
import siemload.selftest.SelftestResult.Check;
import siemload.target.TargetException;

/**
 * The runs of the self-test: each in a process of its own, as users start them, since Gatling runs once in a process and
 * processor time is that of a process. Used by one thread.
 */
final class SelftestRuns {
    private static final int PATIENCE_SECONDS = 120;
    private static final String DATASET = """
            # Few enough to be stored in a moment, many enough to look for.
            description: Events for the self-test
            events: 20_000
            start: 2016-06-06T00:00:00Z
            span: 7d
            seed: 1
            profile: '%s'
            """;

    private final ProcessHost host;
    private final Path directory;
    private final Path cache;
    private final List<Process> running = new ArrayList<>();

    private SelftestRuns(ProcessHost host, Path directory, Path cache) {
        this.host = host;
        this.directory = directory;
        this.cache = cache;
    }

    /** Makes a directory with the files of the runs. */
    static SelftestRuns prepare(ProcessHost host, Path directory, Path cache) throws IOException {
        SelftestRuns runs = new SelftestRuns(host, directory, cache);
        Files.createDirectories(directory);
        for (String scenario : List.of("known-times", "feed", "lookups")) {
            try (InputStream stream = Objects.requireNonNull(
                    SelftestRuns.class.getResourceAsStream("/siemload/selftest/" + scenario + ".yaml"), scenario)) {
                Files.copy(stream, runs.scenario(scenario), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        String profile = host.home()
                .toAbsolutePath()
                .resolve("datasets/profiles/cesnet.yaml")
                .toString();
        Files.writeString(runs.dataset(), DATASET.replace("%s", profile.replace("'", "''")));
        host.onShutdown(runs::stop);
        return runs;
    }

    Path scenario(String name) {
        return directory.resolve(name + ".yaml");
    }

    Path dataset() {
        return directory.resolve("selftest.yaml");
    }

    /** What the checks say of a run; one that failed is a failed check. */
    List<Check> run(String title, String scenario, List<String> options, Function<RunResult, List<Check>> checks)
            throws IOException, InterruptedException {
        host.status("self-test: " + title);
        Path log = directory.resolve(scenario + ".log");
        Path results = directory.resolve(scenario);
        int code = await(start(command(scenario, results, options), log));
        if (code != ExitCode.OK.number()) {
            return List.of(failed(title, lastLine(log) + " (see " + log + ")"));
        }
        try {
            return checks.apply(RunResultFile.read(results.resolve("latest/run.json")));
        } catch (TargetException broken) {
            return List.of(failed(title, String.valueOf(broken.getMessage())));
        }
    }

    private static Check failed(String title, String why) {
        return new Check(title, "a run", "none", false, why);
    }

    private List<String> command(String scenario, Path results, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "run"));
        command.addAll(List.of(
                "--scenario",
                scenario(scenario).toString(),
                "--dataset",
                dataset().toString()));
        command.addAll(List.of("--results", results.toString(), "--cache", cache.toString()));
        // A machine that is too busy is found by the checks; the answers are not checked where none is right.
        command.addAll(List.of("--failOn", "breakdown", "--checks", "0"));
        command.addAll(options);
        return command;
    }

    private synchronized Process start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        // What a job sets for its own runs is not meant for these.
        builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        Process process = builder.start();
        process.getOutputStream().close();
        running.add(process);
        return process;
    }

    private static int await(Process process) throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroy();
        }
        return process.waitFor();
    }

    private synchronized void stop() {
        running.forEach(Process::destroy);
    }

    private static String lastLine(Path log) {
        try {
            return Files.readString(log).strip().lines().reduce("it said nothing", (before, line) -> line);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
