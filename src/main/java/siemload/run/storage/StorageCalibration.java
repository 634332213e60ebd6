package siemload.run.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Ownership;
import siemload.measure.environment.DiskFacts;
import siemload.measure.storage.DiskMeter;
import siemload.measure.storage.KeptStorage;
import siemload.measure.storage.MatrixPoint;
import siemload.results.FeederResult;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;
import siemload.results.StorageResult.Point;
import siemload.results.StorageResult.Series;
import siemload.run.RunHost;
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
}
