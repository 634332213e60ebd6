package siemload.run.storage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.results.ResultText;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.TableReader;
import siemload.run.RunDirectory;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * Measures by fio what a disk can do, through a file of its own that is deleted when this is closed. Closing is thread-safe and may come
 * at any time; everything else is for one thread.
 */
public final class DiskMeter implements AutoCloseable {
    /** What others of the disk's users must still have: databases stop where a disk is full. */
    private static final long RESERVE_BYTES = 1L << 30;
    /** Rows, indexes and log of an event, generously. */
    private static final long BYTES_OF_EVENT = 8 << 10;

    private static final List<Integer> SMALL_KIB = List.of(8, 32);
    private static final int LARGE_KIB = 1024;
    /** File systems that lie in memory; later kernels take direct operations there, too. */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");
    /** Starts a session of its own, so that a terminal's Ctrl-C is left to siemload. */
    private static final String SESSION = "/usr/bin/setsid";

    private final RunHost host;
    private final RunProcesses processes;
    private final Plan plan;
    private final Instant when = Instant.now();
    private final Path results;
    private final Path cache;
    private final Path details;
    private final String engine;
    private final Set<String> notes = new LinkedHashSet<>();
    private final Path file;

    /**
     * What is to be measured.
     *
     * @param duration of each point, in whole seconds
     * @param eventsPerSecond what a feeder inserts beside the second series; 0 for none
     * @param small how many small operations are under way, point by point; the same of large ones
     */
    public record Plan(
            Path directory,
            long fileBytes,
            Duration duration,
            int writePercent,
            double eventsPerSecond,
            List<Integer> small,
            List<Integer> large) {
        private int points() {
            return 2 * small.size() + large.size();
        }

        private long secondsOfSeries() {
            // Starting fio and reading what it says takes most of a second.
            return (long) (points() * (duration.toSeconds() + 0.7));
        }
    }

    /** One measurement: how many small or large operations were under way, and what came of both reads and writes, in MiB a second. */
    record Point(
            int blockBytes,
            int small,
            int large,
            double operationsPerSecond,
            double mebibytesPerSecond,
            double meanLatencyMicros,
            String command) {}

    /** All points; beside a feeder, how many events it was to insert, and how many it did, on average. */
    record Series(double eventsPerSecond, double achievedEventsPerSecond, List<Point> points) {}

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /**
     * Finds fio, and makes the file.
     *
     * @throws ConfigException if fio is missing, or the directory or the plan cannot be used
     */
    public DiskMeter(RunHost host, Plan plan) throws IOException {
        this.host = host;
        this.processes = new RunProcesses(host);
        this.plan = plan;
        this.results = host.settings().value(Property.RESULTS).toAbsolutePath();
        this.cache = host.settings().value(Property.CACHE).toAbsolutePath();
        this.details = results.resolve("storage-" + RunDirectory.timestamp(when));
        this.engine = engines().contains("libaio") ? "libaio" : "posixaio";
        if (plan.eventsPerSecond() > 0 && !disk(cache).equals(disk(plan.directory()))) {
            throw new ConfigException(
                    new Origin.Option("eps"),
                    "the feeder's database lies in the cache, " + cache + " on " + disk(cache) + ", and not on "
                            + disk(plan.directory()) + " (name a directory there by --cache)");
        }
        this.file = makeFile();
        host.onShutdown(this::close);
    }

    /** The disk of a directory that exists or is to be made; two that are called the same are taken for one. */
    private static String disk(Path directory) throws IOException {
        Path place = directory.toAbsolutePath().normalize();
        for (Path parent = place.getParent(); parent != null && !Files.exists(place); parent = place.getParent()) {
            place = parent;
        }
        FileStore store = Files.getFileStore(place);
        return text("%s, %.0f GB (%s)", store.name(), store.getTotalSpace() / 1e9, store.type());
    }

