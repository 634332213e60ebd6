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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;
import siemload.results.ResultValue.ResultPath;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * A directory of runs that belong together: one file says what is asked, one has a line for each run that has ended, and {@code
 * runs/} has their results. A run counts once its line is on disk; what a killed one left behind is removed, so that it starts
 * afresh. Held by one process at a time. Not thread-safe.
 */
public abstract class RunLog<E extends Record> implements AutoCloseable {
    private static final String RUNS = "runs";

    /** As {@link #place} makes them. */
    private static final Pattern NAME = Pattern.compile("\\d{3,}-[A-Za-z0-9.-]*");

    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final Form<?, E> form;
    private final FileChannel lock;
    private final List<E> entries = new ArrayList<>();

    /**
     * Begins in a new directory, or goes on in one that was begun. It must be the user's.
     *
     * @param question what is asked from now on
     * @param counts whether a run that has ended still does
     * @throws ConfigException if another process is at it
     * @throws IOException if its files cannot be read or written
     */
    protected <Q extends Record> RunLog(Path directory, Form<Q, E> form, Q question, Predicate<E> counts)
            throws IOException {
        this.directory = directory;
        this.form = form;
        boolean begun = form.question().isIn(directory);
        if (!begun) {
            Files.createDirectories(directory.resolve(RUNS));
        }
        Ownership.ofThisUser().requireOwn(directory);
        this.lock = FileLocks.tryLock(directory)
                .orElseThrow(() -> new ConfigException(new Origin.WholeFile(directory.toString()), form.busy()));
        try {
            if (begun) {
                entries.addAll(form.read(directory).stream().filter(counts).toList());
                // So that nothing stands there that does not count.
                JsonLines.write(directory.resolve(form.lines()), entries);
                removeUnfinished();
            }
            if (!begun || !form.question().read(directory).equals(question)) {
                form.question().write(directory, question);
            }
        } catch (IOException | RuntimeException broken) {
            lock.close();
            throw broken;
        }
    }

    /**
     * What such a directory holds.
     *
     * @param question says what is asked
     * @param lines the name of the file with a line for each run
     * @param type of a line
     * @param what a line is, for messages
     * @param results where those of the run of a line are, below the directory
     * @param busy what another process does that holds it, in words
     */
    public record Form<Q extends Record, E extends Record>(
            ResultFile<Q> question,
            String lines,
            Class<E> type,
            String what,
            Function<E, String> results,
            String busy) {

        /**
         * The runs of a directory that have ended, in their order.
         *
         * @throws IOException if a line is no run, or has its results elsewhere; the message names it
         */
        List<E> read(Path directory) throws IOException {
            Path file = directory.resolve(lines);
            List<E> entries = JsonLines.read(file, type, what);
            for (E entry : entries) {
                ResultPath.below(directory, results.apply(entry), file.toString());
            }
            return entries;
        }
    }

    /** Makes the runs that are missing, one after the other; returns when all have ended. @throws TargetException if one broke down */
    protected abstract void makeMissing(RunHost host, RunProcesses processes) throws IOException, InterruptedException;

    /**
     * Makes the runs that are missing; where they end early, the message says how they go on.
     *
     * @param goOn what to start for that
     */
    public final void makeAll(RunHost host, RunProcesses processes, String goOn)
            throws IOException, InterruptedException {
        String more = "; start " + goOn + " again to go on from there";
        try {
            makeMissing(host, processes);
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + more, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + more);
        }
    }

    /** Removes what killed runs left behind: only directories that are named as ours are, and none of them through a link. */
    private void removeUnfinished() throws IOException {
        Path runs = directory.resolve(RUNS);
        if (!Files.isDirectory(runs, LinkOption.NOFOLLOW_LINKS)) {
            throw new ConfigException(
                    new Origin.WholeFile(runs.toString()),
                    "is not the directory that the experiment made (put it back, or begin anew with --fresh)");
        }
        List<Path> kept = entries.stream()
                .map(entry -> directory.resolve(form.results().apply(entry)).normalize())
                .toList();
        List<Path> unfinished;
        try (Stream<Path> all = Files.list(runs)) {
            unfinished = all.filter(
                            run -> NAME.matcher(run.getFileName().toString()).matches())
                    .filter(run -> Files.isDirectory(run, LinkOption.NOFOLLOW_LINKS))
                    .filter(run -> kept.stream().noneMatch(result -> result.startsWith(run.normalize())))
                    .toList();
        }
        for (Path run : unfinished) {
            DirectoryTree.delete(run);
        }
    }

    public Path directory() {
        return directory;
    }

    /** The runs that have ended, in their order. */
    public List<E> entries() {
        return List.copyOf(entries);
    }

    /** Notes that a run has ended; returns when the note is on disk. */
    public void add(E entry) throws IOException {
        JsonLines.add(directory.resolve(form.lines()), entry);
        entries.add(entry);
    }

    /**
     * Where a run's results are to go; does not exist yet.
     *
     * @param position 1 for the first run
     * @param label what is special about it
     */
    public Path place(int position, String label) {
        String name = String.format(Locale.ROOT, "%03d-%s", position, label.replaceAll("[^A-Za-z0-9.]+", "-"));
        return directory.resolve(RUNS).resolve(name.substring(0, Math.min(name.length(), LONGEST_NAME)));
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
