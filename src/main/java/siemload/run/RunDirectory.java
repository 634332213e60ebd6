package siemload.run;

import com.sun.jna.Function;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.config.directory.Ownership.ForeignDirectory;
import siemload.results.RunFile;

/**
 * The directory of one run's results: {@code <results>/<runId>/}. Close it when the run has ended. Immutable.
 *
 * @param path the directory, which exists
 */
public record RunDirectory(Path path, String runId, Instant startedAt) implements AutoCloseable {
    private static final FileAttribute<?> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final int MASK = 0077;
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * Creates a separate directory for a run, even if two runs start in the same second.
     *
     * @throws ConfigException if the results directory cannot be written
     */
    static RunDirectory create(RunPlan plan, Path results, Instant now) {
        String scenario = plan.scenario().name().replaceAll("[^A-Za-z0-9]+", "-");
        String name = String.join("-", scenario, plan.choice().plugin().id(), timestamp(now));
        protectNewFiles();
        try {
            Files.createDirectories(results);
            Ownership.ofThisUser().requireOwn(results);
            for (int attempt = 1; ; attempt++) {
                String runId = attempt == 1 ? name : name + "-" + attempt;
                try {
                    Path path = Files.createDirectory(results.resolve(runId), OWNER_ALONE);
                    return new RunDirectory(path, runId, now);
                } catch (FileAlreadyExistsException taken) {
                    // another run started in the same second: try the next name
                }
            }
        } catch (ForeignDirectory foreign) {
            throw plan.refusal(Property.RESULTS, "results: " + RegularFile.reason(foreign));
        } catch (IOException unwritable) {
            boolean isFile = unwritable instanceof FileAlreadyExistsException;
            String why = isFile ? unwritable.getMessage() + " is not a directory" : RegularFile.reason(unwritable);
            String wayOut = " (choose another with -Dresults=DIR)";
            throw plan.refusal(Property.RESULTS, "results cannot be written to " + results + ": " + why + wayOut);
        }
    }

    /** Makes the link {@code <results>/latest} lead to this run, if the file system supports symbolic links. */
    void markLatest() throws IOException {
        Path latest = path.resolveSibling("latest");
        Path fresh = path.resolveSibling("latest." + runId);
        try {
            Files.createSymbolicLink(fresh, Path.of(runId));
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            if (Files.exists(latest, LinkOption.NOFOLLOW_LINKS)) {
                throw noLinks;
            }
            return; // Then runs are found only by their names.
        }
        try {
            Files.move(fresh, latest, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Removes the directory if nothing was measured in the run. */
    @Override
    public void close() throws IOException {
        if (!Files.exists(RunFile.RUN.in(path)) && !Files.exists(RunFile.TIMELINE.in(path))) {
            DirectoryTree.delete(path);
        }
    }

    /** Formats a time for the names of directories, so that names sort by time: {@code 20261121-101500}, in UTC. */
    public static String timestamp(Instant time) {
        return TIMESTAMP.format(time);
    }

    /**
     * Makes all files that this process writes from now on private: results contain the values that were searched for, which are personal
     * data in real recordings. Sets the umask of this process, which also applies to Gatling and to child processes.
     */
    public static void protectNewFiles() {
        try {
            int unused = Function.getFunction("c", "umask").invokeInt(new Object[] {MASK});
        } catch (LinkageError unloadable) {
            // Even without a mask, the permissions of results directories protect their contents.
        }
    }
}
