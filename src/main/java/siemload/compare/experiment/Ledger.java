package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.results.RunFile;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResultFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * The runs of one experiment: their order, and which of them have ended. {@code experiment.json} says what it is, {@code
 * runs.jsonl} has a line for each run that ended. Not thread-safe.
 *
 * <p>The order is interleaved, so that what the host does meanwhile happens to all variants, and balanced, so that a drift does not
 * favour those that come first. Each block runs every cell once, in an order drawn by seed; every second block turns the order of the
 * one before it around (A B, B A). More repeats only add blocks at the end.
 */
public final class Ledger extends RunLog<Ledger.Entry> {
    private static final Form<Experiment, Entry> FORM = new Form<>(
            ResultFile.EXPERIMENT,
            "runs.jsonl",
            Entry.class,
            "a run of an experiment",
            Entry::directory,
            "another process is running the experiment in it");

    private final Experiment experiment;

    /**
     * Begins an experiment in a new directory, or goes on with one that was interrupted. Runs whose results are gone are missing again.
     *
     * @param experiment the same one, perhaps with more repeats
     * @throws siemload.config.ConfigException if another process is at it
     * @throws IOException if its files cannot be read or written
     */
    public Ledger(Path directory, Experiment experiment) throws IOException {
        super(
                directory,
                FORM,
                experiment,
                entry -> Files.isRegularFile(RunFile.RUN.in(directory.resolve(entry.directory()))));
        this.experiment = experiment;
    }

    /**
     * A run that has ended.
     *
     * @param position 1 for the first that ended
     * @param block which runs it is compared with
     * @param variant its label
     * @param directory of its results, below that of the experiment
     * @param exitCode how its process ended
     * @param seconds how long it took
     * @param otherSeconds how long the other one took, where it was made twice since other programs disturbed the first one; otherwise 0
     */
    public record Entry(
            int position,
            int block,
            String variant,
            String directory,
            int exitCode,
            double seconds,
            double otherSeconds) {}

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
            List<ComparedVariant> order = shuffled(cells, seed + block / 2);
            if (block % 2 == 1) {
                Collections.reverse(order);
            }
            for (ComparedVariant cell : order) {
                slots.add(new Slot(slots.size(), block, cell));
            }
        }
        return slots;
    }

    private static List<ComparedVariant> shuffled(List<ComparedVariant> cells, long seed) {
        List<ComparedVariant> order = new ArrayList<>(cells);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = order.size() - 1; i > 0; i--) {
            Collections.swap(order, i, random.nextInt(i + 1));
        }
        return order;
    }

    /** The newest directory below this one that holds the same experiment and misses runs, if there is one. */
    public static Optional<Path> findUnfinished(Path below, Experiment experiment) throws IOException {
        Optional<Path> newest = find(below, experiment);
        return newest.isPresent() && entries(newest.get()).size() < experiment.runs() ? newest : Optional.empty();
    }

    /** The newest directory below this one that holds the same experiment, perhaps with fewer repeats, if there is one. */
    public static Optional<Path> find(Path below, Experiment experiment) throws IOException {
        return ResultFile.EXPERIMENT.newest(
                below,
                directory -> true,
                begun -> begun.with(begun.settings(), experiment.repeats()).equals(experiment));
    }

    /** Whether the directory is that of an experiment. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(ResultFile.EXPERIMENT.in(directory));
    }

    /** The experiment that a directory holds. @throws IOException if it holds none */
    public static Experiment readExperiment(Path directory) throws IOException {
        return ResultFile.EXPERIMENT.read(directory);
    }

    /**
     * The runs of a directory that have ended, in their order.
     *
     * @throws IOException if a line is no run, or has its results elsewhere; the message names it
     */
    public static List<Entry> entries(Path directory) throws IOException {
        return FORM.read(directory);
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

    /**
     * How long a run of a variant may take: as those of it took so far, or, before it has run, as all the others; with the time of those
     * that were made twice, while more of them may be.
     */
    double expectedSeconds(String variant) {
        List<Entry> same = entries().stream()
                .filter(entry -> entry.variant().equals(variant))
                .toList();
        boolean again = spare() > 0;
        return (same.isEmpty() ? entries() : same)
                .stream()
                        .mapToDouble(entry -> entry.seconds() + (again ? entry.otherSeconds() : 0))
                        .average()
                        .orElseThrow();
    }

    /** Where a run's results are to go; does not exist yet. */
    public Path directoryOf(Slot slot) {
        return place(slot.position() + 1, slot.variant().label());
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    public void add(Slot slot, Path runDirectory, double seconds, double otherSeconds) throws IOException {
        add(new Entry(
                entries().size() + 1,
                slot.block(),
                slot.variant().label(),
                directory().relativize(runDirectory).toString(),
                ExitCode.OK.number(),
                seconds,
                otherSeconds));
    }

    /**
     * A run that other programs disturbed is made again once, as long as no more of these are in the log than repeats, and the less
     * disturbed of both counts. A run that is invalid counts, and its files say why; one that broke down ends the experiment, which
     * goes on from there when it is started again.
     */
    @Override
    protected void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException {
        int ended = entries().size();
        for (Slot slot : missing()) {
            if (ended++ == experiment.runCells().size()) {
                checkMetric();
            }
            make(host, processes, slot);
        }
        host.status("");
    }

    private void make(RunHost host, RunProcesses processes, Slot slot) throws IOException, InterruptedException {
        Path place = directoryOf(slot);
        String title = experiment.name() + ": run " + (slot.position() + 1) + " of " + experiment.runs() + ", "
                + slot.variant().label();
        SeparateRun.Ended kept = make(host, processes, slot, title, place);
        double otherSeconds = 0;
        Disturbance disturbance = disturbance(kept);
        if (disturbance.seen() && spare() > 0) {
            host.line(title + ": " + disturbance.sentence() + "; it is made again");
            SeparateRun.Ended first = kept;
            SeparateRun.Ended again = make(
                    host, processes, slot, title + ", again", place.resolveSibling(place.getFileName() + "-again"));
            boolean better = disturbance(again).percentilesOffPercent() <= disturbance.percentilesOffPercent();
            kept = better ? again : first;
            otherSeconds = (better ? first : again).seconds();
        }
        add(slot, kept.directory(), kept.seconds(), otherSeconds);
    }

    private static Disturbance disturbance(SeparateRun.Ended run) throws IOException {
        return RunResultFile.read(RunFile.RUN.in(run.directory())).validity().disturbance();
    }

    private SeparateRun.Ended make(RunHost host, RunProcesses processes, Slot slot, String title, Path place)
            throws IOException, InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>(experiment.settings());
        settings.putAll(slot.variant().settings());
        Map<String, String> environment = ExperimentPlan.connectedAs(
                        experiment, slot.variant().label())
                .map(name -> ExperimentPlan.connections(experiment, host).environment(name))
                .orElseGet(() -> processes.variables(RunProcesses.Environment.INHERITED));
        return new SeparateRun(title, settings, place).make(host, processes, environment, going -> left(slot, going));
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

    private String left(Slot slot, SeparateRun.Going going) {
        if (entries().isEmpty()) {
            return SeparateRun.roughly(going.seconds()) + " so far";
        }
        double left = 0;
        for (Slot missing : missing()) {
            double expected = expectedSeconds(missing.variant().label());
            left += missing.equals(slot) ? going.leftOf(expected) : expected;
        }
        return SeparateRun.roughly(left) + " left";
    }
}
