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

/** A directory with all that is in it. Stateless and thread-safe. */
public final class DirectoryTree {
    private DirectoryTree() {}

    /** Deletes it, if it exists. A link is deleted itself, at the top as well as below; links are never followed. */
    public static void delete(Path directory) throws IOException {
        while (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> all = Files.walk(directory)) {
                // What lies in a directory stands behind it.
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (NoSuchFileException alreadyDeleted) {
                // Others delete here as well: what is left is looked up again.
            } catch (UncheckedIOException unread) {
                if (!(unread.getCause() instanceof NoSuchFileException)) {
                    throw unread.getCause();
                }
            }
        }
    }

    /**
     * Locks a directory by the file {@code lock} in it until the result is closed, against other processes of this machine. The operating
     * system releases the lock when a process ends, however it ends.
     *
     * @return empty where another process, or this one, holds it already
     */
    public static Optional<FileChannel> tryLock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return Optional.of(file);
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // As if another process held it.
        }
        file.close();
        return Optional.empty();
    }
}
