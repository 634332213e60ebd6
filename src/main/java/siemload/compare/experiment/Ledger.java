package siemload.compare.experiment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.results.WholeFile;

/**
 * The directory of one experiment, and which of its runs have ended: {@code experiment.json} says what it is, {@code
 * runs.jsonl} has a line for each run that ended, and {@code runs/} their results. A run counts once its line is on disk;
 * what a killed one left behind is removed, so that it starts afresh. Held by one process at a time. Not thread-safe.
 */
public final class Ledger implements AutoCloseable {
    private static final String ENTRIES = "runs.jsonl";
    private static final String BUSY = "another process is running the experiment in it";

    private final Path directory;
    private final Experiment experiment;
    private final FileChannel lock;
    private final List<Entry> entries;

    private Ledger(Path directory, Experiment experiment, FileChannel lock, List<Entry> entries) {
        this.directory = directory;
        this.experiment = experiment;
        this.lock = lock;
        this.entries = new ArrayList<>(entries);
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
     * Starts an experiment in a new directory.
     *
     * @throws IOException if it cannot be written or exists
     */
    public static Ledger create(Path directory, Experiment experiment) throws IOException {
        FileChannel lock = new RunDirectories(directory).create(BUSY);
        if (ResultFile.EXPERIMENT.isIn(directory)) {
            lock.close();
            throw new FileAlreadyExistsException(
                    ResultFile.EXPERIMENT.in(directory).toString());
        }
        ResultFile.EXPERIMENT.write(directory, experiment);
        return new Ledger(directory, experiment, lock, List.of());
    }

    /**
     * Goes on with an experiment that was interrupted. Runs whose results are gone are missing again.
     *
     * @param experiment the same one, perhaps with more repeats
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read
     */
    public static Ledger resume(Path directory, Experiment experiment) throws IOException {
        FileChannel lock = new RunDirectories(directory).hold(BUSY);
        try {
            List<Entry> kept = entries(directory).stream()
                    .filter(entry -> Files.isRegularFile(RunFile.RUN.in(directory.resolve(entry.directory()))))
                    .toList();
            Ledger ledger = new Ledger(directory, experiment, lock, kept);
            ledger.goOn();
            return ledger;
        } catch (IOException | RuntimeException broken) {
            lock.close();
            throw broken;
        }
    }

    private void goOn() throws IOException {
        boolean same = readExperiment(directory).equals(experiment);
        rewrite();
        if (!same) {
            ResultFile.EXPERIMENT.write(directory, experiment);
        }
        removeUnfinished();
    }

    /** The newest directory below this one that holds the same experiment and misses runs, if there is one. */
    public static Optional<Path> findUnfinished(Path below, Experiment experiment) throws IOException {
        Optional<Path> newest = find(below, experiment);
        return newest.isPresent() && entries(newest.get()).size() < experiment.runs() ? newest : Optional.empty();
    }

    /** The newest directory below this one that holds the same experiment, perhaps with fewer repeats, if there is one. */
    public static Optional<Path> find(Path below, Experiment experiment) throws IOException {
        return ResultFile.EXPERIMENT.newest(below, directory -> true, begun -> isSame(begun, experiment));
    }

    private static boolean isSame(Experiment begun, Experiment wanted) {
        return begun.with(begun.settings(), wanted.repeats()).equals(wanted);
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
     * The runs of a directory that have ended, in their order. A last line that is no run is what a crash left of one, and
     * does not count.
     *
     * @throws IOException if another line is no run, or has its results elsewhere; the message names it
     */
    public static List<Entry> entries(Path directory) throws IOException {
        Path file = directory.resolve(ENTRIES);
        List<Entry> entries = JsonLines.read(file, Entry.class, "a run of an experiment");
        for (Entry entry : entries) {
            ResultPath.below(directory, entry.directory(), file.toString());
        }
        return entries;
    }

    public Path directory() {
        return directory;
    }

    /** The runs that have ended, in their order. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The runs that are still to be made, in their order. */
    public List<Schedule.Slot> missing() {
        return Schedule.of(experiment).slots().stream()
                .filter(slot -> entries.stream()
                        .noneMatch(entry -> entry.block() == slot.block()
                                && entry.variant().equals(slot.variant().label())))
                .toList();
    }

    /** How many more runs may be made twice: as many as there are repeats, in all processes that work at the experiment. */
    int spare() {
        long again = entries.stream().filter(entry -> entry.otherSeconds() > 0).count();
        return (int) Math.max(0, experiment.repeats() - again);
    }

    /**
     * How long a run of a variant may take: as those of it took so far, or, before it has run, as all the others; with the time of those
     * that were made twice, while more of them may be.
     */
    double expectedSeconds(String variant) {
        List<Entry> same = entries.stream()
                .filter(entry -> entry.variant().equals(variant))
                .toList();
        List<Entry> known = same.isEmpty() ? entries : same;
        boolean again = spare() > 0;
        return known.stream()
                .mapToDouble(entry -> entry.seconds() + (again ? entry.otherSeconds() : 0))
                .average()
                .orElseThrow();
    }

    /** Where a run's results are to go; does not exist yet. */
    public Path directoryOf(Schedule.Slot slot) {
        return new RunDirectories(directory)
                .of(slot.position() + 1, slot.variant().label());
    }

    /** Notes that a run has ended, which was made once; returns when the note is on disk. */
    public void add(Schedule.Slot slot, Path runDirectory, int exitCode, double seconds) throws IOException {
        add(slot, runDirectory, exitCode, seconds, 0);
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    void add(Schedule.Slot slot, Path runDirectory, int exitCode, double seconds, double otherSeconds)
            throws IOException {
        Entry entry = new Entry(
                entries.size() + 1,
                slot.block(),
                slot.variant().label(),
                directory.relativize(runDirectory).toString(),
                exitCode,
                seconds,
                otherSeconds);
        JsonLines.append(directory.resolve(ENTRIES), JsonLines.line(entry));
        entries.add(entry);
    }

    /** So that the next line is not part of one that a crash cut off, and nothing stands in the file that does not count. */
    private void rewrite() throws IOException {
        StringBuilder whole = new StringBuilder();
        for (Entry entry : entries) {
            whole.append(JsonLines.line(entry));
        }
        WholeFile.write(directory.resolve(ENTRIES), whole.toString());
    }

    private void removeUnfinished() throws IOException {
        new RunDirectories(directory)
                .removeAllBut(entries.stream()
                        .map(entry -> directory.resolve(entry.directory()))
                        .toList());
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
