package siemload.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.results.RunFile;

/**
 * Where one run's results go: {@code <results>/<runId>/}. Immutable.
 *
 * @param path the directory, which exists
 * @param marker to be closed when the run has ended
 */
record RunDirectory(Path path, String runId, Instant startedAt, RunMarker marker) {

    /**
     * Makes a directory of its own, also when two runs start in the same second.
     *
     * @throws ConfigException if the results directory cannot be written
     */
    static RunDirectory create(RunPlan plan, Instant now) {
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        String name = String.join(
                "-",
                plan.scenario().name().replaceAll("[^A-Za-z0-9]+", "-"),
                plan.choice().plugin().id(),
                TimestampName.of(now));
        NewFiles.protect();
        try {
            Files.createDirectories(results);
            Ownership.ofThisUser().requireOwn(results);
            RunMarker.sweep(results);
            for (int attempt = 1; ; attempt++) {
                String runId = attempt == 1 ? name : name + "-" + attempt;
                try {
                    Path path = NewFiles.createDirectory(results.resolve(runId));
                    return new RunDirectory(path, runId, now, RunMarker.set(path));
                } catch (FileAlreadyExistsException taken) {
                    // another run started in the same second: try the next name
                }
            }
        } catch (ForeignDirectoryException foreign) {
            throw new ConfigException(plan.settings().origin(Property.RESULTS), "results: " + Reason.of(foreign));
        } catch (FileAlreadyExistsException file) {
            throw unwritable(plan, file.getFile() + " is no directory");
        } catch (IOException unwritable) {
            throw unwritable(plan, Reason.of(unwritable));
        }
    }

    private static ConfigException unwritable(RunPlan plan, String reason) {
        return new ConfigException(
                plan.settings().origin(Property.RESULTS),
                "results cannot be written to "
                        + plan.settings().value(Property.RESULTS).toAbsolutePath() + ": " + reason
                        + " (choose another with -Dresults=DIR)");
    }

    /** Lets {@code <results>/latest} name this run: a link where the file system has them, otherwise a file. */
    void markLatest() throws IOException {
        Path latest = path.resolveSibling("latest");
        Path fresh = path.resolveSibling("latest." + runId);
        try {
            Files.createSymbolicLink(fresh, Path.of(runId));
        } catch (UnsupportedOperationException | IOException noLinks) {
            Files.writeString(fresh, runId + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        Files.move(fresh, latest, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Marks the directory of a run as one that is being written, by a file that the run holds locked. A directory in which nothing
     * was measured goes with its run; where that was killed, with the next one.
     */
    record RunMarker(Path directory, FileChannel held) implements AutoCloseable {
        private static final String MARKER = "running";
        private static final Pattern NAME_OF_A_RUN = Pattern.compile("[A-Za-z0-9-]+-[a-z]+-\\d{8}-\\d{6}(-\\d+)?");

        static RunMarker set(Path directory) throws IOException {
            FileChannel channel = FileChannel.open(
                    directory.resolve(MARKER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (FileLocks.tryLock(channel)) {
                return new RunMarker(directory, channel);
            }
            channel.close();
            throw new IOException(directory.resolve(MARKER) + " is locked by another process");
        }

        /** Removes what killed runs left in the directory of the results. */
        static void sweep(Path results) throws IOException {
            List<Path> marked;
            try (Stream<Path> all = Files.list(results)) {
                marked = all.filter(directory -> NAME_OF_A_RUN
                                .matcher(directory.getFileName().toString())
                                .matches())
                        .filter(directory -> Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
                        .filter(directory -> Files.isRegularFile(directory.resolve(MARKER), LinkOption.NOFOLLOW_LINKS))
                        .toList();
            }
            for (Path directory : marked) {
                try (FileChannel channel = FileChannel.open(directory.resolve(MARKER), StandardOpenOption.WRITE)) {
                    if (FileLocks.tryLock(channel)) {
                        tidy(directory);
                    }
                } catch (IOException goneMeanwhile) {
                    // another run has tidied it up, or it is not ours to change
                }
            }
        }

        /** The run has ended. */
        @Override
        public void close() throws IOException {
            try (held) {
                if (Files.isDirectory(directory)) {
                    tidy(directory);
                }
            }
        }

        private static void tidy(Path directory) throws IOException {
            if (Files.exists(RunFile.RUN.in(directory)) || hasMeasured(RunFile.TIMELINE.in(directory))) {
                Files.deleteIfExists(directory.resolve(MARKER));
            } else {
                DirectoryTree.delete(directory);
            }
        }

        /** The first line is the heading. */
        private static boolean hasMeasured(Path timeline) throws IOException {
            if (!Files.exists(timeline)) {
                return false;
            }
            try (Stream<String> lines = Files.lines(timeline)) {
                return lines.skip(1).findFirst().isPresent();
            }
        }
    }
}
