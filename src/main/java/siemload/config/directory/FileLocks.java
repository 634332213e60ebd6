package siemload.config.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Locks of files by which processes of one machine keep out of each other's way. The operating system lets go of them when a
 * process ends, however it ends. Stateless and thread-safe.
 */
public final class FileLocks {
    private FileLocks() {}

    /**
     * Locks a directory by the file {@code lock} in it, until what is returned is closed.
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
            // As if it were another one.
        }
        file.close();
        return Optional.empty();
    }
}
