package siemload.target.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.ServerAddress;
import siemload.target.TargetException;

/**
 * A PostgreSQL server of the suite's own, with the programs of {@code io.zonky.test}. Its directory holds the programs,
 * one data directory for each major version, the password, the server's log and the lock.
 */
final class EmbeddedPostgresqlServer implements EmbeddedServer {
    private final ServerAddress address;
    private final DataDirectory data;
    private final String settings;
    private final List<String> arguments;
    private final DirectoryLock lock;
    private boolean closed;

    private EmbeddedPostgresqlServer(
            ServerAddress address, DataDirectory data, String settings, List<String> arguments, DirectoryLock lock) {
        this.address = address;
        this.data = data;
        this.settings = settings;
        this.arguments = arguments;
        this.lock = lock;
    }

    static EmbeddedServer start(EmbeddedOptions options) {
        Path directory = options.directory().toAbsolutePath().normalize();
        try {
            Files.createDirectories(directory);
            DirectoryLock lock = DirectoryLock.take(directory);
            try {
                return start(directory, options, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            String reason = e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
            throw new TargetException(
                    "cannot start the embedded PostgreSQL in " + directory + ": " + reason
                            + ". Give it a directory of this user on a disk with free space",
                    e);
        }
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    @Override
    public String causeOfEnd() {
        try {
            return data.causeOfEnd();
        } catch (IOException unknown) {
            return "";
        }
    }

    @Override
    public OptionalLong process() {
        try {
            return data.process();
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }

    @Override
    public Optional<Path> files() {
        return Optional.of(data.path());
    }

    @Override
    public synchronized void restart(Runnable whileStopped) {
        if (closed) {
            throw new TargetException("the embedded PostgreSQL was stopped for good");
        }
        try {
            data.stop();
            try {
                whileStopped.run();
            } finally {
                data.start(settings, arguments);
            }
        } catch (IOException e) {
            throw new TargetException("cannot restart the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (lock) {
            data.stop();
        } catch (IOException e) {
            throw new TargetException("cannot stop the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    private static EmbeddedServer start(Path directory, EmbeddedOptions options, DirectoryLock lock)
            throws IOException {
        requireFree(options.port());
        ServerPrograms programs = new ServerPrograms(ServerBinaries.unpack(directory), directory);
        DataDirectory data = DataDirectory.prepare(directory, programs);
        data.stopOrphan();
        int port = options.port() == 0 ? anyFreePort() : options.port();
        String settings = ServerSettings.of(port, options.sessions());
        List<String> arguments = new RunParameters(options.parameters()).arguments();
        data.start(settings, arguments);
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        ServerAddress address = new ServerAddress(url, DataDirectory.USER, data.password());
        return new EmbeddedPostgresqlServer(address, data, settings, arguments, lock);
    }

    private static void requireFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new TargetException(
                    "port " + port + " on this machine cannot be used for the embedded PostgreSQL: " + e.getMessage()
                            + "; name another port, or none for any free one",
                    e);
        }
    }

    private static int anyFreePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
