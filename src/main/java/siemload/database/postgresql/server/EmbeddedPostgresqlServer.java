package siemload.database.postgresql.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
                Optional<String> difference = ProgramManifest.difference(unpacked);
                if (difference.isEmpty()) {
                    return unpacked;
                }
                notes.accept(unpacked.resolve(difference.orElseThrow())
                        + " is not as it was unpacked (the disk, a clean-up, or somebody changed it); all programs were unpacked"
                        + " anew");
            }
            Path unfinished = directory.resolve("programs-unfinished");
            DirectoryTree.delete(unfinished);
            unpack(archive, unfinished);
            ProgramManifest.write(unfinished);
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
         * What the unpacked programs and libraries of a server looked like: the SHA-256 of each file that is executed, noted when they
         * were unpacked. Before each start it tells whether they still do, which takes about 0.1 s.
         */
        private static final class ProgramManifest {
            private static final String FILE = "manifest.sha256";
            private static final List<String> EXECUTED = List.of("bin", "lib");
            /** For whoever compiles against the server; it is two fifths of all bytes. */
            private static final String ARCHIVES_OF_OBJECTS = ".a";

            private ProgramManifest() {}

            /** Notes what has just been unpacked. */
            static void write(Path programs) throws IOException {
                Files.write(programs.resolve(FILE), lines(programs));
            }

            /** The first file that is not as it was, or is too many or too few; empty if all are. */
            static Optional<String> difference(Path programs) throws IOException {
                if (!Files.isRegularFile(programs.resolve(FILE))) {
                    return Optional.of(FILE);
                }
                Set<String> noted = new HashSet<>(Files.readAllLines(programs.resolve(FILE)));
                List<String> found = lines(programs);
                Stream<String> more = found.stream().filter(line -> !noted.contains(line));
                Stream<String> fewer = noted.stream().filter(line -> !found.contains(line));
                return Stream.concat(more, fewer)
                        .map(line -> line.replaceFirst(".*? {2}", ""))
                        .sorted()
                        .findFirst();
            }

            private static List<String> lines(Path programs) throws IOException {
                try {
                    return files(programs).parallelStream()
                            .map(file -> hash(file) + "  " + programs.relativize(file))
                            .sorted()
                            .toList();
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }

            private static List<Path> files(Path programs) throws IOException {
                List<Path> all = new ArrayList<>();
                for (String part : EXECUTED) {
                    if (Files.isDirectory(programs.resolve(part))) {
                        try (Stream<Path> files = Files.walk(programs.resolve(part))) {
                            files.filter(file -> !Files.isDirectory(file)
                                            && !file.toString().endsWith(ARCHIVES_OF_OBJECTS))
                                    .forEach(all::add);
                        }
                    }
                }
                return all;
            }

            /** A link counts by where it leads to; what is there is hashed under its own name. */
            private static String hash(Path file) {
                try {
                    if (Files.isSymbolicLink(file)) {
                        return "-> " + Files.readSymbolicLink(file);
                    }
                    MessageDigest digest = MessageDigest.getInstance("SHA-256");
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                        digest.update(channel.map(MapMode.READ_ONLY, 0, channel.size()));
                    }
                    return HexFormat.of().formatHex(digest.digest());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (NoSuchAlgorithmException everyJavaHasIt) {
                    throw new IllegalStateException(everyJavaHasIt);
                }
            }
        }
    }
}
