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

/** Deletes or locks a directory with all of its contents. Stateless and thread-safe. */
public final class DirectoryTree {
    private DirectoryTree() {}

    /** Deletes a directory, if it exists. Links are deleted at all levels, but never followed. */
    public static void delete(Path directory) throws IOException {
        while (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> all = Files.walk(directory)) {
                // In reverse order, contents come before their directory.
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (NoSuchFileException alreadyDeleted) {
                // Other processes also delete in this directory: the next pass lists the files that are left.
            } catch (UncheckedIOException unread) {
                if (!(unread.getCause() instanceof NoSuchFileException)) {
                    throw unread.getCause();
                }
            }
        }
    }

    /**
     * Locks a directory against other processes of this machine, with the file {@code lock} in it, until the result is closed; empty if
     * the lock is held already. The operating system releases the lock when a process ends, however it ends.
     */
    public static Optional<FileChannel> tryLock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return Optional.of(file);
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            // A lock held by this process counts like a lock held by another process.
        }
        file.close();
        return Optional.empty();
    }
}
