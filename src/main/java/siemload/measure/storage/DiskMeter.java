package siemload.measure.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.TargetException;
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
}
