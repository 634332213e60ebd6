package siemload.compare.experiment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;

/**
 * Where the results of separate runs go that belong together: a directory for each below {@code runs}. Immutable.
 *
 * @param whole the directory of all
 */
public record RunDirectories(Path whole) {
    private static final String RUNS = "runs";
    /** As {@link #of} makes them. */
    private static final Pattern NAME = Pattern.compile("\\d{3,}-[A-Za-z0-9.-]*");

    private static final int LONGEST_NAME = 60;

    /** Makes the directory of all, and holds it as {@link #hold} does. */
    public FileChannel create(String otherwise) throws IOException {
        Files.createDirectories(runs());
        return hold(otherwise);
    }

    /**
     * Holds the directory, which must be the user's, against other processes until the channel is closed.
     *
     * @param otherwise what another process does that holds it, in words
     * @throws ConfigException if another process holds it
     */
    public FileChannel hold(String otherwise) throws IOException {
        Ownership.ofThisUser().requireOwn(whole);
        return FileLocks.tryLock(whole)
                .orElseThrow(() -> new ConfigException(new Origin.WholeFile(whole.toString()), otherwise));
    }

    /**
     * Where a run's results are to go; does not exist yet.
     *
     * @param position 1 for the first run
     * @param label what is special about it
     */
    public Path of(int position, String label) {
        String name = String.format(Locale.ROOT, "%03d-%s", position, label.replaceAll("[^A-Za-z0-9.]+", "-"));
        return runs().resolve(name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name);
    }

    /**
     * Removes what killed runs left behind: only directories that are named as ours are, and none of them through a link,
     * wherever it stands.
     *
     * @param results the directories of runs that have ended
     * @throws ConfigException if the directory of all runs is another one than was made
     */
    public void removeAllBut(List<Path> results) throws IOException {
        if (!Files.isDirectory(runs(), LinkOption.NOFOLLOW_LINKS)) {
            throw new ConfigException(
                    new Origin.WholeFile(runs().toString()),
                    "is not the directory that the experiment made (put it back, or begin anew with --fresh)");
        }
        List<Path> kept = results.stream().map(Path::normalize).toList();
        List<Path> unfinished;
        try (Stream<Path> all = Files.list(runs())) {
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

    private Path runs() {
        return whole.resolve(RUNS);
    }
}
