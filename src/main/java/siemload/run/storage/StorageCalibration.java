package siemload.run.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;
import siemload.measure.environment.DiskFacts;
import siemload.measure.storage.DiskMeter;
import siemload.measure.storage.KeptStorage;
import siemload.measure.storage.MatrixPoint;
import siemload.results.FeederResult;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;
import siemload.results.StorageResult.Point;
import siemload.results.StorageResult.Series;
import siemload.results.TableReader;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/** Measures a disk as planned, and keeps what was found for later runs. Used by one thread. */
public final class StorageCalibration {
    private static final double KEEPS_UP = 0.99;

    private final RunHost host;
    private final StoragePlan plan;
    private final Disk disk;
    private final Instant when;
    private final Path details;

    private StorageCalibration(RunHost host, StoragePlan plan, Disk disk, Instant when) {
        this.host = host;
        this.plan = plan;
        this.disk = disk;
        this.when = when;
        this.details = plan.results().resolve("storage-" + TimestampName.of(when));
    }

    /**
     * What was found.
     *
     * @param file {@code storage.json}
     */
    public record Calibrated(StorageResult result, Path file) {}

    /**
     * Measures all points.
     *
     * @throws ConfigException if fio is missing, or the directory or the plan cannot be used
     * @throws siemload.database.TargetException if fio or the feeder fails
     * @throws IOException if results cannot be written
     */
    public static Calibrated measure(RunHost host, StoragePlan plan) throws IOException, InterruptedException {
        StorageCalibration calibration =
                new StorageCalibration(host, plan, DiskFacts.of(plan.directory()), Instant.now());
        calibration.requireFeederOnSameDisk();
        DiskMeter.Options options = new DiskMeter.Options(
                plan.directory(),
                plan.fileBytes(),
                plan.bytesOfEvents(),
                plan.writePercent(),
                plan.duration(),
                calibration.details);
        boolean verbose = host.settings().value(Property.VERBOSE);
        try (DiskMeter meter = DiskMeter.of(options, command -> calibration.say(verbose ? "  " + command : ""))) {
            host.onShutdown(meter::close);
            meter.makeFile();
            calibration.makeDirectory();
            host.line(plan.describe());
            return calibration.measure(meter);
        } finally {
            host.status("");
        }
    }

    private void say(String text) {
        if (!text.isEmpty()) {
            host.line(text);
        }
    }

    /** Elsewhere its events would load another disk. */
    private void requireFeederOnSameDisk() throws IOException {
        Disk ofCache = DiskFacts.of(plan.cache());
        boolean same = (disk.hasName() || ofCache.hasName())
                ? disk.name().equals(ofCache.name())
                : disk.mountPoint().equals(ofCache.mountPoint());
        if (plan.hasFeeder() && !same) {
            throw new ConfigException(
                    new Origin.Option("eps"),
                    String.format(
                            Locale.ROOT,
                            "the feeder's database lies in the cache, %s on %s, and would not use the disk of %s, %s (name a"
                                    + " directory on that disk by --cache)",
                            plan.cache(),
                            shown(ofCache),
                            plan.directory(),
                            shown(disk)));
        }
    }

    private static String shown(Disk disk) {
        return disk.hasName() ? disk.name() : disk.fileSystem() + " at " + disk.mountPoint();
    }

    /** One of its own, so that nothing that is there is touched. */
    private void makeDirectory() throws IOException {
        Files.createDirectories(plan.results());
        Ownership.ofThisUser().requireOwn(plan.results());
        try {
            Files.createDirectory(details);
        } catch (FileAlreadyExistsException taken) {
            throw new ConfigException(
                    host.settings().origin(Property.RESULTS),
                    details + " is there already: another calibration began in the same second (start it again)");
        }
    }

