package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import siemload.results.RunFile;

/**
 * The directory of one experiment, and which of its runs have ended: {@code experiment.json} says what it is, {@code
 * runs.jsonl} has a line for each run that ended. Not thread-safe.
 */
public final class Ledger implements AutoCloseable {
    private static final RunLog.Form<Experiment, Entry> FORM = new RunLog.Form<>(
            ResultFile.EXPERIMENT,
            "runs.jsonl",
            Entry.class,
            "a run of an experiment",
            Entry::directory,
            "another process is running the experiment in it");

    private final Experiment experiment;
    private final RunLog<Entry> log;

    private Ledger(Experiment experiment, RunLog<Entry> log) {
        this.experiment = experiment;
        this.log = log;
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

    /** Starts an experiment in a new directory. @throws IOException if it cannot be written or exists */
    public static Ledger create(Path directory, Experiment experiment) throws IOException {
        return new Ledger(experiment, RunLog.create(directory, FORM, experiment));
    }

    /**
     * Goes on with an experiment that was interrupted. Runs whose results are gone are missing again.
     *
     * @param experiment the same one, perhaps with more repeats
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read
     */
    public static Ledger resume(Path directory, Experiment experiment) throws IOException {
        return new Ledger(
                experiment,
                RunLog.resume(
                        directory,
                        FORM,
                        experiment,
                        entry -> Files.isRegularFile(RunFile.RUN.in(directory.resolve(entry.directory())))));
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

    public Experiment experiment() {
        return experiment;
    }

    public Path directory() {
        return log.directory();
    }

    /** The runs that have ended, in their order. */
    public List<Entry> entries() {
        return log.entries();
    }

    /** The runs that are still to be made, in their order. */
    public List<Schedule.Slot> missing() {
        return Schedule.of(experiment).slots().stream()
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
    public Path directoryOf(Schedule.Slot slot) {
        return log.place(slot.position() + 1, slot.variant().label());
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    public void add(Schedule.Slot slot, Path runDirectory, int exitCode, double seconds, double otherSeconds)
            throws IOException {
        log.add(new Entry(
                entries().size() + 1,
                slot.block(),
                slot.variant().label(),
                directory().relativize(runDirectory).toString(),
                exitCode,
                seconds,
                otherSeconds));
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
