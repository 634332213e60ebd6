package siemload.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/** Tells, without opening it, whether a path is a file that can be read to its end. Stateless and thread-safe. */
public final class RegularFile {
    private RegularFile() {}

    /**
     * Refuses files that cannot be read.
     *
     * @throws ConfigException with all of them
     */
    public static void requireAll(List<Path> files) {
        Problems problems = new Problems();
        for (Path file : files) {
            refusal(file).ifPresent(reason -> problems.add(new Origin.WholeFile(file.toString()), reason));
        }
        problems.throwIfAny();
    }

    /**
     * Why it cannot be read; empty if nothing speaks against it. Pipes and devices are refused, since whoever opens one may
     * wait for ever, or never see its end.
     */
    public static Optional<String> refusal(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return Optional.of("is a directory (needed: a file)");
            }
            if (!attributes.isRegularFile()) {
                return Optional.of("is a pipe, a socket or a device (needed: a file; write it to one first)");
            }
            return Files.isReadable(file) ? Optional.empty() : Optional.of("may not be read (change its permissions)");
        } catch (NoSuchFileException e) {
            return Optional.of("there is no such file");
        } catch (IOException e) {
            return Optional.of("cannot be read: " + e);
        }
    }
}
