package siemload.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import siemload.config.ConfigException;
import siemload.config.Property;

/**
 * Where one run's results go: {@code <results>/<runId>/}. Immutable.
 *
 * @param path the directory, which exists
 */
record RunDirectory(Path path, String runId, Instant startedAt) {

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
                Stamp.of(now));
        try {
            Files.createDirectories(results);
            for (int attempt = 1; ; attempt++) {
                String runId = attempt == 1 ? name : name + "-" + attempt;
                try {
                    return new RunDirectory(Files.createDirectory(results.resolve(runId)), runId, now);
                } catch (FileAlreadyExistsException taken) {
                    // another run started in the same second: try the next name
                }
            }
        } catch (IOException unwritable) {
            throw new ConfigException(
                    plan.settings().origin(Property.RESULTS),
                    "results cannot be written to " + results + ": " + unwritable + " (choose another with"
                            + " -Dresults=DIR)");
        }
    }

    /** Removes the directory if nothing was written into it. */
    void removeIfEmpty() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException notEmpty) {
            // it holds results
        }
    }

    /** Lets {@code <results>/latest} name this run: a link where the file system has them, otherwise a file. */
    void markLatest() throws IOException {
        Path latest = path.resolveSibling("latest");
        Path fresh = path.resolveSibling("latest." + runId);
        try {
            Files.createSymbolicLink(fresh, Path.of(runId));
        } catch (UnsupportedOperationException | IOException noLinks) {
            Files.writeString(fresh, runId + "\n");
        }
        Files.move(fresh, latest, StandardCopyOption.REPLACE_EXISTING);
    }
}
