package siemload.compare.experiment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * A directory of runs that belong together: one file says what is asked, {@code runs.jsonl} has a line for each run that has ended,
 * and {@code runs/} has their results. A run counts once its line is on disk, as long as its results are there; what a killed one left
 * behind stays where it is. Held by one process at a time. Not thread-safe.
 */
public abstract class RunLog implements AutoCloseable {
    private static final String LINES = "runs.jsonl";
    private static final String RUNS = "runs";

    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final FileChannel lock;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * Begins in a new directory, or goes on in one that was begun. It must be the user's.
     *
     * @param question what is asked from now on
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read or written
     */
    protected <Q extends Record> RunLog(Path directory, ResultFile<Q> file, Q question) throws IOException {
        this.directory = directory;
        boolean begun = file.isIn(directory);
        if (!begun) {
            Files.createDirectories(directory.resolve(RUNS));
        }
        Ownership.ofThisUser().requireOwn(directory);
        this.lock = FileLocks.tryLock(directory)
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
     * @param block which runs it is compared with; of a capacity, the search that it belongs to
     * @param variant its label; of a capacity, its load
     * @param directory of its results, below that of the log
     * @param seconds how long it took
     * @param otherSeconds how long the other one took, where it was made twice since other programs disturbed the first one; otherwise 0
     */
    public record Entry(
            int position, int block, String variant, String directory, double seconds, double otherSeconds) {}

    /**
     * The runs of a directory that have ended and whose results are there, in their order.
     *
     * @throws IOException if a line is no run, or has its results elsewhere; the message names it
     */
    public static List<Entry> entries(Path directory) throws IOException {
        Path file = directory.resolve(LINES);
        List<Entry> entries = new ArrayList<>();
        for (Entry entry : JsonLines.read(file, Entry.class, "a run that has ended")) {
            Path results = ResultPath.below(directory, entry.directory(), file.toString());
            if (Files.isRegularFile(RunFile.RUN.in(results))) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Opens the log of a directory. */
    public interface Opener {
        /** The log, which whoever asked for it closes. */
        RunLog open(Path directory) throws IOException;
    }

    /**
     * Makes all runs that are missing; where they end early, the message says how they go on.
     *
     * @param begun the directory that they go on in
     * @param otherwise the one that they begin in
     * @param name what is asked, for people
     * @param again what to start to go on
     * @return the directory
     * @throws TargetException if a run broke down
     */
    public static Path make(
            RunHost host, Optional<Path> begun, Path otherwise, Opener opener, String name, String again)
            throws IOException, InterruptedException {
        RunProcesses processes = new RunProcesses(host);
        if (begun.isPresent()) {
            processes.awaitOrphans();
        }
        String more = "; start " + again + " again to go on from there";
        try (RunLog log = opener.open(begun.orElse(otherwise))) {
            if (begun.isPresent()) {
                host.line(name + ": goes on after " + log.entries.size() + " runs (--fresh starts anew)");
            }
            log.makeMissing(host, processes);
            return log.directory;
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + more, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + more);
        }
    }

    /** Makes the runs that are missing, one after the other; returns when all have ended. @throws TargetException if one broke down */
    protected abstract void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException;

    /** Where everything is. */
    public Path directory() {
        return directory;
    }

    /** The runs that have ended, in their order. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    protected void add(int block, String variant, Path results, double seconds, double otherSeconds)
            throws IOException {
        String below = directory.relativize(results).toString();
        int position = entries.stream().mapToInt(Entry::position).max().orElse(0) + 1;
        Entry entry = new Entry(position, block, variant, below, seconds, otherSeconds);
        JsonLines.add(directory.resolve(LINES), entry);
        entries.add(entry);
    }

    /**
     * Where a run's results are to go; does not exist yet.
     *
     * @param position 1 for the first run
     * @param label what is special about it
     */
    protected Path place(int position, String label) {
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
