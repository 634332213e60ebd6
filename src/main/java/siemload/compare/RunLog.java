package siemload.compare;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Secrets;
import siemload.config.Settings;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;
import siemload.measure.monitor.QuietHost;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.Disturbance;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * Runs that belong together, each in a process of its own or as a slice in this one: one file of their directory says what is asked,
 * {@code runs.json} which runs have ended, and {@code runs/} has their results. Which run comes next is all that experiment, gate and capacity
 * differ in. A run counts once it is in that file, as long as its results are there; what a killed one left behind stays where it is.
 * Held by one process at a time. Not thread-safe.
 */
public abstract class RunLog implements AutoCloseable {
    /** Java, the server, a copy of the data, and the results, about. */
    public static final double AROUND_A_RUN_SECONDS = 10;

    private static final ResultFile<Log> LOG = new ResultFile<>("runs.json", Log.class);
    private static final String RUNS = "runs";
    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final String name;
    private final boolean begun;
    private final FileChannel lock;
    private final List<Entry> entries = new ArrayList<>();

    /** Begins in a new directory, or goes on in one that was begun, which must be the user's and no other process's. */
    protected <Q extends Record> RunLog(Path directory, ResultFile<Q> file, Q question, String name)
            throws IOException {
        this.directory = directory;
        this.name = name;
        this.begun = file.isIn(directory);
        if (!begun) {
            Files.createDirectories(directory.resolve(RUNS));
        }
        Ownership.ofThisUser().requireOwn(directory);
        this.lock = DirectoryTree.tryLock(directory)
                .orElseThrow(() -> new ConfigException(
                        new Origin.WholeFile(directory.toString()), "another process makes the runs in it"));
        try {
            entries.addAll(entries(directory));
            if (!begun || !file.read(directory).equals(question)) {
                file.write(directory, question);
            }
        } catch (IOException | RuntimeException broken) {
            lock.close();
            throw broken;
        }
    }

    /**
     * A run that has ended.
     *
     * @param position 1 for the first that ended
     * @param block which runs it is compared with; 0 for a capacity
     * @param variant its label; of a capacity, its load
     * @param directory of its results, below that of the log
     * @param seconds how long it took
     * @param otherSeconds how long the other one took, where it was made twice since other programs disturbed the first one; otherwise 0
     */
    public record Entry(
            int position, int block, String variant, String directory, double seconds, double otherSeconds) {}

    /** All that have ended. */
    private record Log(List<Entry> runs) {}

    /**
     * The runs of a directory that have ended and whose results are there, in their order.
     *
     * @throws IOException if the file of them is broken, or a run has its results elsewhere; the message names it
     */
    public static List<Entry> entries(Path directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Entry entry : LOG.isIn(directory) ? LOG.read(directory).runs() : List.<Entry>of()) {
            String log = LOG.in(directory).toString();
            if (Files.isRegularFile(RunFile.RUN.in(ResultValue.below(directory, entry.directory(), log)))) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** A run that is to be made: of how many, and what is special about it, for people; its settings; the variables that it inherits. */
    public record Next(
            int position,
            String most,
            int block,
            String variant,
            String label,
            Map<String, String> settings,
            Map<String, String> variables) {}

    /** A run that has ended, perhaps as one that is not valid. */
    private record Ended(Path directory, double seconds, Disturbance disturbance) {}

    /** Makes runs. */
    @FunctionalInterface
    interface Maker {
        /**
         * Returns when the run has ended, whose directory is then in that of the results, where nothing else lies.
         *
         * @throws InterruptedException if somebody has ended it by a signal, or this thread was interrupted
         * @throws TargetException if it broke down
         */
        void make(RunLog log, Next run, String title, Path results) throws IOException, InterruptedException;
    }

    /** Makes all runs that are missing; where they end early, the message says what to start again. Gives the directory. */
    protected final Path make(RunHost host, String again) throws IOException, InterruptedException {
        if (begun) {
            host.line(name + ": goes on after " + entries.size() + " runs (--fresh starts anew)");
        }
        String more = "; start " + again + " again to go on from there";
        try {
            makeMissing(host, ofProcesses(host));
            return directory;
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + more, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + more);
        }
    }

    /** The run after those that have ended; nothing where no more are needed. */
    protected abstract Optional<Next> next(RunHost host) throws IOException;

    /** How long it still takes, by the seconds that the run in progress has taken so far, for people. */
    protected abstract String left(double seconds);

    /** How many more runs may be made twice. */
    protected int spare() {
        return 0;
    }