    private Calibrated measure(DiskMeter meter) throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        host.status("filling the file");
        String preparation = meter.fill();
        List<Series> series = new ArrayList<>();
        series.add(new Series(0, 0, points(meter, "idle", () -> {})));
        if (plan.hasFeeder()) {
            series.add(besideFeeder(meter, notes));
        }
        notes.addAll(0, meter.notes());
        notes.addAll(DeepestQueue.notes(series.get(0)));
        StorageResult result = new StorageResult(
                StorageResult.FORMAT_VERSION,
                when,
                plan.directory().toAbsolutePath().toString(),
                disk,
                new StorageResult.Method(
                        meter.program(),
                        plan.writePercent(),
                        plan.fileBytes(),
                        plan.duration().toSeconds(),
                        preparation),
                series,
                notes);
        return new Calibrated(result, new KeptStorage(plan.results(), plan.cache()).keep(result));
    }

    private Series besideFeeder(DiskMeter meter, List<String> notes) throws IOException, InterruptedException {
        host.status("starting the feeder");
        FeederBeside feeder = FeederBeside.start(host, plan, details);
        List<Point> points = points(meter, "fed", feeder::requireRunning);
        host.status("ending the feeder");
        FeederResult fed = feeder.end();
        if (fed.achievedRatio() < KEEPS_UP) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the feeder inserted %.1f of %s events a second: the disk, or this machine, was too slow for both",
                    fed.achievedEventsPerSecond(),
                    StoragePlan.rate(plan.eventsPerSecond())));
        }
        return new Series(plan.eventsPerSecond(), fed.achievedEventsPerSecond(), points);
    }

    private List<Point> points(DiskMeter meter, String series, Runnable afterEach) throws InterruptedException {
        List<Point> points = new ArrayList<>();
        for (MatrixPoint point : plan.points()) {
            host.status(String.format(
                    Locale.ROOT,
                    "measuring %s, %s (%d of %d)",
                    series,
                    point.name(),
                    points.size() + 1,
                    plan.points().size()));
            points.add(meter.measure(series, point));
            afterEach.run();
        }
        return points;
    }

    /** Whether a disk might do more than was asked of it. Stateless. */
    private static final class DeepestQueue {
        /** By so much, 5 %, the deepest queue must do better than all others. */
        private static final double MORE = 1.05;

        private DeepestQueue() {}

        /** For each size of small operations of which the deepest queue did decidedly most. */
        static List<String> notes(Series series) {
            List<String> notes = new ArrayList<>();
            for (int bytes : series.smallBlockBytes()) {
                List<Point> points = series.small(bytes).stream()
                        .sorted(Comparator.comparingInt(Point::small))
                        .toList();
                Point deepest = points.get(points.size() - 1);
                double others = points.stream()
                        .limit(points.size() - 1L)
                        .mapToDouble(Point::operationsPerSecond)
                        .max()
                        .orElse(0);
                if (deepest.operationsPerSecond() > others * MORE) {
                    notes.add(String.format(
                            Locale.ROOT,
                            "%d KiB: the deepest queue, %d, did most, so that the disk may do more with a deeper one (--small)",
                            bytes >> 10,
                            deepest.small()));
                }
            }
            return notes;
        }
    }

    /** A run in a process of its own whose feeder inserts events into an embedded database until it is told to end. Used by one thread. */
    private record FeederBeside(Process process, Path log, Path results) {
        private static final String SCENARIO = "feed.yaml";
        /** Loading the data set for the first time takes minutes on a slow disk. */
        private static final Duration PATIENCE = Duration.ofMinutes(20);

        private static final Duration PATIENCE_AT_END = Duration.ofMinutes(3);

        /**
         * Starts it, and returns when events arrive.
         *
         * @param directory takes its files; results of an earlier one must not be there
         * @throws TargetException if it ends before, with what it said last
         */
        static FeederBeside start(RunHost host, StoragePlan plan, Path directory)
                throws IOException, InterruptedException {
            Path scenario = directory.resolve(SCENARIO);
            try (InputStream stream = Objects.requireNonNull(
                    FeederBeside.class.getResourceAsStream("/siemload/run/storage/" + SCENARIO), SCENARIO)) {
                Files.copy(stream, scenario, StandardCopyOption.REPLACE_EXISTING);
            }
            Path log = directory.resolve("feeder.log");
            Path results = directory.resolve("feeder");
            List<String> options = List.of(
                    "--scenario",
                    scenario.toString(),
                    "--eps",
                    StoragePlan.rate(plan.eventsPerSecond()),
                    "--duration",
                    Durations.format(plan.patienceOfFeeder()),
                    "--cache",
                    plan.cache().toString(),
                    "--results",
                    results.toString(),
                    "--probes",
                    "false",
                    "--checks",
                    "0",
                    "--failOn",
                    "breakdown");
            Process process = new RunProcesses(host).start(options, log, RunProcesses.Environment.WITHOUT_SETTINGS);
            FeederBeside feeder = new FeederBeside(process, log, results);
            feeder.awaitEvents();
            return feeder;
        }

        private void awaitEvents() throws IOException, InterruptedException {
            long start = System.nanoTime();
            while (!eventsArrive()) {
                requireRunning();
                if (process.waitFor(200, TimeUnit.MILLISECONDS)) {
                    continue;
                }
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    process.destroy();
                    throw new TargetException(
                            "the feeder had not begun after " + PATIENCE.toMinutes() + " minutes (see " + log + ")");
                }
            }
        }

        /** @throws TargetException if it has ended by itself, with what it said last */
        void requireRunning() {
            if (!process.isAlive()) {
                throw new TargetException(
                        "the feeder beside ended: " + RunProcesses.lastLine(log) + " (see " + log + ")");
            }
        }

        /** In the measured phase, whose events alone are counted. */
        private boolean eventsArrive() throws IOException {
            boolean[] arrived = {false};
            for (Path run : runs()) {
                if (Files.exists(RunFile.TIMELINE.in(run))) {
                    try {
                        new TableReader(run, RunFile.TIMELINE)
                                .read(row -> arrived[0] |= row.second() > 0 && row.number("eventsAcknowledged") > 0);
                    } catch (IOException beingWritten) {
                        // its last row is not there yet, or not as a whole
                    }
                }
            }
            return arrived[0];
        }

        private List<Path> runs() throws IOException {
            if (!Files.isDirectory(results)) {
                return List.of();
            }
            try (Stream<Path> all = Files.list(results)) {
                return all.filter(run -> !Files.isSymbolicLink(run) && Files.isDirectory(run))
                        .toList();
            }
        }

        /**
         * Tells it to end, and waits for its results.
         *
         * @return what its feeder did
         * @throws TargetException if it left none
         */
        FeederResult end() throws IOException, InterruptedException {
            process.destroy();
            RunProcesses.await(process, PATIENCE_AT_END);
            for (Path run : runs()) {
                if (Files.exists(RunFile.RUN.in(run))) {
                    return RunResultFile.read(RunFile.RUN.in(run)).measured().feeder();
                }
            }
            throw new TargetException(
                    "the feeder beside left no results: " + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
    }
}
