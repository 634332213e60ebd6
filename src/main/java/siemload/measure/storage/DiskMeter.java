package siemload.measure.storage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.results.BrokenFileException;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.StorageResult.Point;

/**
 * Measures what a disk can do by fio, point by point, through a file of its own that is gone once this is closed. Closing is
 * thread-safe and may come at any time, also before the file is made; everything else is for one thread.
 */
public final class DiskMeter implements AutoCloseable {
    private static final String INSTALL =
            "the program fio, which measures disks, is not on the PATH (install it: apt-get install fio on Debian and Ubuntu,"
                    + " dnf install fio on Red Hat and Fedora, brew install fio on macOS)";
    /** More than that beside small operations was somebody else's. */
    private static final double MOST_BESIDE = 1.1;

    private final Options options;
    private final Fio fio;
    private final Consumer<String> commands;
    private final Set<String> notes = new LinkedHashSet<>();
    private Optional<TestFile> file = Optional.empty();
    private boolean closed;

    private DiskMeter(Options options, Fio fio, Consumer<String> commands) {
        this.options = options;
        this.fio = fio;
        this.commands = commands;
    }

    /**
     * What is measured and how.
     *
     * @param directory below which the file is made
     * @param fileBytes its size
     * @param moreBytes what else will be written to the same disk meanwhile
     * @param writePercent how many of a hundred operations write
     * @param duration of each point, in whole seconds
     * @param outputs the directory that takes what fio says
     */
    public record Options(
            Path directory, long fileBytes, long moreBytes, int writePercent, Duration duration, Path outputs) {}

    /**
     * Finds fio, and touches nothing.
     *
     * @param commands hears each command line before it is run
     * @throws ConfigException if there is no fio
     */
    public static DiskMeter of(Options options, Consumer<String> commands) throws InterruptedException {
        Fio fio = Fio.find(options.outputs())
                .orElseThrow(() -> new ConfigException(new Origin.WholeFile("fio"), INSTALL));
        return new DiskMeter(options, fio, commands);
    }

    /** The program with its version. */
    public String program() {
        return fio.version();
    }

    /** Makes the file. @throws ConfigException if the directory is none to be measured */
    public synchronized void makeFile() {
        if (closed) {
            throw new TargetException("stopped");
        }
        file = Optional.of(TestFile.create(options.directory(), options.fileBytes(), options.moreBytes()));
    }

    /**
     * Fills the file.
     *
     * @return the command line
     * @throws TargetException if fio failed
     */
    public String fill() throws InterruptedException {
        FioCommand command = FioCommand.preparation(target());
        run("fill", command);
        return command.text();
    }

    /**
     * Measures one point.
     *
     * @param series in the name of the file for what fio says: {@code idle}
     * @throws TargetException if fio failed, or a cache answered instead of the disk
     */
    public Point measure(String series, MatrixPoint point) throws InterruptedException {
        FioCommand command = FioCommand.of(target(), point, options.writePercent(), options.duration());
        FioOutput output = run(series + "-" + point.name(), command);
        output.refusal().ifPresent(why -> {
            throw new TargetException(point.name() + ": " + why + " (the command was: " + command.text() + ")");
        });
        return new Point(
                point.blockBytes(),
                point.small(),
                point.large(),
                rounded(output.operationsPerSecond()),
                rounded(output.bytesPerSecond() / FioCommand.LARGE_BYTES),
                rounded(output.meanLatencyMicros()),
                command.text());
    }

    /** What must be known to use these figures. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    private FioOutput run(String name, FioCommand command) throws InterruptedException {
        file.orElseThrow().requireOurs();
        commands.accept(command.text());
        FioOutput output = fio.run(name, command);
        file.orElseThrow().requireOurs();
        if (output.diskOperations().isEmpty()) {
            notes.add(
                    "the system does not tell what this disk did, so that nobody could see whether a cache answered instead");
        }
        output.diskOperations()
                .filter(all -> name.startsWith("idle-small") && all > output.operations() * MOST_BESIDE)
                .ifPresent(all -> notes.add(String.format(
                        Locale.ROOT,
                        "%s: others used the disk, too: it did %,d operations, of which %,d were measured",
                        name,
                        all,
                        output.operations())));
        return output;
    }

    private FioCommand.Target target() {
        Path path = file.orElseThrow().path();
        return new FioCommand.Target(path, options.fileBytes(), fio.engine());
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    /** Ends what runs, and deletes the file. */
    @Override
    public void close() {
        fio.stop();
        synchronized (this) {
            closed = true;
            try {
                if (file.isPresent()) {
                    file.orElseThrow().close();
                }
            } catch (IOException undeletable) {
                throw new UncheckedIOException(
                        file.orElseThrow().path() + " could not be deleted: " + undeletable.getMessage(), undeletable);
            }
        }
    }