    /** One under a name that nobody can foresee, for its user alone. */
    private Path makeFile() {
        if (!Files.isDirectory(plan.directory())) {
            throw refusal(
                    "is no directory, and siemload neither reads nor writes devices or files that exist (name a directory on"
                            + " the disk that is to be measured: a file is made there, and deleted)");
        }
        try {
            FileStore store = Files.getFileStore(plan.directory());
            if (IN_MEMORY.contains(store.type())) {
                throw refusal("lies in memory (" + store.type() + "): choose a directory on a disk");
            }
            Ownership.ofThisUser().requireOwn(plan.directory());
            long events = ((long) plan.eventsPerSecond()) * plan.secondsOfSeries() * BYTES_OF_EVENT;
            long needed = plan.fileBytes() + events + RESERVE_BYTES;
            if (store.getUsableSpace() < needed) {
                throw refusal(text(
                        "%,d MB are free, but %,d MB are needed, of which %,d stay free for others (take a smaller"
                                + " --size, or another disk)",
                        store.getUsableSpace() >> 20, needed >> 20, RESERVE_BYTES >> 20));
            }
            Path made = Files.createTempFile(plan.directory().toRealPath(), "siemload-storage-", ".bin");
            try (RandomAccessFile whole = new RandomAccessFile(made.toFile(), "rw")) {
                // At its full size, though without blocks: one that is too short fio would replace by another one.
                whole.setLength(plan.fileBytes());
            }
            return made;
        } catch (IOException unusable) {
            throw refusal("no file can be made there: " + Reason.of(unusable));
        }
    }

    private ConfigException refusal(String why) {
        return new ConfigException(new Origin.WholeFile(plan.directory().toString()), why);
    }

    /**
     * Measures all points, and keeps them in {@code storage.json} of the directory of results.
     *
     * @return what people read of it, as lines
     * @throws TargetException if fio or the feeder fails, or a cache answered instead of the disk
     */
    public List<String> measure() throws IOException, InterruptedException {
        Files.createDirectories(details);
        Ownership.ofThisUser().requireOwn(results);
        int runs = plan.eventsPerSecond() > 0 ? 2 : 1;
        String all = Durations.format(Duration.ofSeconds(plan.secondsOfSeries() * runs));
        String begun = "%d points of %ds each, through a file of %,d MB: about %s";
        long seconds = plan.duration().toSeconds();
        host.line(text(begun, plan.points() * runs, seconds, plan.fileBytes() >> 20, all));
        host.status("filling the file");
        // With what no disk can compress or knows already: what was never written is never read from a disk.
        String fill = command("fill", "--rw=write --bs=1m --iodepth=4 --refill_buffers --end_fsync=1");
        String program = fio("fill", fill).path("fio version").asText();
        List<Series> series = new ArrayList<>(List.of(new Series(0, 0, points("idle"))));
        if (runs == 2) {
            series.add(besideFeeder());
        }
        host.status("");
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("formatVersion", 1);
        result.put("when", when);
        result.put("directory", plan.directory().toAbsolutePath().toString());
        result.put("disk", disk(plan.directory()));
        result.put("program", program);
        result.put("writePercent", plan.writePercent());
        result.put("fileBytes", plan.fileBytes());
        result.put("secondsPerPoint", seconds);
        result.put("preparation", fill);
        result.put("series", series);
        result.put("notes", notes);
        WholeFile.write(results.resolve("storage.json"), ResultValue.text(result));
        return summary(series);
    }

