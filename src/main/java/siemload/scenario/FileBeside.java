package siemload.scenario;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.RegularFile;

/**
 * A file that a scenario names. It lies beside the scenario or below that, since a scenario may come from somebody else, and what its
 * file reads ends up in a database and in results. Stateless.
 */
final class FileBeside {
    private FileBeside() {}

    /**
     * Finds it.
     *
     * @param directory of the scenario
     * @throws IllegalArgumentException with a message for people if it cannot be read, or lies elsewhere
     */
    static Path find(Path directory, String name) {
        try {
            Path relative = Path.of(name);
            boolean leavesIt = relative.isAbsolute()
                    || Stream.of(relative.toString().split("[/\\\\]", -1)).anyMatch(".."::equals);
            if (leavesIt) {
                throw new IllegalArgumentException("'" + name
                        + "' does not lie beside the scenario (allowed: a path from its directory, without ..)");
            }
            Path file = directory.resolve(relative);
            Optional<String> refusal = RegularFile.refusal(file);
            if (refusal.isPresent()) {
                throw new IllegalArgumentException(file + ": " + refusal.orElseThrow());
            }
            return file;
        } catch (InvalidPathException unusable) {
            throw new IllegalArgumentException("'" + name + "' cannot be read: " + unusable.getMessage(), unusable);
        }
    }
}
