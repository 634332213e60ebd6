package siemload.database.postgresql.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/**
 * A PostgreSQL server of the suite's own, with the programs of {@code io.zonky.test}. Its directory holds the programs,
 * one data directory for each major version, the password, the server's log and the lock.
 */
public final class EmbeddedPostgresqlServer implements EmbeddedServer {
    private final ServerAddress address;
    private final DataDirectory data;
    private final String settings;
    private final List<String> arguments;
    private final FileChannel lock;
    private final List<String> notes;
    private boolean closed;

    private EmbeddedPostgresqlServer(
            ServerAddress address,
            DataDirectory data,
            String settings,
            List<String> arguments,
            FileChannel lock,
            List<String> notes) {
        this.address = address;
        this.data = data;
        this.settings = settings;
        this.arguments = arguments;
        this.lock = lock;
        this.notes = new CopyOnWriteArrayList<>(notes);
    }

    public static EmbeddedServer start(EmbeddedOptions options) {
        Path directory = options.directory().toAbsolutePath().normalize();
        try {
            Ownership.ofThisUser().makePrivate(directory);
            FileChannel lock = lock(directory);
            try {
                return start(directory, options, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new TargetException(
                    "cannot start the embedded PostgreSQL in " + directory + ": " + Reason.of(e)
                            + ". Give it a directory of this user on a disk with free space",
                    e);
        }
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    @Override
    public List<String> notes() {
        return List.copyOf(notes);
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
            data.stop(notes::add);
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
            data.stop(notes::add);
        } catch (IOException e) {
            throw new TargetException("cannot stop the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    private static EmbeddedServer start(Path directory, EmbeddedOptions options, FileChannel lock) throws IOException {
        List<String> notes = new ArrayList<>();
        ServerPrograms programs = new ServerPrograms(ServerBinaries.unpack(directory, notes::add), directory);
        DataDirectory data = DataDirectory.prepare(directory, programs);
        String password = data.password();
        data.stopOrphan(notes::add);
        int port = anyFreePort();
        String settings = PostgresqlServerSettings.of(port, options.sessions());
        List<String> arguments = new PostgresqlRunParameters(options.parameters()).arguments();
        data.start(settings, arguments);
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        ServerAddress address = new ServerAddress(url, DataDirectory.USER, password);
        try {
            data.requireLogin(address);
            data.furnish(address);
        } catch (TargetException refused) {
            data.stop(notes::add);
            throw refused;
        }
        return new EmbeddedPostgresqlServer(address, data, settings, arguments, lock, notes);
    }

    /** Holds the directory for this process; the operating system lets go of it when the process ends, however it ends. */
    private static FileChannel lock(Path directory) throws IOException {
        return FileLocks.tryLock(directory)
                .orElseThrow(() -> new TargetException("another run uses the embedded server in " + directory
                        + "; wait until it has ended, or give this run another cache directory"));
    }

    private static int anyFreePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