    /** The lines of ORION's summary: the large operations stand below each size of small ones, as in each run of ORION. */
    private List<String> summary(List<Series> series) throws IOException {
        List<String> lines = new ArrayList<>(List.of(disk(plan.directory())));
        for (Series one : series) {
            String beside = one.eventsPerSecond() == 0
                    ? "idle"
                    : text(
                            "beside %.0f events/s (%.1f inserted)",
                            one.eventsPerSecond(), one.achievedEventsPerSecond());
            for (int kibibytes : SMALL_KIB) {
                String of = "%s, small %d KiB random, large 1 MiB sequential, %d %% writes:";
                lines.addAll(List.of("", text(of, beside, kibibytes, plan.writePercent())));
                lines.add(best("Maximum Large MBPS=%.2f", one, LARGE_KIB, 1, Point::mebibytesPerSecond));
                lines.add(best("Maximum Small IOPS=%.0f", one, kibibytes, 1, Point::operationsPerSecond));
                String latency = "Minimum Small Latency=%.3f";
                lines.add(best(latency, one, kibibytes, -1, point -> point.meanLatencyMicros() / 1e3));
            }
        }
        notes.forEach(note -> lines.addAll(List.of("", "note: " + note)));
        return lines;
    }

    /** Of equal ones the first; the sign is 1 where more is better, -1 where less is. */
    private static String best(String format, Series of, int kibibytes, int sign, ToDoubleFunction<Point> value) {
        Point best = of.points().stream()
                .filter(point -> point.blockBytes() == kibibytes << 10)
                .min(Comparator.comparingDouble(point -> -sign * value.applyAsDouble(point)))
                .orElseThrow();
        return text(format + " @ Small=%d and Large=%d", value.applyAsDouble(best), best.small(), best.large());
    }

