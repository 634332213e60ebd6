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
 * Directories for the embedded servers of tests. A server unpacks its programs into its own directory and makes its first database
 * there, which takes seconds that a user spends once and the tests would spend for each of their servers: here, the programs are
 * unpacked once and linked, and the first database is made once and copied. Safe for use by several processes.
 */
public final class ServerDirectory {
    private static final Path ALL = Path.of("target", "test servers");

    /** What all of them begin with; empty until the first one is asked for. */
    private static Optional<Model> model = Optional.empty();

    private ServerDirectory() {}

    /**
     * What was made once.
     *
     * @param data beside its password; each server has a copy of both
     */
    private record Model(Path programs, Path data) {}

    /** The directory of this name that belongs to this process of the tests alone; kept from one class to the next. */
    public static Path of(String name) {
        return furnished(ALL.resolve(name + "-" + System.getProperty("test.fork", "1")));
    }

    /** The directory that is given, made where there is none, with the programs in it. */
    public static Path withPrograms(Path directory) {
        return made(directory, false);
    }

    /** The same with a data directory, too. */
    public static Path furnished(Path directory) {
        return made(directory, true);
    }

    /** The directory of this name with a copy of the data in another one, whose server is stopped; what was in it is deleted. */
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
            // Tests of servers find that out for themselves; the others need none.
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

    /** Under another name until it is complete, as the first one was made. */
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
