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
     * Locks an open file.
     *
     * @return whether it is locked now; not where another process, or this one, holds it already
     */
    public static boolean tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    /**
     * Locks a directory by the file {@code lock} in it, until what is returned is closed.
     *
     * @return empty where it is held already
     */
    public static Optional<FileChannel> tryLock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(file)) {
            return Optional.of(file);
        }
        file.close();
        return Optional.empty();
    }
}
