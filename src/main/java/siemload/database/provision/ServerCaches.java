package siemload.database.provision;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.database.EmbeddedServer;
import siemload.database.TargetException;

/**
 * Empties the caches that lie before the data of a server. Used by one thread.
 *
 * @param refusals why this cannot be had with this server on this machine, and what can be done; empty if it can
 * @param emptying empties them, and returns when the server accepts connections again, at the same address; all connections break,
 *     and a {@link TargetException} says why it failed
 */
public record ServerCaches(Function<Emptied, Optional<String>> refusals, Consumer<Emptied> emptying) {
    /** Which caches are emptied. */
    public enum Emptied {
        /** The server's own, by starting it anew. */
        SERVER,
        /** That, and what the operating system keeps of the server's files. */
        SERVER_AND_SYSTEM
    }

    /** Why this cannot be had, and what can be done; empty if it can. */
    public Optional<String> refusal(Emptied what) {
        return refusals.apply(what);
    }

    /** Empties them. @throws TargetException if that fails */
    public void empty(Emptied what) {
        emptying.accept(what);
    }

    /** The caches of a server that cannot be emptied, for this reason. */
    public static ServerCaches none(String reason) {
        return new ServerCaches(what -> Optional.of(reason), what -> {
            throw new TargetException(reason);
        });
    }

    /** The caches of a server that siemload started on this machine: its files are known and belong to this user. */
    static ServerCaches ofEmbedded(EmbeddedServer server) {
        if (server.files().isEmpty()) {
            return none("this target has no caches that could be emptied");
        }
        Path files = server.files().get();
        return new ServerCaches(
                what -> what == Emptied.SERVER || Files.isDirectory(Path.of("/proc/sys/vm"))
                        ? Optional.empty()
                        : Optional.of(
                                "the system's cache of files can be emptied on Linux alone (allowed here: lukewarm,"
                                        + " hot)"),
                what -> server.restart(what == Emptied.SERVER ? () -> {} : () -> PageCache.forget(files)));
    }

    /**
     * What the operating system keeps of files in memory.
     *
     * @see <a href="https://man7.org/linux/man-pages/man2/posix_fadvise.2.html">posix_fadvise(2)</a>
     */
    private static final class PageCache {
        private static final int READ_ONLY = 0;
        private static final int DONT_NEED = 4;

        static {
            Native.register(PageCache.class, "c");
        }

        private static native int open(String path, int flags) throws LastErrorException;

        private static native int fdatasync(int file) throws LastErrorException;

        private static native int posix_fadvise(int file, NativeLong offset, NativeLong length, int advice)
                throws LastErrorException;

        private static native int close(int file) throws LastErrorException;

        /** Has the system forget all files below a directory. Any user may do that with files of its own, and other programs keep theirs. */
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
            int file = open(path.toString(), READ_ONLY);
            try {
                fdatasync(file);
                int error = posix_fadvise(file, new NativeLong(0), new NativeLong(0), DONT_NEED);
                if (error != 0) {
                    throw new LastErrorException(error);
                }
            } finally {
                close(file);
            }
        }
    }
}
