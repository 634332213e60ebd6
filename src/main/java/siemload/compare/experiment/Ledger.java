package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import siemload.compare.experiment.SeparateRun.Ended;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.results.RunFile;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResultFile;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/**
 * The runs of one experiment: their order, and which of them have ended. {@code experiment.json} says what it is. Not thread-safe.
 *
 * <p>The order is interleaved, so that what the host does meanwhile happens to all variants, and balanced, so that a drift does not
 * favour those that come first. Each block runs every cell once, in an order drawn by seed; every second block turns the order of the
 * one before it around (A B, B A). More repeats only add blocks at the end.
 */
public final class Ledger extends RunLog {
    private static final ResultFile<Experiment> FILE = new ResultFile<>("experiment.json", Experiment.class);

    private final Experiment experiment;

    /**
     * Begins an experiment in a new directory, or goes on with one that was interrupted.
     *
     * @param experiment the same one, perhaps with more repeats
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read or written
     */
    public Ledger(Path directory, Experiment experiment) throws IOException {
        super(directory, FILE, experiment);
        this.experiment = experiment;
    }

    /**
     * A run that is to be made.
     *
     * @param position 0 for the first run
     * @param block 0 for the first block; runs of one block are compared with each other
     */
    public record Slot(int position, int block, ComparedVariant variant) {}

    /** All runs of an experiment in their order. */
    public static List<Slot> slots(Experiment experiment) {
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
     * Makes all runs of an experiment that are still missing.
     *
     * @param below the directory that has it, or gets it
     * @param begun where it goes on, if there is such a place
     * @return its directory
     * @throws siemload.database.TargetException if a run broke down
     */
    public static Path make(RunHost host, Experiment experiment, Path below, Optional<Path> begun)
            throws IOException, InterruptedException {
        return make(
                host,
                begun,
                below.resolve(experiment.name() + "-" + TimestampName.of(Instant.now())),
                directory -> new Ledger(directory, experiment),
                experiment.name(),
                "the experiment");
    }

    /** The newest directory below this one that holds the same experiment and misses runs, if there is one. */
    public static Optional<Path> findUnfinished(Path below, Experiment experiment) throws IOException {
        Optional<Path> newest = find(below, experiment);
        return newest.isPresent() && entries(newest.get()).size() < experiment.runs() ? newest : Optional.empty();
    }

    /** The newest directory below this one that holds the same experiment, perhaps with fewer repeats, if there is one. */
    public static Optional<Path> find(Path below, Experiment experiment) throws IOException {
        return FILE.newest(
                below,
                begun -> begun.with(begun.settings(), experiment.repeats()).equals(experiment));
    }

    /** Whether the directory is that of an experiment. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(FILE.in(directory));
    }

    /** The experiment that a directory holds. @throws IOException if it holds none */
    public static Experiment readExperiment(Path directory) throws IOException {
        return FILE.read(directory);
    }

    /** The runs that are still to be made, in their order. */
    public List<Slot> missing() {
        return slots(experiment).stream()
                .filter(slot -> entries().stream()
                        .noneMatch(entry -> entry.block() == slot.block()
                                && entry.variant().equals(slot.variant().label())))
                .toList();
    }

    /** How many more runs may be made twice: as many as there are repeats, in all processes that work at the experiment. */
    int spare() {
        long again =
                entries().stream().filter(entry -> entry.otherSeconds() > 0).count();
        return (int) Math.max(0, experiment.repeats() - again);
    }

    /** Where a run's results are to go; does not exist yet. */
    public Path directoryOf(Slot slot) {
        return place(slot.position() + 1, slot.variant().label());
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    public void add(Slot slot, Path runDirectory, double seconds, double otherSeconds) throws IOException {
        add(slot.block(), slot.variant().label(), runDirectory, seconds, otherSeconds);
    }

    /**
     * A run that other programs disturbed is made again once, as long as no more of these are in the log than repeats, and the less
     * disturbed of both counts. A run that is invalid counts, and its files say why; one that broke down ends the experiment, which
     * goes on from there when it is started again.
     */
    @Override
    protected void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException {
        for (Slot slot : missing()) {
            if (entries().size() == experiment.runCells().size()) {
                checkMetric();
            }
            Path place = directoryOf(slot);
            String title = experiment.name() + ": run " + (slot.position() + 1) + " of " + experiment.runs() + ", "
                    + slot.variant().label();
            Ended kept = make(host, processes, slot, title, place);
            double otherSeconds = 0;
            Disturbance disturbance = disturbance(kept);
            if (disturbance.seen() && spare() > 0) {
                host.line(title + ": " + disturbance.sentence() + "; it is made again");
                Ended again = make(
                        host, processes, slot, title + ", again", place.resolveSibling(place.getFileName() + "-again"));
                boolean better = disturbance(again).percentilesOffPercent() <= disturbance.percentilesOffPercent();
                otherSeconds = (better ? kept : again).seconds();
                kept = better ? again : kept;
            }
            add(slot, kept.directory(), kept.seconds(), otherSeconds);
        }
        host.status("");
    }

    private static Disturbance disturbance(Ended run) throws IOException {
        return RunResultFile.read(RunFile.RUN.in(run.directory())).validity().disturbance();
    }

    private Ended make(RunHost host, RunProcesses processes, Slot slot, String title, Path place)
            throws IOException, InterruptedException {
        String label = slot.variant().label();
        Map<String, String> settings = new LinkedHashMap<>(experiment.settings());
        settings.putAll(slot.variant().settings());
        Map<String, String> environment = experiment
                .connectedAs(label)
                .map(name -> VariantConnections.of(experiment, host).environment(name))
                .orElseGet(() -> processes.variables(RunProcesses.Environment.INHERITED));
        return new SeparateRun(title, settings, place).make(host, processes, environment, seconds -> {
            // As the runs took so far, whichever variants these were.
            OptionalDouble mean = entries().stream()
                    .mapToDouble(entry -> entry.seconds() + entry.otherSeconds())
                    .average();
            return mean.isEmpty()
                    ? SeparateRun.roughly(seconds) + " so far"
                    : SeparateRun.roughly(Math.max(0, missing().size() * mean.getAsDouble() - seconds)) + " left";
        });
    }

    /** A metric that no run has is noticed once every variant has run, not after the last run. */
    private void checkMetric() throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (Entry entry : entries()) {
            metrics.addAll(
                    RunFigures.read(directory().resolve(entry.directory())).metrics());
        }
        String metric = experiment.metric().name();
        if (!metrics.isEmpty() && !metrics.contains(metric)) {
            throw new ConfigException(
                    new Origin.WholeFile("experiment " + experiment.name()),
                    "no run has a figure '" + metric + "' ("
                            + Choices.names(metrics).help(metric) + ")");
        }
    }
}
