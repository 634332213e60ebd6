package siemload.database.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;

/**
 * Directories for the embedded servers of tests. A server unpacks its programs into its own directory and creates its first database there.
 * This takes seconds, once for a user, but for each server in the tests. Here, the programs are unpacked once and linked, and the first
 * database is created once and copied. Safe for use by several processes.
 */
public final class ServerDirectory {
    private static final Path ALL = Path.of("target", "test servers");

    /** The model of all directories; empty until the first directory is requested. */
    private static Optional<Model> model = Optional.empty();

    private ServerDirectory() {}

    /**
     * The programs and the data that are created only once.
     *
     * @param data the data directory, next to its password; each server has a copy of the two
     */
    private record Model(Path programs, Path data) {}

    /** The directory of this name that belongs only to this test process. It is kept from one class to the next. */
    public static Path of(String name) {
        return furnished(ALL.resolve(name + "-" + System.getProperty("test.fork", "1")));
    }

    /** Returns the given directory with the programs in it, and creates it if it is missing. */
    public static Path withPrograms(Path directory) {
        return made(directory, false);
    }

    /** Returns the given directory with the programs and a data directory in it, and creates it if it is missing. */
    public static Path furnished(Path directory) {
        return made(directory, true);
    }

    /** The directory of this name with a copy of another directory's data, whose server is stopped. Earlier data in it are deleted. */
    static synchronized Path copyOf(Path other, String name) throws IOException {
        Path directory = withPrograms(ALL.resolve(name + "-" + System.getProperty("test.fork", "1")));
        Path data = model().data().getFileName();
        DirectoryTree.delete(directory.resolve(data));
        copy(other.resolve(data), directory.resolve(data));
        return directory;
    }

    private static synchronized Path made(Path directory, boolean withData) {
        try {
            Files.createDirectories(directory);
            link(directory, model().programs());
            Path data = directory.resolve(model().data().getFileName());
            if (withData && !Files.exists(data)) {
                copy(model().data(), data);
            }
        } catch (TargetException noneForThisMachine) {
            // Tests of servers detect this themselves; other tests need no programs.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }

    private static void link(Path directory, Path programs) throws IOException {
        Path link = directory.resolve(programs.getFileName());
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, programs);
        }
    }

    private static Model model() throws IOException {
        if (model.isEmpty()) {
            Path shared = Files.createDirectories(ALL.resolve("programs")).toAbsolutePath();
            try (FileChannel file = FileChannel.open(
                            shared.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = file.lock()) {
                Path programs = EmbeddedPostgresqlServer.unpacked(shared);
                Path directory = shared.resolve("data");
                Ownership.ofThisUser().makePrivate(directory);
                link(directory, programs);
                Path data = new EmbeddedPostgresqlServer(directory, () -> {})
                        .files()
                        .orElseThrow();
                model = Optional.of(new Model(programs, data));
            }
        }
        return model.orElseThrow();
    }

    /** Copies under another name until the copy is complete, as the first database was created. */
    private static void copy(Path from, Path to) throws IOException {
        String password = from.getFileName().toString().replace("data", "password");
        Files.copy(
                from.resolveSibling(password),
                to.resolveSibling(password),
                StandardCopyOption.COPY_ATTRIBUTES,
                StandardCopyOption.REPLACE_EXISTING);
        Path unfinished = to.resolveSibling("data-unfinished");
        DirectoryTree.delete(unfinished);
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Files.copy(path, unfinished.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.move(unfinished, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