    /**
     * Makes the runs that are missing, one after the other; returns when all have ended. A run that other programs disturbed is made
     * again once, as long as there are any to spare, and the less disturbed of both counts. A run that is invalid counts, and its files
     * say why; one that broke down ends all, which goes on from there when it is started again.
     */
    final void makeMissing(RunHost host, Maker maker) throws IOException, InterruptedException {
        for (Optional<Next> next = next(host); next.isPresent(); next = next(host)) {
            Next run = next.get();
            String title = name + ": run " + run.position + " of " + run.most + ", " + run.label;
            host.status(title + ", " + left(0));
            Path place = place(run.position, run.label);
            Ended kept = made(host, maker, run, title, place);
            double otherSeconds = 0;
            if (kept.disturbance.seen() && spare() > 0) {
                host.line(title + ": " + kept.disturbance.sentence() + "; it is made again");
                Path second = place.resolveSibling(place.getFileName() + "-again");
                Ended again = made(host, maker, run, title + ", again", second);
                double off = kept.disturbance.percentilesOffPercent();
                boolean better = again.disturbance.percentilesOffPercent() <= off;
                otherSeconds = (better ? kept : again).seconds;
                kept = better ? again : kept;
            }
            add(run.block, run.variant, kept.directory, kept.seconds, otherSeconds);
        }
        host.status("");
    }

    /** {@code command.txt} says how to make it again. */
    private Ended made(RunHost host, Maker maker, Next run, String title, Path results)
            throws IOException, InterruptedException {
        Files.createDirectories(results);
        StringBuilder command = new StringBuilder("./siemload run");
        for (String text : options(run.settings)) {
            boolean plain = text.matches("[A-Za-z0-9_./:=-]+");
            command.append(' ').append(plain ? text : "'" + text.replace("'", "'\\''") + "'");
        }
        Files.writeString(results.resolve("command.txt"), Secrets.masked(command + "\n"));
        long started = System.nanoTime();
        maker.make(this, run, title, results);
        double seconds = (System.nanoTime() - started) / 1e9;
        host.line(title + ": " + Durations.format(Duration.ofSeconds(Math.round(seconds))));
        Path made = newest(results);
        return new Ended(
                made, seconds, RunResult.read(RunFile.RUN.in(made)).validity().disturbance());
    }

    /** Makes each run in a process of its own, as one whose verdict others read. */
    static Maker ofProcesses(RunHost host) {
        RunProcesses processes = new RunProcesses(host);
        return (runs, run, title, results) -> {
            Path log = results.resolve("run.log");
            long started = System.nanoTime();
            Map<String, String> all = ExperimentPlan.forRun(run.settings, host.settings());
            all.put(Property.RESULTS.name(), results.toString());
            all.put(Property.FAIL_ON.name(), "breakdown");
            Process process = processes.start(options(all), log, run.variables);
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                String said = RunProcesses.lastLine(log);
                host.status(title + ", " + runs.left((System.nanoTime() - started) / 1e9)
                        + (said.startsWith(QuietHost.WAITING) ? "; " + said : ""));
            }
            int code = process.exitValue();
            if (RunProcesses.wasInterrupted(code)) {
                throw new InterruptedException(title + " was interrupted (see " + log + ")");
            }
            if (code != ExitCode.OK.number()) {
                throw new TargetException(title + " broke down with exit code " + code + ": "
                        + RunProcesses.lastLine(log) + " (see " + log + ")");
            }
        };
    }

    private static List<String> options(Map<String, String> settings) {
        List<String> options = new ArrayList<>();
        settings.forEach((name, value) -> options.addAll(
                Settings.isOfScenario(name) ? List.of("--set", name + "=" + value) : List.of("--" + name, value)));
        return options;
    }

    /** A run makes one directory, which {@code latest} names; the link is not followed where links are files. */
    static Path newest(Path results) throws IOException {
        try (var directories = Files.list(results)) {
            return directories
                    .filter(one -> Files.isRegularFile(RunFile.RUN.in(one)) && !Files.isSymbolicLink(one))
                    .findFirst()
                    .orElseThrow(() -> new IOException("a run left no run.json in " + results));
        }
    }

    /** A time in words, in seconds, or from 90 of them on in minutes; where it is no number, that of procedures. */
    static String roughly(double seconds) {
        long unit = seconds < 90 ? 1 : 60;
        return Double.isNaN(seconds)
                ? "which take as long as the steps of their procedures"
                : "about " + Durations.format(Duration.ofSeconds(Math.round(seconds / unit) * unit));
    }

    final Path directory() {
        return directory;
    }

    /** The runs that have ended, in their order. */
    public final List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Notes that a run has ended. */
    final void add(int block, String variant, Path results, double seconds, double otherSeconds) throws IOException {
        String below = directory.relativize(results).toString();
        int position = entries.stream().mapToInt(Entry::position).max().orElse(0) + 1;
        entries.add(new Entry(position, block, variant, below, seconds, otherSeconds));
        LOG.write(directory, new Log(entries));
    }

    /** Where a run's results are to go; does not exist yet. */
    final Path place(int position, String label) {
        String name = String.format(Locale.ROOT, "%03d-%s", position, label.replaceAll("[^A-Za-z0-9.]+", "-"));
        Path place = directory.resolve(RUNS).resolve(name.substring(0, Math.min(name.length(), LONGEST_NAME)));
        Path free = place;
        for (int again = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); again++) {
            free = place.resolveSibling(place.getFileName() + "-" + again);
        }
        return free;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