    private List<Point> points(String series) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (int kibibytes : SMALL_KIB) {
            for (int depth : plan.small()) {
                points.add(point(series, kibibytes, depth));
            }
        }
        for (int depth : plan.large()) {
            points.add(point(series, LARGE_KIB, depth));
        }
        return points;
    }

    private Point point(String series, int kibibytes, int depth) throws IOException, InterruptedException {
        boolean small = kibibytes < LARGE_KIB;
        String name = (small ? "small-" : "large-") + kibibytes + "k-depth-" + depth;
        host.status("measuring " + series + ", " + name);
        // Other blocks each time: those of the point before may lie in a cache of the controller or of the host.
        String options = "--rw=%srw --rwmixread=%d --bs=%dk --iodepth=%d --time_based --runtime=%ds --randrepeat=0"
                + " --norandommap --unified_rw_reporting=1";
        long seconds = plan.duration().toSeconds();
        String command =
                command(name, text(options, small ? "rand" : "", 100 - plan.writePercent(), kibibytes, depth, seconds));
        JsonNode said = fio(series + "-" + name, command);
        JsonNode both = said.at("/jobs/0/mixed");
        long operations = both.path("total_ios").asLong();
        if (operations == 0) {
            throw failed(name + ": not one operation ended in time (take a longer --duration)", command);
        }
        JsonNode ofDisk = said.path("disk_util").path(0);
        long did = Stream.of("read_ios", "write_ios", "read_merges", "write_merges")
                .mapToLong(key -> ofDisk.path(key).asLong())
                .sum();
        if (ofDisk.isMissingNode()) {
            notes.add("the system does not tell what this disk did, so that nobody could see whether a cache answered"
                    + " instead");
        } else if (did < operations / 2) {
            String cached =
                    "%s-%s: fio counted %,d operations, and the disk did %,d: a cache of the system answered the"
                            + " others, although they were asked for directly";
            throw failed(text(cached, series, name, operations, did), command);
        }
        return new Point(
                kibibytes << 10,
                small ? depth : 0,
                small ? 0 : depth,
                both.path("iops").asDouble(),
                both.path("bw_bytes").asDouble() / (1 << 20),
                both.at("/lat_ns/mean").asDouble() / 1e3,
                command);
    }

    /** For a shell; colons separate the names of files. */
    private String command(String name, String options) {
        String named = file.toString().replace("\\", "\\\\").replace(":", "\\:").replace("'", "'\\''");
        return "fio --name=" + name + " --filename='" + named + "' --size=" + (plan.fileBytes() >> 20) + "m --ioengine="
                + engine + " --direct=1 --thread " + options + " --output-format=json";
    }

    private static TargetException failed(String why, String command) {
        return new TargetException(why + " (the command was: " + command + ")");
    }

    private JsonNode fio(String name, String command) throws IOException, InterruptedException {
        if (host.settings().value(Property.VERBOSE)) {
            host.line("  " + command);
        }
        Path output = details.resolve(name + ".json");
        Path errors = details.resolve(name + ".log");
        String inSession = Files.isExecutable(Path.of(SESSION)) ? SESSION + " " + command : command;
        Process process = processes.start(new ProcessBuilder("sh", "-c", "exec " + inSession)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile()));
        if (process.waitFor() != 0) {
            String why = Files.readString(errors) + Files.readString(output);
            throw failed("fio failed with " + process.exitValue() + ": " + why.strip(), command);
        }
        String said = ResultText.of(output, output.toString());
        // fio may have put notes in front.
        return ResultValue.tree(output.toString(), said.substring(said.startsWith("{") ? 0 : said.indexOf("\n{") + 1));
    }

    private static String engines() {
        try {
            Process process = new ProcessBuilder("fio", "--enghelp").start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new ConfigException(
                    new Origin.WholeFile("fio"),
                    "the program fio is not on the PATH (install it: apt-get, dnf or brew install fio)");
        }
    }

    /** A run in a process of its own whose feeder inserts into an embedded database until it is told to end. */
    private Series besideFeeder() throws IOException, InterruptedException {
        host.status("starting the feeder");
        Path scenario = details.resolve("feed.yaml");
        try (InputStream stream = Objects.requireNonNull(DiskMeter.class.getResourceAsStream("feed.yaml"))) {
            Files.copy(stream, scenario);
        }
        Path log = details.resolve("feeder.log");
        Path runs = details.resolve("feeder");
        Path result = RunFile.RUN.in(runs.resolve("latest"));
        // Twice as long as should be needed, since fio may be slow to end.
        String options = "--eps " + plan.eventsPerSecond() + " --duration " + (2 * plan.secondsOfSeries() + 60)
                + "s --probes false --checks 0 --failOn breakdown";
        List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
        arguments.addAll(
                List.of("--scenario", scenario.toString(), "--results", runs.toString(), "--cache", cache.toString()));
        Process process = processes.start(arguments, log);
        boolean isFeeding = false;
        while (!isFeeding && !process.waitFor(200, TimeUnit.MILLISECONDS)) {
            isFeeding = isFeeding(runs);
        }
        List<Point> points = isFeeding ? points("fed") : List.of();
        boolean fedToTheEnd = isFeeding && process.isAlive();
        host.status("ending the feeder");
        process.destroy();
        RunProcesses.await(process, Duration.ofMinutes(3));
        if (!fedToTheEnd || !Files.exists(result)) {
            throw new TargetException("the feeder beside ended: " + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
        double achieved = RunResult.read(result).measured().feeder().achievedEventsPerSecond();
        return new Series(plan.eventsPerSecond(), achieved, points);
    }

    /** Whether events of the run arrive in the measured phase, which alone are counted. Gatling has a directory beside it. */
    private static boolean isFeeding(Path runs) {
        boolean[] arrived = {false};
        try (Stream<Path> all = Files.list(runs)) {
            for (Path run :
                    all.filter(one -> Files.exists(RunFile.TIMELINE.in(one))).toList()) {
                TableReader.read(
                        run,
                        RunFile.TIMELINE,
                        row -> arrived[0] |= row.second() > 0 && row.number("eventsAcknowledged") > 0);
            }
        } catch (IOException beingWritten) {
            // It is not there yet, or its last row is not as a whole.
        }
        return arrived[0];
    }

    /** Ends what runs, and deletes the file. */
    @Override
    public void close() {
        processes.stop();
        try {
            Files.deleteIfExists(file);
        } catch (IOException undeletable) {
            throw new UncheckedIOException(file + " could not be deleted: " + undeletable.getMessage(), undeletable);
        }
    }
}
