package siemload.database.postgresql.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
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

    /** The PostgreSQL programs on the class path, unpacked once beside the data. */
    static final class ServerBinaries {
        private static final int ANYONE_MAY_EXECUTE = 0111;
        private static final String SUM = "programs.sha256";
        private static final Pattern EXECUTED = Pattern.compile("(?:bin|lib)[/\\\\].*(?<!\\.a)");

        private ServerBinaries() {}

        /**
         * The directory that holds {@code bin}, {@code lib} and {@code share}; the caller holds the lock. Programs that are not as
         * they were unpacked are not run, but unpacked anew.
         *
         * @param notes hears of that
         */
        static Path unpack(Path directory, Consumer<String> notes) throws IOException {
            byte[] archive = archive();
            CRC32 checksum = new CRC32();
            checksum.update(archive);
            Path unpacked = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
            if (Files.isDirectory(unpacked)) {
                Ownership.ofThisUser().requirePrivate(unpacked);
                Path noted = unpacked.resolve(SUM);
                if (Files.isRegularFile(noted) && Files.readString(noted).equals(sum(unpacked))) {
                    return unpacked;
                }
                notes.accept("the programs in " + unpacked + " are not as they were unpacked (the disk, a clean-up, or"
                        + " somebody changed them); all were unpacked anew");
            }
            Path unfinished = directory.resolve("programs-unfinished");
            DirectoryTree.delete(unfinished);
            unpack(archive, unfinished);
            Files.writeString(unfinished.resolve(SUM), sum(unfinished));
            DirectoryTree.delete(unpacked);
            Files.move(unfinished, unpacked, StandardCopyOption.ATOMIC_MOVE);
            return unpacked;
        }

        private static byte[] archive() throws IOException {
            OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
            String system = machine.getName();
            String family = system.startsWith("Windows") ? "Windows" : system.startsWith("Mac") ? "Darwin" : system;
            String hardware = machine.getArch().replace("amd64", "x86_64");
            try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(family, hardware)) {
                return stream.readAllBytes();
            } catch (IllegalStateException e) {
                throw new TargetException(
                        "there is no embedded PostgreSQL for " + system + " on " + hardware
                                + "; install PostgreSQL, and name it with the property url",
                        e);
            }
        }

        private static void unpack(byte[] archive, Path directory) throws IOException {
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    Path path = directory.resolve(entry.getName()).normalize();
                    if (!path.startsWith(directory)) {
                        throw new IOException(
                                "the archive of PostgreSQL holds a path outside of it: " + entry.getName());
                    }
                    if (entry.isDirectory()) {
                        Files.createDirectories(path);
                    } else {
                        Files.createDirectories(path.resolveSibling("."));
                        unpack(tar, entry, path);
                    }
                }
            }
        }

        private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
            if (entry.isSymbolicLink() || entry.isLink()) {
                Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                return;
            }
            Files.copy(tar, path);
            if ((entry.getMode() & ANYONE_MAY_EXECUTE) != 0 && !path.toFile().setExecutable(true, false)) {
                throw new IOException("cannot make " + path + " executable");
            }
        }

        /**
         * The SHA-256 over the names and contents of all files that are executed, 55 MB in 0.1 to 0.4 s; those for whoever compiles
         * against the server are two fifths of all bytes, and left out. A link counts by where it leads to.
         */
        private static String sum(Path programs) throws IOException {
            try (Stream<Path> files = Files.walk(programs)) {
                MessageDigest sum = MessageDigest.getInstance("SHA-256");
                OutputStream summed = new DigestOutputStream(OutputStream.nullOutputStream(), sum);
                List<Path> executed = files.filter(file -> EXECUTED.matcher(
                                        programs.relativize(file).toString())
                                .matches())
                        .filter(file -> !Files.isDirectory(file))
                        .sorted()
                        .toList();
                for (Path file : executed) {
                    sum.update((programs.relativize(file) + "\n").getBytes(StandardCharsets.UTF_8));
                    if (Files.isSymbolicLink(file)) {
                        sum.update(Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8));
                    } else {
                        Files.copy(file, summed);
                    }
                }
                return HexFormat.of().formatHex(sum.digest());
            } catch (NoSuchAlgorithmException everyJavaHasIt) {
                throw new IllegalStateException(everyJavaHasIt);
            }
        }
    }
}