    /**
     * The program fio. One job runs at a time; it ends with this process, however that ends. {@link #stop} may be called by any
     * thread, everything else by one.
     */
    private static final class Fio {
        private static final Path SHELL = Path.of("/bin/sh");
        /** Starts a session of its own, so that a terminal's Ctrl-C is left to siemload. */
        private static final Path SESSION = Path.of("/usr/bin/setsid");

        private static final int PATIENCE_SECONDS = 10;

        private final Path outputs;
        private final String version;
        private final String engine;
        private Optional<Process> running = Optional.empty();
        private boolean stopped;

        private Fio(Path outputs, String version, String engine) {
            this.outputs = outputs;
            this.version = version;
            this.engine = engine;
        }

        /**
         * Finds the program on the path.
         *
         * @param outputs the directory that takes what it says
         * @return empty where there is none
         */
        static Optional<Fio> find(Path outputs) throws InterruptedException {
            Optional<String> version = said("fio", "--version").map(String::strip);
            if (version.isEmpty()) {
                return Optional.empty();
            }
            List<String> engines = said("fio", "--enghelp")
                    .orElse("")
                    .lines()
                    .map(String::strip)
                    .toList();
            String engine = engines.contains("libaio") ? "libaio" : "posixaio";
            return Optional.of(new Fio(outputs, version.orElseThrow(), engine));
        }

        String version() {
            return version;
        }

        /** What hands operations to the system. */
        String engine() {
            return engine;
        }

        /**
         * Runs a job to its end.
         *
         * @param name of the file for its output
         * @throws TargetException if fio failed, with what it said
         */
        FioOutput run(String name, FioCommand command) throws InterruptedException {
            Path output = outputs.resolve(name + ".json");
            Path errors = outputs.resolve(name + ".log");
            try {
                int code = start(command, output, errors).waitFor();
                if (code != 0) {
                    throw new TargetException("fio failed with " + code + ": " + lastOf(errors, output)
                            + " (the command was: " + command.text() + ")");
                }
                return FioOutput.parse(output.toString(), ResultText.of(output, output.toString()));
            } catch (BrokenFileException broken) {
                throw new TargetException(broken.getMessage() + " (the command was: " + command.text() + ")", broken);
            } catch (InterruptedException hurried) {
                stop();
                throw hurried;
            } catch (IOException unusable) {
                throw new UncheckedIOException("fio could not be run: " + unusable.getMessage(), unusable);
            } finally {
                forget();
            }
        }

        private synchronized Process start(FioCommand command, Path output, Path errors) throws IOException {
            if (stopped) {
                throw new TargetException("stopped");
            }
            List<String> guarded = new ArrayList<>();
            if (Files.isExecutable(SESSION)) {
                guarded.add(SESSION.toString());
            }
            guarded.addAll(List.of(SHELL.toString(), "-c", guard(), "guard"));
            guarded.addAll(command.arguments());
            Process process = withoutSettings(new ProcessBuilder(guarded))
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            running = Optional.of(process);
            return process;
        }

        private synchronized void forget() {
            running = Optional.empty();
        }

