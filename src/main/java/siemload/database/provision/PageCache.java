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
 * @see <a href="https://docs.kernel.org/admin-guide/sysctl/vm.html#drop-caches">drop_caches</a>
 */
final class PageCache {
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
    /** Pages, and what is known of directories and files. */
    private static final String EVERYTHING = "3";

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

    /** Why the whole cache of this machine cannot be emptied, and what can be done; empty if it can. */
    static Optional<String> refusalToDropAll() {
        if (Files.isWritable(DROP_CACHES)) {
            return Optional.empty();
        }
        return Optional.of(
                Files.exists(DROP_CACHES)
                        ? "only root may empty the cache of files of this machine, in which the container's files are: run"
                                + " as root, outside of containers, or take caches=lukewarm"
                        : "the cache of files can be emptied on Linux alone: take caches=lukewarm");
    }

    /** Empties the cache of all files of this machine, after what is not on disk yet was written. */
    static void dropAll() {
        try {
            int exitCode = new ProcessBuilder("sync").inheritIO().start().waitFor();
            if (exitCode != 0) {
                throw new TargetException("sync failed with exit code " + exitCode);
            }
            Files.writeString(DROP_CACHES, EVERYTHING);
        } catch (IOException e) {
            throw new TargetException("the cache of files of this machine cannot be emptied: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("emptying the cache of files was interrupted", e);
        }
    }
}
