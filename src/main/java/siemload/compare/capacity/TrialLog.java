package siemload.compare.capacity;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.compare.experiment.JsonLines;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.RunDirectories;
import siemload.config.ConfigException;
import siemload.results.ResultPath;
import siemload.run.TimestampName;

/**
 * The directory of one capacity, and which of its runs have ended: {@code question.json} says what is asked, {@code trials.jsonl} has a
 * line for each run that has ended, and {@code runs/} their results. A run counts once its line is on disk; what a killed one
 * left behind is removed. Held by one process at a time. Not thread-safe.
 */
final class TrialLog implements AutoCloseable {
    private static final String TRIALS = "trials.jsonl";
    private static final String BUSY = "another process looks for the capacity in it";
    private static final ResultFile<CapacityQuestion> QUESTION =
            new ResultFile<>("question.json", CapacityQuestion.class);

    private final Path directory;
    private final FileChannel lock;
    private final List<Trial> trials;

    private TrialLog(Path directory, FileChannel lock, List<Trial> trials) {
        this.directory = directory;
        this.lock = lock;
        this.trials = new ArrayList<>(trials);
    }

    /** The newest directory below this one in which the same was asked and not answered, if there is one. */
    static Optional<Path> findUnfinished(Path below, CapacityQuestion question) throws IOException {
        return QUESTION.newest(below, directory -> !CapacityResult.FILE.isIn(directory), question::equals);
    }

    /** Begins in a new directory below this one. */
    static TrialLog create(Path below, CapacityQuestion question, Instant now) throws IOException {
        String scenario = question.scenario().replaceAll("[^A-Za-z0-9]+", "-");
        Path directory = below.resolve(scenario + "-" + TimestampName.of(now));
        FileChannel lock = new RunDirectories(directory).create(BUSY);
        QUESTION.write(directory, question);
        return new TrialLog(directory, lock, List.of());
    }

    /**
     * Goes on in a directory.
     *
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read
     */
    static TrialLog resume(Path directory) throws IOException {
        FileChannel lock = new RunDirectories(directory).hold(BUSY);
        try {
            Path file = directory.resolve(TRIALS);
            List<Trial> trials = JsonLines.read(file, Trial.class, "a run at a load");
            List<Path> results = new ArrayList<>();
            for (Trial trial : trials) {
                results.add(ResultPath.below(directory, trial.directory(), file.toString()));
            }
            new RunDirectories(directory).removeAllBut(results);
            return new TrialLog(directory, lock, trials);
        } catch (IOException | RuntimeException broken) {
            lock.close();
            throw broken;
        }
    }

    Path directory() {
        return directory;
    }

    /** All runs that have ended, in their order. */
    List<Trial> trials() {
        return List.copyOf(trials);
    }

    /** Those of one search. */
    List<Trial> of(int search) {
        return trials.stream().filter(trial -> trial.search() == search).toList();
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    void add(Trial trial) throws IOException {
        JsonLines.add(directory.resolve(TRIALS), trial);
        trials.add(trial);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
