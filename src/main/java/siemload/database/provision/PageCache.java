package siemload.database.provision;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.database.TargetException;

/**
 * What the operating system keeps of files in memory. Only Linux is known here.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/posix_fadvise.2.html">posix_fadvise(2)</a>
 */
final class PageCache {
    private static final int READ_ONLY = 0;
    private static final int DONT_NEED = 4;

    private PageCache() {}

    /** Functions of the C library. */
    private static final class SystemCalls {
        static {
            Native.register(SystemCalls.class, "c");
        }

        /** Fails where the library cannot be loaded. */
        static void load() {}

        static native int open(String path, int flags) throws LastErrorException;

        static native int fdatasync(int file) throws LastErrorException;

        static native int posix_fadvise(int file, NativeLong offset, NativeLong length, int advice)
                throws LastErrorException;

        static native int close(int file) throws LastErrorException;
    }

    /** Why the system cannot be made to forget files, and what can be done; empty if it can. */
    static Optional<String> refusalToForget() {
        if (!Files.isDirectory(Path.of("/proc/sys/vm"))) {
            return Optional.of(
                    "the system's cache of files can be emptied on Linux alone (allowed here: lukewarm, hot)");
        }
        try {
            SystemCalls.load();
            return Optional.empty();
        } catch (LinkageError unloadable) {
            return Optional.of(
                    "the C library cannot be called from Java, which is needed to empty the system's cache of"
                            + " files: " + unloadable.getMessage());
        }
    }

    /**
     * Makes the system forget all files below a directory. Any user may do that with files of its own, and other programs
     * keep theirs.
     */
    static void forget(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(Files::isRegularFile).forEach(PageCache::forgetFile);
        } catch (IOException | UncheckedIOException | LastErrorException e) {
            throw new TargetException(
                    "the system's cache of the files in " + directory + " cannot be emptied: " + e, e);
        }
    }

    /** What is not on disk yet would stay. */
    private static void forgetFile(Path path) {
        int file = SystemCalls.open(path.toString(), READ_ONLY);
        try {
            SystemCalls.fdatasync(file);
            int error = SystemCalls.posix_fadvise(file, new NativeLong(0), new NativeLong(0), DONT_NEED);
            if (error != 0) {
                throw new LastErrorException(error);
            }
        } finally {
            SystemCalls.close(file);
        }
    }
}