        /** Ends the job that runs, and all that are still to come. Returns when it has ended. */
        synchronized void stop() {
            stopped = true;
            running.ifPresent(process -> {
                List<ProcessHandle> all = process.descendants().toList();
                try {
                    process.getOutputStream().close();
                    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                        all.forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                        // One that waits for the disk ends later than its parent.
                        CompletableFuture.allOf(
                                        all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                                .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                                .join();
                    }
                } catch (IOException hasEnded) {
                    // there is nothing left to stop
                } catch (InterruptedException hurried) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private static String guard() throws IOException {
            try (InputStream script = Objects.requireNonNull(Fio.class.getResourceAsStream("guard.sh"), "guard.sh")) {
                return new String(script.readAllBytes(), StandardCharsets.UTF_8);
            }
        }

        private static String lastOf(Path errors, Path output) throws IOException {
            String said = Files.readString(errors).strip();
            return (said.isEmpty() ? Files.readString(output).strip() : said)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .reduce("it said nothing", (before, line) -> line);
        }

        private static ProcessBuilder withoutSettings(ProcessBuilder builder) {
            builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
            return builder;
        }

        private static Optional<String> said(String... command) throws InterruptedException {
            try {
                Process process = withoutSettings(new ProcessBuilder(command))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                process.getOutputStream().close();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
            } catch (IOException missing) {
                return Optional.empty();
            }
        }
    }

    /**
     * The one file that is written into the directory whose disk is measured: made anew under a name that nobody can foresee, for
     * its user alone, locked as long as it is used, and deleted when closed. Nothing else in the directory is touched but such
     * files that processes which were killed left there. Closing is thread-safe.
     */
    static final class TestFile implements AutoCloseable {
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
                        "lies in memory (" + type
                                + "): there is no disk to be measured (choose a directory on a disk)");
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
                return Arrays.stream(Class.forName("com.sun.nio.file.ExtendedOpenOption")
                                .getEnumConstants())
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

    /**
     * What fio measured in its one job, from its output in JSON. Immutable.
     *
     * @param operations reads and writes together
     * @param operationsPerSecond the same in a second
     * @param bytesPerSecond read and written
     * @param meanLatencyMicros of all operations, from handing one to the system to its end
     * @param diskOperations how many the disks did meanwhile, also for others, and merged ones one by one; empty where the system
     *     does not tell
     */
    record FioOutput(
            long operations,
            double operationsPerSecond,
            double bytesPerSecond,
            double meanLatencyMicros,
            Optional<Long> diskOperations) {

        /** Some of the operations may be merged by the time the disk gets them, but not most of them. */
        private static final double FEWEST_ON_DISK = 0.5;

        /**
         * Reads the output, in front of which fio may have put notes.
         *
         * @param place of the text in messages
         * @throws BrokenFileException if it is no such output, or fio met an error
         */
        static FioOutput parse(String place, String text) throws BrokenFileException {
            int start = text.startsWith("{") ? 0 : text.indexOf("\n{") + 1;
            JsonNode tree = ResultValue.tree(place, text.substring(start));
            JsonNode job = tree.path("jobs").path(0);
            if (!job.path("read").path("total_ios").isNumber()
                    || !job.path("write").path("total_ios").isNumber()) {
                throw new BrokenFileException(place + ": not the output of a job of fio in JSON");
            }
            if (job.path("error").asInt() != 0) {
                throw new BrokenFileException(
                        place + ": fio met error " + job.path("error").asInt());
            }
            JsonNode read = job.path("read");
            JsonNode write = job.path("write");
            long operations =
                    read.path("total_ios").asLong() + write.path("total_ios").asLong();
            double nanos = weightedNanos(read) + weightedNanos(write);
            return new FioOutput(
                    operations,
                    read.path("iops").asDouble() + write.path("iops").asDouble(),
                    read.path("bw_bytes").asDouble() + write.path("bw_bytes").asDouble(),
                    operations == 0 ? 0 : nanos / operations / 1e3,
                    onDisks(tree.path("disk_util")));
        }

        private static double weightedNanos(JsonNode direction) {
            return direction.path("lat_ns").path("mean").asDouble()
                    * direction.path("total_ios").asLong();
        }

        /** The first disk is the one below the file; those behind it, as of an array, do the same once more. */
        private static Optional<Long> onDisks(JsonNode disks) {
            Iterator<JsonNode> all = disks.elements();
            if (!all.hasNext()) {
                return Optional.empty();
            }
            JsonNode disk = all.next();
            return Optional.of(Stream.of("read_ios", "write_ios", "read_merges", "write_merges")
                    .mapToLong(key -> disk.path(key).asLong())
                    .sum());
        }

        /** Why these figures are not those of a disk; empty where nothing speaks against that. */
        Optional<String> refusal() {
            if (operations == 0) {
                return Optional.of("not one operation ended in time (take a longer --duration)");
            }
            return diskOperations
                    .filter(onDisk -> onDisk < operations * FEWEST_ON_DISK)
                    .map(onDisk -> String.format(
                            Locale.ROOT,
                            "fio counted %,d operations, but the disk did %,d: a cache of the system answered the others, although"
                                    + " they were asked for directly",
                            operations,
                            onDisk));
        }
    }
}
