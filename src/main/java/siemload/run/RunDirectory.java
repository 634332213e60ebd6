package siemload.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;

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
        requireUsable(plan);
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
        } catch (IOException unwritable) {
            throw unwritable(plan, Reason.of(unwritable));
        }
    }

    /**
     * Looks whether results could be written, without making anything.
     *
     * @throws ConfigException if not
     */
    static void requireUsable(RunPlan plan) {
        Path results = plan.settings().value(Property.RESULTS).toAbsolutePath();
        Path there = results;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            throw unwritable(plan, there + " is no directory");
        }
        if (!Files.isWritable(there)) {
            throw unwritable(plan, "nothing may be written in " + there);
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
}
