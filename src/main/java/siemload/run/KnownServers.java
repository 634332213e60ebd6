package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The servers of others on which somebody has let siemload run before, in a file of the cache: a line each, with the user. Urls
 * hold no passwords. Immutable.
 *
 * @param file which need not be there
 */
record KnownServers(Path file) {

    /** Those of this cache. */
    static KnownServers of(RunPlan plan) {
        return new KnownServers(plan.cache().resolve("known-servers.txt"));
    }

    /** Whether a run may go ahead there without being told once more. */
    boolean has(String url, String user) {
        try {
            return Files.exists(file) && Files.readAllLines(file).contains(line(url, user));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot be read: " + file, unreadable);
        }
    }

    /** Writes down that it may. */
    void add(String url, String user) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, List.of(line(url, user)), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot be written: " + file, unwritable);
        }
    }

    private static String line(String url, String user) {
        return user + " " + url;
    }
}
