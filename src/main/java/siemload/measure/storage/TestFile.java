package siemload.measure.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;

/**
 * The one file that is written into the directory whose disk is measured: made anew under a name that nobody can foresee, for
 * its user alone, locked as long as it is used, and deleted when closed. Nothing else in the directory is touched but such
 * files that processes which were killed left there. Closing is thread-safe.
 */
public final class TestFile implements AutoCloseable {
    private static final String PREFIX = "siemload-storage-";
    private static final String SUFFIX = ".bin";
    private static final Pattern NAME = Pattern.compile(PREFIX + "\\d+" + Pattern.quote(SUFFIX));
    /** What others of the disk's users must still have: databases stop where a disk is full. */
    private static final long RESERVE_BYTES = 1L << 30;
    /** File systems that lie in memory; later kernels take direct operations there, too. */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");

    private final Path path;
    private final Object key;
    private final FileChannel lock;

    private TestFile(Path path, Object key, FileChannel lock) {
        this.path = path;
        this.key = key;
        this.lock = lock;
    }

    /**
     * Makes the file.
     *
     * @param directory as the user named it
     * @param bytes how large the file will become
     * @param moreBytes what else will be written to that disk meanwhile
     * @throws ConfigException if the directory cannot be used, is not the user's, is being measured already, lies in memory, does not
     *     take direct operations, or has not enough space
     */
    public static TestFile create(Path directory, long bytes, long moreBytes) {
        Origin origin = new Origin.WholeFile(directory.toString());
        requireDirectory(origin, directory);
        try {
            Ownership.ofThisUser().requireOwn(directory);
            Path real = directory.toRealPath();
            requireDisk(origin, real);
            removeLeft(origin, real);
            requireSpace(origin, real, bytes, moreBytes);
            return create(origin, real, bytes);
        } catch (IOException unusable) {
            throw new ConfigException(origin, "no file can be made there: " + Reason.of(unusable));
        }
    }

    /** Its absolute path, without links. */
    public Path path() {
        return path;
    }

    /**
     * Sees to it that the file is still the one that was made, before it is written to.
     *
     * @throws ConfigException if somebody has put another one in its place
     */
    public void requireOurs() {
        if (!isOurs()) {
            throw new ConfigException(
                    new Origin.WholeFile(path.toString()),
                    "somebody removed this file or put another in its place, while it was being used (choose a directory of"
                            + " your own)");
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (lock.isOpen()) {
            if (isOurs()) {
                Files.deleteIfExists(path);
            }
            lock.close();
        }
    }

    private boolean isOurs() {
        try {
            return key.equals(keyOf(path));
        } catch (IOException gone) {
            return false;
        }
    }

    private static void requireDirectory(Origin origin, Path directory) {
        if (!Files.exists(directory)) {
            throw new ConfigException(
                    origin, "there is no such directory (name one on the disk that is to be measured)");
        }
        if (!Files.isDirectory(directory)) {
            throw new ConfigException(
                    origin,
                    "is no directory, and siemload neither reads nor writes devices or files that exist (name a directory on"
                            + " that disk: a file is made there, and deleted)");
        }
        if (!Files.isWritable(directory)) {
            throw new ConfigException(
                    origin, "this user may not make files there (choose another directory on the same disk)");
        }
    }

    private static void requireDisk(Origin origin, Path real) throws IOException {
        String type = Files.getFileStore(real).type();
        if (IN_MEMORY.contains(type)) {
            throw new ConfigException(
                    origin,
                    "lies in memory (" + type + "): there is no disk to be measured (choose a directory on a disk)");
        }
    }

    private static void requireSpace(Origin origin, Path real, long bytes, long moreBytes) throws IOException {
        long free = Files.getFileStore(real).getUsableSpace();
        long needed = bytes + moreBytes + RESERVE_BYTES;
        if (free < needed) {
            throw new ConfigException(
                    origin,
                    String.format(
                            Locale.ROOT,
                            "%,d MB are free, but %,d MB are needed: %,d for the file%s, and %,d that stay free for others (take a"
                                    + " smaller --size, or another disk)",
                            free >> 20,
                            needed >> 20,
                            bytes >> 20,
                            moreBytes == 0 ? "" : String.format(Locale.ROOT, ", %,d for events", moreBytes >> 20),
                            RESERVE_BYTES >> 20));
        }
    }

    private static TestFile create(Origin origin, Path real, long bytes) throws IOException {
        Path path = Files.createTempFile(
                real,
                PREFIX,
                SUFFIX,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            // Before the lock: whoever closes any channel of a file gives up all locks that its process has on it.
            requireDirect(origin, path, real);
            FileChannel lock = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            try {
                return locked(origin, path, lock, bytes);
            } catch (IOException | RuntimeException failed) {
                lock.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            Files.deleteIfExists(path);
            throw failed;
        }
    }

    private static TestFile locked(Origin origin, Path path, FileChannel lock, long bytes) throws IOException {
        if (!FileLocks.tryLock(lock)) {
            throw new ConfigException(origin, "somebody else locks " + path);
        }
        // At its full size, though without blocks: one that is too short fio would replace by another one.
        lock.write(ByteBuffer.allocate(1), bytes - 1);
        return new TestFile(path, keyOf(path), lock);
    }

    private static void requireDirect(Origin origin, Path path, Path real) throws IOException {
        try {
            FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS, direct())
                    .close();
        } catch (IOException | UnsupportedOperationException refused) {
            throw new ConfigException(
                    origin,
                    "its file system (" + Files.getFileStore(real).type()
                            + ") does not take operations past the page cache"
                            + " (O_DIRECT), so that the cache would be measured and not the disk (choose a directory on a disk)");
        }
    }

    /** By its name, since compilers warn of it: the option is the JDK's own, and Java has no other one. */
    private static OpenOption direct() {
        try {
            return Arrays.stream(
                            Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                    .map(OpenOption.class::cast)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .findFirst()
                    .orElseThrow(UnsupportedOperationException::new);
        } catch (ClassNotFoundException unknown) {
            throw new UnsupportedOperationException(unknown);
        }
    }

    /** Deletes what killed processes left; what one still uses is left alone, and named. */
    private static void removeLeft(Origin origin, Path real) throws IOException {
        for (Path left : left(real)) {
            Optional<ProcessHandle> user = user(left);
            if (user.isPresent() || !removed(left)) {
                throw new ConfigException(
                        origin,
                        user.map(process -> "process " + process.pid()).orElse("another siemload")
                                + " measures this disk already, by " + left.getFileName()
                                + " (wait until it has ended: two would measure each other)");
            }
        }
    }

    private static List<Path> left(Path real) throws IOException {
        List<Path> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(real)) {
            for (Path file : files.toList()) {
                if (NAME.matcher(file.getFileName().toString()).matches()
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Ownership.ofThisUser().owns(file)) {
                    left.add(file);
                }
            }
        }
        return left;
    }

    /** A fio that outlived its siemload has no lock, but the file in its command line. */
    private static Optional<ProcessHandle> user(Path file) {
        String name = file.getFileName().toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                                .command()
                                .filter(one -> one.endsWith("/fio"))
                                .isPresent()
                        && process.info()
                                .commandLine()
                                .filter(line -> line.contains(name))
                                .isPresent())
                .findFirst();
    }

    private static boolean removed(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (!FileLocks.tryLock(channel)) {
                return false;
            }
            Files.deleteIfExists(file);
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        }
    }

    /** What tells this file from any other one under its name. */
    private static Object keyOf(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isRegularFile()) {
            return "no file";
        }
        return Objects.requireNonNullElse(attributes.fileKey(), attributes.creationTime());
    }
}
