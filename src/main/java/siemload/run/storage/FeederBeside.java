package siemload.run.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.Durations;
import siemload.database.TargetException;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.results.TableReader;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** A run in a process of its own whose feeder inserts events into an embedded database until it is told to end. Used by one thread. */
record FeederBeside(Process process, Path log, Path results) {
    private static final String SCENARIO = "feed.yaml";
    /** Loading the data set for the first time takes minutes on a slow disk. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final Duration PATIENCE_AT_END = Duration.ofMinutes(3);

    /**
     * Starts it, and returns when events arrive.
     *
     * @param directory takes its files; results of an earlier one must not be there
     * @throws TargetException if it ends before, with what it said last
     */
    static FeederBeside start(RunHost host, StoragePlan plan, Path directory) throws IOException, InterruptedException {
        Path scenario = directory.resolve(SCENARIO);
        try (InputStream stream = Objects.requireNonNull(
                FeederBeside.class.getResourceAsStream("/siemload/run/storage/" + SCENARIO), SCENARIO)) {
            Files.copy(stream, scenario, StandardCopyOption.REPLACE_EXISTING);
        }
        Path log = directory.resolve("feeder.log");
        Path results = directory.resolve("feeder");
        List<String> options = List.of(
                "--scenario",
                scenario.toString(),
                "--eps",
                StoragePlan.rate(plan.eventsPerSecond()),
                "--duration",
                Durations.format(plan.patienceOfFeeder()),
                "--cache",
                plan.cache().toString(),
                "--results",
                results.toString(),
                "--probes",
                "false",
                "--checks",
                "0",
                "--failOn",
                "breakdown");
        Process process = new RunProcesses(host).start(options, log, RunProcesses.Environment.WITHOUT_SETTINGS);
        FeederBeside feeder = new FeederBeside(process, log, results);
        feeder.awaitEvents();
        return feeder;
    }

    private void awaitEvents() throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!eventsArrive()) {
            requireRunning();
            if (process.waitFor(200, TimeUnit.MILLISECONDS)) {
                continue;
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                process.destroy();
                throw new TargetException(
                        "the feeder had not begun after " + PATIENCE.toMinutes() + " minutes (see " + log + ")");
            }
        }
    }

    /** @throws TargetException if it has ended by itself, with what it said last */
    void requireRunning() {
        if (!process.isAlive()) {
            throw new TargetException("the feeder beside ended: " + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
    }

    /** In the measured phase, whose events alone are counted. */
    private boolean eventsArrive() throws IOException {
        boolean[] arrived = {false};
        for (Path run : runs()) {
            if (Files.exists(RunFile.TIMELINE.in(run))) {
                try {
                    new TableReader(run, RunFile.TIMELINE)
                            .read(row -> arrived[0] |= row.second() > 0 && row.number("eventsAcknowledged") > 0);
                } catch (IOException beingWritten) {
                    // its last row is not there yet, or not as a whole
                }
            }
        }
        return arrived[0];
    }

    private List<Path> runs() throws IOException {
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.filter(run -> !Files.isSymbolicLink(run) && Files.isDirectory(run))
                    .toList();
        }
    }

    /**
     * Tells it to end, and waits for its results.
     *
     * @return what its feeder did
     * @throws TargetException if it left none
     */
    FeederResult end() throws IOException, InterruptedException {
        process.destroy();
        RunProcesses.await(process, PATIENCE_AT_END);
        for (Path run : runs()) {
            if (Files.exists(RunFile.RUN.in(run))) {
                return RunResultFile.read(RunFile.RUN.in(run)).measured().feeder();
            }
        }
        throw new TargetException(
                "the feeder beside left no results: " + RunProcesses.lastLine(log) + " (see " + log + ")");
    }
}
