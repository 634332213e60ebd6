package siemload.database.postgresql.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import siemload.database.TargetException;

/**
 * Directories for the embedded servers of tests. A server unpacks its programs into its own directory, which takes seconds
 * that a user spends once and the tests would spend for each of their servers: here, they are unpacked once and linked.
 * Safe for use by several processes.
 */
public final class ServerDirectory {
    private static final Path ALL = Path.of("target", "test servers");

    private ServerDirectory() {}

    /** The directory of this name that belongs to this process of the tests alone; kept from one class to the next. */
    public static Path of(String name) {
        return withPrograms(ALL.resolve(name + "-" + System.getProperty("test.fork", "1")));
    }

    /** The directory that is given, made where there is none, with the programs in it. */
    public static synchronized Path withPrograms(Path directory) {
        try {
            Files.createDirectories(directory);
            Path programs = unpacked();
            Path link = directory.resolve(programs.getFileName());
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, programs);
            }
        } catch (TargetException noneForThisMachine) {
            // Tests of servers find that out for themselves; the others need none.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }

    private static Path unpacked() throws IOException {
        Path shared = Files.createDirectories(ALL.resolve("programs")).toAbsolutePath();
        try (FileChannel file =
                        FileChannel.open(shared.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            return ServerBinaries.unpack(shared, note -> {});
        }
    }
}
