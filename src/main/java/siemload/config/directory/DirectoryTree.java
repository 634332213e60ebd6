package siemload.config.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory with everything in it. Stateless and thread-safe. */
public final class DirectoryTree {
    private DirectoryTree() {}

    /** Deletes a directory, if it exists. Links are deleted, at the top as well as below, but never followed. */
    public static void delete(Path directory) throws IOException {
        while (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> all = Files.walk(directory)) {
                // In reverse order, contents come before their directory.
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (NoSuchFileException alreadyDeleted) {
                // Other processes delete here as well: the next pass lists what is left.
            } catch (UncheckedIOException unread) {
                if (!(unread.getCause() instanceof NoSuchFileException)) {
                    throw unread.getCause();
                }
            }
        }
    }

    /**
     * Locks a directory with the file {@code lock} in it until the result is closed, against other processes of this machine. The operating
     * system releases the lock when a process ends, however it ends.
     *
     * @return empty if another process, or this one, holds the lock already
     */
    public static Optional<FileChannel> tryLock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return Optional.of(file);
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // The same as if another process held it.
        }
        file.close();
        return Optional.empty();
    }
}
