package siemload.database.provision;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;

/**
 * A server that is ready for a run. Closing gives it back: a server of our own stops. Thread-safe.
 *
 * @param provision where it comes from
 * @param server what is known of it: of one that siemload did not start on this machine the address alone
 * @param container what it runs in: {@code image}, {@code imageId}, {@code memory}, {@code cpus}, {@code sharedMemory},
 *     {@code command}; empty where it runs in no container of ours
 * @param release what closing does
 */
public record ProvidedServer(
        Provision provision, EmbeddedServer server, Map<String, String> container, Runnable release)
        implements AutoCloseable {

    /** Hears how the start of a server is going. Thread-safe. */
    public interface Listener {

        /** Something that stays. */
        void line(String text);

        /** Something that holds until the next text; an empty one clears it. */
        void status(String text);
    }

    /** Which caches are emptied. */
    public enum Emptied {
        /** The server's own, by starting it anew. */
        SERVER,
        /** That, and what the operating system keeps of the server's files. */
        SERVER_AND_SYSTEM
    }

    public ProvidedServer {
        container = Collections.unmodifiableMap(new TreeMap<>(container));
    }

    /**
     * A server on this machine, stopped when it is closed.
     *
     * @param listener hears what people should know of its start and its end
     * @throws TargetException if it cannot be started
     */
    public static ProvidedServer embedded(TargetPlugin plugin, EmbeddedOptions options, Listener listener) {
        EmbeddedServer server = plugin.startEmbedded(options);
        server.notes().forEach(listener::line);
        return new ProvidedServer(Provision.EMBEDDED, server, Map.of(), () -> {
            int said = server.notes().size();
            server.close();
            server.notes().stream().skip(said).forEach(listener::line);
        });
    }

    /** A server that somebody else started and stops. */
    public static ProvidedServer external(ServerAddress address) {
        return new ProvidedServer(Provision.EXTERNAL, () -> address, Map.of(), () -> {});
    }

    /** Where it listens, and who asks. */
    public ServerAddress address() {
        return server.address();
    }

    /** Why these caches cannot be emptied with this server on this machine, and what can be done; empty if they can. */
    public Optional<String> refusal(Emptied what) {
        return switch (provision) {
            case EXTERNAL -> Optional.of("nobody here may restart your server: take caches=hot or asFound");
            case CONTAINER ->
                Optional.of("the caches of a server in a container cannot be emptied: run it embedded, or take"
                        + " caches=hot or asFound");
            case EMBEDDED -> {
                if (server.files().isEmpty()) {
                    yield Optional.of("this target has no caches that could be emptied");
                }
                boolean can = what == Emptied.SERVER || Files.isDirectory(Path.of("/proc/sys/vm"));
                yield can
                        ? Optional.empty()
                        : Optional.of("the system's cache of files can be emptied on Linux alone (allowed here:"
                                + " lukewarm, hot)");
            }
        };
    }

    /**
     * Empties caches that are not refused, on one thread, and returns when the server accepts connections again, at the same address; all
     * connections break.
     *
     * @throws TargetException if that fails
     */
    public void empty(Emptied what) {
        server.restart(() -> {
            if (what == Emptied.SERVER_AND_SYSTEM) {
                PageCache.forget(server.files().orElseThrow());
            }
        });
    }

    @Override
    public void close() {
        release.run();
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
