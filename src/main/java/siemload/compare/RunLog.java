package siemload.compare;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
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
import siemload.run.RunDirectory;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * Runs that belong together, each in its own process or as a slice in this process. In their directory, one file holds the question, {@code
 * runs.json} lists the runs that have ended, and {@code runs/} has their results. Subclasses for experiments, gates and capacity searches
 * decide which run comes next. A run counts once {@code runs.json} lists it, as long as its results exist; results of a killed run are
 * kept. Used by one process at a time. Not thread-safe.
 */
public abstract class RunLog implements AutoCloseable {
    /** The approximate seconds that each run takes to start Java and the server, copy the data, and write the results. */
    public static final double AROUND_A_RUN_SECONDS = 10;

    private static final ResultFile<Log> LOG = new ResultFile<>("runs.json", Log.class);
    private static final String RUNS = "runs";
    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final String name;
    private final boolean begun;
    private final FileChannel lock;
    private final List<Entry> entries = new ArrayList<>();

    /** Begins in a new directory, or continues in an existing directory, which must belong to the user and must not be in use. */
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
                        new Origin.WholeFile(directory.toString()), "is in use by another process"));
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
     * A run of this log that has ended.
     *
     * @param position 1 for the first run that ended
     * @param block the number of the block, whose runs are compared with each other; 0 for a capacity search
     * @param variant the label of the variant; for a capacity search, the load
     * @param directory the directory of the run's results, relative to the directory of the log
     * @param seconds the duration of the run
     * @param otherSeconds if a disturbed run was repeated, the duration of the run of the two that does not count; otherwise 0
     */
    public record Entry(
            int position, int block, String variant, String directory, double seconds, double otherSeconds) {}

    /** The content of {@code runs.json}: all runs that have ended. */
    private record Log(List<Entry> runs) {}

    /**
     * Returns the runs of a directory that have ended and still have their results, in the order in which they ended.
     *
     * @throws IOException if {@code runs.json} is broken, or names results outside of the directory; the message names the file
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

    /** The next run to make: the total number of runs, and the run's label for people, its settings and its environment variables. */
    public record Next(
            String most,
            int block,
            String variant,
            String label,
            Map<String, String> settings,
            Map<String, String> variables) {}

    /** A run that has ended, valid or not. */
    private record Ended(Path directory, double seconds, Disturbance disturbance) {}

    /** Performs runs. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes a run, and returns when it has ended; its directory is then the only one in the directory of results.
         *
         * @throws InterruptedException if the run was ended by a signal, or this thread was interrupted
         * @throws TargetException if the run broke down
         */
        void make(Next run, String title, Path results) throws IOException, InterruptedException;
    }

    /** Makes all missing runs, and returns the directory. If an exception ends the work early, its message says how to continue. */
    protected final Path make(RunHost host) throws IOException, InterruptedException {
        if (begun) {
            host.line(name + ": continues after " + entries.size() + " runs (--fresh starts anew)");
        }
        String more = "; start the same command again to continue";
        try {
            makeMissing(host, ofProcesses(host));
            return directory;
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + more, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + more);
        }
    }

    /** Returns the run to make next; empty if no more runs are needed. */
    protected abstract Optional<Next> next(RunHost host) throws IOException;

    /** Returns the remaining time in words, given the seconds that the run in progress has taken so far. */
    protected abstract String left(double seconds);

    /** Returns how many runs may still be repeated. */
    protected int spare() {
        return 0;
    }

    /**
     * Makes the missing runs one after the other; returns when all runs have ended. A disturbed run is repeated once, as long as
     * repetitions are left, and the less disturbed of the two runs counts. An invalid run is not repeated here; its files say why it is
     * invalid. A run that breaks down ends the work, and the next start makes that run again.
     */
    final void makeMissing(RunHost host, Maker maker) throws IOException, InterruptedException {
        for (Optional<Next> next = next(host); next.isPresent(); next = next(host)) {
            Next run = next.get();
            int position = position();
            String title = name + ": run " + position + " of " + run.most + ", " + run.label;
            host.status(title + ", " + left(0));
            Path place = place(position, run.label);
            Ended kept = made(host, maker, run, title, place);
            double otherSeconds = 0;
            if (kept.disturbance.seen() && spare() > 0) {
                host.line(title + ": " + kept.disturbance.sentence() + "; the run is repeated");
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

    private static Ended made(RunHost host, Maker maker, Next run, String title, Path results)
            throws IOException, InterruptedException {
        Files.createDirectories(results);
        long started = System.nanoTime();
        maker.make(run, title, results);
        double seconds = (System.nanoTime() - started) / 1e9;
        host.line(title + ": " + Durations.format(Duration.ofSeconds(Math.round(seconds))));
        Path made = newest(results);
        return new Ended(
                made, seconds, RunResult.read(RunFile.RUN.in(made)).validity().disturbance());
    }

    /** Makes each run in its own process, which fails only if the run breaks down; verdicts are read from its files. */
    final Maker ofProcesses(RunHost host) {
        RunProcesses processes = new RunProcesses(host);
        return (run, title, results) -> {
            Path log = results.resolve("run.log");
            long started = System.nanoTime();
            Map<String, String> all = ExperimentPlan.forRun(run.settings, host.settings());
            all.put(Property.RESULTS.name(), results.toString());
            all.put(Property.FAIL_ON.name(), "breakdown");
            List<String> options = new ArrayList<>();
            all.forEach((name, value) -> options.addAll(
                    Settings.isOfScenario(name) ? List.of("--set", name + "=" + value) : List.of("--" + name, value)));
            Process process = processes.start(options, log, run.variables);
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                String said = RunProcesses.lastLine(log);
                host.status(title + ", " + left((System.nanoTime() - started) / 1e9)
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

    /** Returns the one directory that a run made; the link {@code latest} to this directory is ignored. */
    static Path newest(Path results) throws IOException {
        try (var directories = Files.list(results)) {
            return directories
                    .filter(one -> Files.isRegularFile(RunFile.RUN.in(one)) && !Files.isSymbolicLink(one))
                    .findFirst()
                    .orElseThrow(() -> new IOException("a run left no run.json in " + results));
        }
    }

    /** Returns a time in words: seconds, or minutes from 90 seconds on; NaN, the unknown time of procedures, has words of its own. */
    static String roughly(double seconds) {
        long unit = seconds < 90 ? 1 : 60;
        return Double.isNaN(seconds)
                ? "which take as long as the steps of their procedures"
                : "about " + Durations.format(Duration.ofSeconds(Math.round(seconds / unit) * unit));
    }

    final Path directory() {
        return directory;
    }

    /** Returns the runs that have ended, in the order in which they ended. */
    public final List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Returns the next run's position: one more than the largest so far, even if the results of earlier runs are gone. */
    private int position() {
        return entries.stream().mapToInt(Entry::position).max().orElse(0) + 1;
    }

    /** Notes that a run has ended. */
    final void add(int block, String variant, Path results, double seconds, double otherSeconds) throws IOException {
        String below = directory.relativize(results).toString();
        entries.add(new Entry(position(), block, variant, below, seconds, otherSeconds));
        LOG.write(directory, new Log(entries));
    }

    /** Returns a directory for a run's results; the directory does not exist yet. */
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

    /**
     * The runs of one experiment: their order, and which of them have ended. {@code experiment.json} holds the experiment. Not thread-safe.
     *
     * <p>The order is interleaved, so that disturbances of the host affect all variants, and balanced, so that a drift does not favour the
     * first variants. Each block runs every cell once, in an order drawn by seed; every second block reverses the order of the block before
     * it (A B, B A). More repeats only add blocks at the end.
     */
    public static final class Ledger extends RunLog {
        /** The experiment that a directory holds. */
        public static final ResultFile<Experiment> FILE = new ResultFile<>("experiment.json", Experiment.class);

        private final Experiment experiment;

        /** Begins an experiment in a new directory, or continues the same experiment in its directory, perhaps with more repeats. */
        public Ledger(Path directory, Experiment experiment) throws IOException {
            super(directory, FILE, experiment, experiment.name());
            this.experiment = experiment;
        }

        /** A planned run; the first run and the first block have number 0. Runs of one block are compared with each other. */
        record Slot(int position, int block, ComparedVariant variant) {}

        /** Returns all runs of an experiment in the order in which they are to be made. */
        static List<Slot> slots(Experiment experiment) {
            return slots(experiment.runCells(), experiment.repeats(), experiment.seed());
        }

        static List<Slot> slots(List<ComparedVariant> cells, int blocks, long seed) {
            List<Slot> slots = new ArrayList<>();
            for (int block = 0; block < blocks; block++) {
                List<ComparedVariant> order = new ArrayList<>(cells);
                SplittableRandom random = new SplittableRandom(seed + block / 2);
                for (int i = order.size() - 1; i > 0; i--) {
                    Collections.swap(order, i, random.nextInt(i + 1));
                }
                if (block % 2 == 1) {
                    Collections.reverse(order);
                }
                for (ComparedVariant cell : order) {
                    slots.add(new Slot(slots.size(), block, cell));
                }
            }
            return slots;
        }

        /**
         * Makes all missing runs of an experiment, in the directory where the experiment was begun, or in a new subdirectory.
         *
         * @return the directory of the experiment
         * @throws siemload.database.TargetException if a run broke down
         */
        public static Path make(RunHost host, Experiment experiment, Path below, Optional<Path> begun)
                throws IOException, InterruptedException {
            String name = experiment.name() + "-" + RunDirectory.timestamp(Instant.now());
            try (Ledger ledger = new Ledger(begun.orElse(below.resolve(name)), experiment)) {
                return ledger.make(host);
            }
        }

        /** Returns the newest subdirectory that has the same experiment with missing runs, if there is one. */
        public static Optional<Path> findUnfinished(Path below, Experiment experiment) throws IOException {
            Optional<Path> newest = find(below, experiment);
            return newest.isPresent() && entries(newest.get()).size() < experiment.runs() ? newest : Optional.empty();
        }

        /** Returns the newest subdirectory that has the same experiment, perhaps with fewer repeats, if there is one. */
        public static Optional<Path> find(Path below, Experiment experiment) throws IOException {
            return FILE.newest(
                    below,
                    begun -> begun.with(begun.settings(), experiment.repeats()).equals(experiment));
        }

        /** Returns the missing runs, in the order in which they are to be made. */
        public List<Slot> missing() {
            return slots(experiment).stream()
                    .filter(slot -> entries().stream()
                            .noneMatch(entry -> entry.block() == slot.block()
                                    && entry.variant().equals(slot.variant().label())))
                    .toList();
        }

        /** At most as many runs may be repeated as the experiment has repeats, over all processes that worked on the experiment. */
        @Override
        protected int spare() {
            long again =
                    entries().stream().filter(entry -> entry.otherSeconds() > 0).count();
            return (int) Math.max(0, experiment.repeats() - again);
        }

        @Override
        protected Optional<Next> next(RunHost host) throws IOException {
            List<Slot> missing = missing();
            if (!missing.isEmpty() && entries().size() == experiment.runCells().size()) {
                // A metric that no run has is reported as soon as every variant has run once.
                Set<String> metrics = new TreeSet<>();
                for (Entry entry : entries()) {
                    RunFigures figures = RunFigures.read(directory().resolve(entry.directory()));
                    figures.figures().values().forEach(values -> metrics.addAll(values.keySet()));
                }
                String metric = experiment.metric().name();
                if (!metrics.isEmpty() && !metrics.contains(metric)) {
                    throw new ConfigException(
                            new Origin.WholeFile("experiment " + experiment.name()),
                            "no run has a figure '" + metric + "' ("
                                    + Choices.names(metrics).help(metric) + ")");
                }
            }
            return missing.stream().findFirst().map(slot -> {
                String label = slot.variant().label();
                return new Next(
                        "" + experiment.runs(),
                        slot.block(),
                        label,
                        label,
                        Experiment.over(experiment.settings(), slot.variant().settings()),
                        VariantConnections.of(experiment, host).variables(experiment, label));
            });
        }

        /** Returns the remaining time, estimated from the mean duration of all runs so far. */
        @Override
        protected String left(double seconds) {
            double mean = entries().stream()
                    .mapToDouble(entry -> entry.seconds() + entry.otherSeconds())
                    .average()
                    .orElse(0);
            return mean == 0
                    ? roughly(seconds) + " so far"
                    : roughly(Math.max(0, missing().size() * mean - seconds)) + " left";
        }
    }
}
