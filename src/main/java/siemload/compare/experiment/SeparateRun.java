package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
     * How far it is.
     *
     * @param seconds since its start
     * @param waitedSeconds how long of that it has waited for a quiet machine
     */
    public record Going(double seconds, double waitedSeconds, boolean waits) {
        private Going after(double now, String said) {
            boolean waitsNow = said.startsWith(QuietHost.WAITING);
            return new Going(now, waitedSeconds + (waitsNow ? now - seconds : 0), waitsNow);
        }

        private String waiting() {
            return waits
                    ? String.format(
                            Locale.ROOT,
                            "; %s: %.0f s of at most %d",
                            QuietHost.WAITING,
                            waitedSeconds,
                            QuietHost.PATIENCE_SECONDS)
                    : "";
        }

        /** How long it will still take, where it takes so long on a quiet machine. */
        public double leftOf(double expectedSeconds) {
            double waitedLonger = Math.max(0, waitedSeconds - QuietHost.QUIET_SECONDS);
            return Math.max(0, expectedSeconds + waitedLonger - seconds);
        }
    }

    /**
     * Returns when it has ended. {@code run.log} has what it said, and {@code command.txt} how to make it again.
     *
     * @param environment the variables that it inherits
     * @param progress says how long it will take
     * @throws TargetException if it broke down
     * @throws InterruptedException if somebody has ended it by a signal, or this thread was interrupted
     */
    public Ended make(
            RunHost host, RunProcesses processes, Map<String, String> environment, Function<Going, String> progress)
            throws IOException, InterruptedException {
        Files.createDirectories(results);
        Path log = results.resolve("run.log");
        Files.writeString(results.resolve("command.txt"), Secrets.masked(command()));
        long started = System.nanoTime();
        Process process = processes.start(options(host.settings()), log, environment);
        Going going = new Going(0, 0, false);
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
            going = going.after((System.nanoTime() - started) / 1e9, RunProcesses.lastLine(log));
            host.status(title + ", " + progress.apply(going) + going.waiting());
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
        StringBuilder launcher = new StringBuilder("./siemload run");
        StringBuilder maven = new StringBuilder("mvn gatling:test");
        settings.forEach((name, value) -> {
            String quoted = value.matches("[A-Za-z0-9_./:=-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
            launcher.append(Settings.isOfScenario(name) ? " --set " + name + "=" : " --" + name + " ")
                    .append(quoted);
            maven.append(" -D").append(name).append('=').append(quoted);
        });
        return launcher + "\n" + maven + "\n";
    }

    /** Its own settings, and what makes it one whose verdict others read. */
    private List<String> options(Settings given) {
        Map<String, String> all = new LinkedHashMap<>(ExperimentPlan.forRun(settings, given));
        all.put(Property.RESULTS.name(), results.toString());
        all.put(Property.FAIL_ON.name(), "breakdown");
        List<String> options = new ArrayList<>();
        all.forEach((name, value) -> {
            if (Settings.isOfScenario(name)) {
                options.addAll(List.of("--set", name + "=" + value));
            } else {
                options.addAll(List.of("--" + name, value));
            }
        });
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
