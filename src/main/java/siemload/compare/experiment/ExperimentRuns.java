package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Secrets;
import siemload.database.TargetException;
import siemload.results.RunFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Makes the runs of an experiment that are still missing, one after the other. Used by one thread. */
record ExperimentRuns(RunHost host, RunProcesses processes, Experiment experiment, Ledger ledger) {
    /**
     * Returns when all have ended. A run that is invalid counts, and its files say why; one that broke down ends the
     * experiment, which goes on from there when it is started again.
     *
     * @throws TargetException if a run broke down
     */
    void makeMissing() throws IOException, InterruptedException {
        int ended = ledger.entries().size();
        for (Schedule.Slot slot : ledger.missing()) {
            if (ended == experiment.runCells().size()) {
                checkMetric();
            }
            make(slot);
            ended++;
        }
        host.status("");
    }

    private void make(Schedule.Slot slot) throws IOException, InterruptedException {
        Path results = ledger.directoryOf(slot);
        Files.createDirectories(results);
        Path log = results.resolve("run.log");
        Files.writeString(results.resolve("command.txt"), Secrets.masked(command(slot)));
        long started = System.nanoTime();
        Process process = experiment.isOfNamed()
                ? processes.start(
                        options(slot, results),
                        log,
                        ExperimentPlan.connections(experiment, host)
                                .environment(slot.variant().label()))
                : processes.start(options(slot, results), log, RunProcesses.Environment.INHERITED);
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            host.status(progress(slot, System.nanoTime() - started));
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        int code = process.exitValue();
        if (code != ExitCode.OK.number()) {
            throw new TargetException(title(slot) + " broke down with exit code " + code + ": "
                    + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
        ledger.add(slot, newest(results), code, seconds);
        host.line(title(slot) + ": " + Durations.format(Duration.ofSeconds(Math.round(seconds))));
    }

    /** A metric that no run has is noticed once every variant has run, not after the last run. */
    private void checkMetric() throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (Ledger.Entry entry : ledger.entries()) {
            RunFigures figures = RunFiguresReader.read(ledger.directory().resolve(entry.directory()));
            metrics.addAll(figures.metrics());
        }
        String metric = experiment.judged().metric().name();
        if (!metrics.isEmpty() && !metrics.contains(metric)) {
            throw new ConfigException(
                    new Origin.WholeFile("experiment " + experiment.name()),
                    "no run has a figure '" + metric + "' ("
                            + Choices.names(metrics).help(metric) + ")");
        }
    }

    /** The commands that make this one run again, by the launcher and by Maven. */
    private String command(Schedule.Slot slot) {
        StringBuilder launcher = new StringBuilder("./siemload run");
        StringBuilder maven = new StringBuilder("mvn gatling:test");
        settings(slot).forEach((name, value) -> {
            String quoted = value.matches("[A-Za-z0-9_./:=-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
            launcher.append(" --").append(name).append(' ').append(quoted);
            maven.append(" -D").append(name).append('=').append(quoted);
        });
        return launcher + "\n" + maven + "\n";
    }

    private Map<String, String> settings(Schedule.Slot slot) {
        Map<String, String> settings = new LinkedHashMap<>(experiment.settings());
        settings.putAll(slot.variant().settings());
        return settings;
    }

    /** The experiment's own settings, the cell's, and what makes the run one of this experiment. */
    private List<String> options(Schedule.Slot slot, Path results) {
        Map<String, String> settings = settings(slot);
        settings.put(Property.RESULTS.name(), results.toString());
        settings.put(Property.FAIL_ON.name(), "breakdown");
        List<String> options = new ArrayList<>();
        settings.forEach((name, value) -> {
            options.add("--" + name);
            options.add(value);
        });
        return options;
    }

    private String title(Schedule.Slot slot) {
        return experiment.name() + ": run " + (slot.position() + 1) + " of " + experiment.runs() + ", "
                + slot.variant().label();
    }

    private String progress(Schedule.Slot slot, long nanos) {
        double seconds = nanos / 1e9;
        if (ledger.entries().isEmpty()) {
            return title(slot) + ", " + roughly(seconds) + " so far";
        }
        double left = ledger.missing().stream()
                .mapToDouble(missing ->
                        missing.equals(slot) ? Math.max(0, expectedSeconds(slot) - seconds) : expectedSeconds(missing))
                .sum();
        return title(slot) + ", " + roughly(left) + " left";
    }

    /** As the same variant took so far, or, before it has run, as all the others. */
    private double expectedSeconds(Schedule.Slot slot) {
        return ledger.entries().stream()
                .filter(entry -> entry.variant().equals(slot.variant().label()))
                .mapToDouble(Ledger.Entry::seconds)
                .average()
                .orElseGet(() -> ledger.entries().stream()
                        .mapToDouble(Ledger.Entry::seconds)
                        .average()
                        .orElseThrow());
    }

    /** A time in the unit in which people would say it. */
    static String roughly(double seconds) {
        if (seconds < 90) {
            return "about " + Math.round(seconds) + " s";
        }
        double minutes = seconds / 60;
        return minutes < 90
                ? "about " + Math.round(minutes) + " min"
                : "about " + Math.round(minutes / 6) / 10.0 + " h";
    }

    /** A run makes one directory, which {@code latest} names; the link is not followed where links are files. */
    private static Path newest(Path results) throws IOException {
        try (var directories = Files.list(results)) {
            return directories
                    .filter(directory -> Files.isRegularFile(RunFile.RUN.in(directory)))
                    .filter(directory -> !Files.isSymbolicLink(directory))
                    .findFirst()
                    .orElseThrow(() -> new IOException("a run left no run.json in " + results));
        }
    }
}
