package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import siemload.config.Durations;
import siemload.config.Property;
import siemload.config.Secrets;
import siemload.config.Settings;
import siemload.database.TargetException;
import siemload.measure.monitor.QuietHost;
import siemload.results.RunFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * A run in a process of its own, as a part of something larger. Immutable.
 *
 * @param title for people
 * @param settings its own, by the names of properties
 * @param results where its directory goes; nothing else lies there
 */
public record SeparateRun(String title, Map<String, String> settings, Path results) {

    /** Java, the server, a copy of the data, and the results, about. */
    public static final double AROUND_A_RUN_SECONDS = 10;

    public SeparateRun {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /**
     * A run that has ended, perhaps as one that is not valid.
     *
     * @param directory of its results
     * @param seconds how long its process took
     */
    public record Ended(Path directory, double seconds) {}

    /**
     * Returns when it has ended. {@code run.log} has what it said, and {@code command.txt} how to make it again.
     *
     * @param environment the variables that it inherits
     * @param progress says how long it will take, by the seconds that it has taken so far
     * @throws TargetException if it broke down
     * @throws InterruptedException if somebody has ended it by a signal, or this thread was interrupted
     */
    public Ended make(
            RunHost host, RunProcesses processes, Map<String, String> environment, DoubleFunction<String> progress)
            throws IOException, InterruptedException {
        Files.createDirectories(results);
        Path log = results.resolve("run.log");
        Files.writeString(results.resolve("command.txt"), Secrets.masked(command()));
        long started = System.nanoTime();
        // What makes it one whose verdict others read.
        Map<String, String> all = ExperimentPlan.forRun(settings, host.settings());
        all.put(Property.RESULTS.name(), results.toString());
        all.put(Property.FAIL_ON.name(), "breakdown");
        Process process = processes.start(options(all), log, environment);
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            String said = RunProcesses.lastLine(log);
            host.status(title + ", " + progress.apply((System.nanoTime() - started) / 1e9)
                    + (said.startsWith(QuietHost.WAITING) ? "; " + said : ""));
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        int code = process.exitValue();
        if (RunProcesses.wasInterrupted(code)) {
            throw new InterruptedException(title + " was interrupted (see " + log + ")");
        }
        if (code != ExitCode.OK.number()) {
            throw new TargetException(title + " broke down with exit code " + code + ": " + RunProcesses.lastLine(log)
                    + " (see " + log + ")");
        }
        host.line(title + ": " + Durations.format(Duration.ofSeconds(Math.round(seconds))));
        return new Ended(newest(), seconds);
    }

    /** The commands that make this one run again, by the launcher and by Maven. */
    private String command() {
        StringBuilder maven = new StringBuilder("mvn gatling:test");
        settings.forEach(
                (name, value) -> maven.append(" -D").append(name).append('=').append(quoted(value)));
        return "./siemload run "
                + options(settings).stream().map(SeparateRun::quoted).collect(Collectors.joining(" ")) + "\n" + maven
                + "\n";
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9_./:=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static List<String> options(Map<String, String> settings) {
        List<String> options = new ArrayList<>();
        settings.forEach((name, value) -> options.addAll(
                Settings.isOfScenario(name) ? List.of("--set", name + "=" + value) : List.of("--" + name, value)));
        return options;
    }

    /** A run makes one directory, which {@code latest} names; the link is not followed where links are files. */
    private Path newest() throws IOException {
        try (var directories = Files.list(results)) {
            return directories
                    .filter(directory -> Files.isRegularFile(RunFile.RUN.in(directory)))
                    .filter(directory -> !Files.isSymbolicLink(directory))
                    .findFirst()
                    .orElseThrow(() -> new IOException("a run left no run.json in " + results));
        }
    }

    /** A time in the unit in which people would say it. */
    public static String roughly(double seconds) {
        if (seconds < 90) {
            return "about " + Math.round(seconds) + " s";
        }
        double minutes = seconds / 60;
        return minutes < 90
                ? "about " + Math.round(minutes) + " min"
                : "about " + Math.round(minutes / 6) / 10.0 + " h";
    }
}
