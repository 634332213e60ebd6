package siemload.run.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.run.RunDirectory;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/**
 * Measures a disk with fio, in a file of its own that is deleted on closing. Closing is thread-safe at any time; everything else is for one
 * thread.
 */
public final class DiskMeter implements AutoCloseable {
    /** The space that must stay free for other programs: databases stop when a disk is full. */
    private static final long RESERVE_BYTES = 1L << 30;
    /** A generous estimate of the space for rows, indexes and log of an event. */
    private static final long BYTES_OF_EVENT = 8 << 10;
    /** The size of large operations; small ones have 8 and 32 KiB. */
    private static final int LARGE_KIB = 1024;
    /** The types of file systems in memory; later Linux kernels accept direct operations there, too. */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");

    private static final String ENGINE = Files.isDirectory(Path.of("/proc/sys/vm")) ? "libaio" : "posixaio";

    private final RunHost host;
    private final RunProcesses processes;
    private final Plan plan;
    private final Path results;
    private final Path cache;
    private final Path file;

    /**
     * The plan of the measurements.
     *
     * @param secondsPerPoint how long each point takes
     * @param eventsPerSecond the rate of the feeder during the second series; 0 for no second series
     * @param small the numbers of small operations that run at once; {@code large} has the numbers of large operations
     */
    public record Plan(
            Path directory,
            long fileBytes,
            long secondsPerPoint,
            int writePercent,
            double eventsPerSecond,
            List<Integer> small,
            List<Integer> large) {
        private int points() {
            return 2 * small.size() + large.size();
        }

        private long secondsOfSeries() {
            // Starting fio and reading its output takes most of a second.
            return (long) (points() * (secondsPerPoint + 0.7));
        }
    }

    /** One measurement: the numbers of concurrent small and large operations, and the results of reads and writes, in MiB a second. */
    record Point(
            int blockBytes,
            int small,
            int large,
            double operationsPerSecond,
            double mebibytesPerSecond,
            double meanLatencyMicros,
            String command) {}

    /** All points and, if a feeder ran during the measurements, its target rate and the average rate that it reached. */
    record Series(double eventsPerSecond, double achievedEventsPerSecond, List<Point> points) {}

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Creates the file. @throws ConfigException if the directory or the plan cannot be used */
    public DiskMeter(RunHost host, Plan plan) throws IOException {
        this.host = host;
        this.processes = new RunProcesses(host);
        this.plan = plan;
        this.results = host.settings().value(Property.RESULTS).toAbsolutePath();
        this.cache = host.settings().value(Property.CACHE).toAbsolutePath();
        if (plan.eventsPerSecond() > 0 && !disk(cache).equals(disk(plan.directory()))) {
            String why = "the feeder's database is in the cache, " + cache + " on " + disk(cache) + ", and not on "
                    + disk(plan.directory()) + " (name a directory there with --cache)";
            throw new ConfigException(new Origin.Option("eps"), why);
        }
        this.file = makeFile();
        host.onShutdown(this::close);
    }

    /** Describes the disk of a directory that exists or is to be created; two disks of the same name count as one. */
    private static String disk(Path directory) throws IOException {
        Path place = directory.toAbsolutePath().normalize();
        while (!Files.exists(place)) {
            place = Objects.requireNonNull(place.getParent());
        }
        FileStore store = Files.getFileStore(place);
        return text("%s, %.0f GB (%s)", store.name(), store.getTotalSpace() / 1e9, store.type());
    }

    /** Creates the file under an unpredictable name, only for its user. */
    private Path makeFile() {
        if (!Files.isDirectory(plan.directory())) {
            throw refusal(
                    "is not a directory (needed: a directory on the disk to measure; a file is created there, and deleted)");
        }
        try {
            FileStore store = Files.getFileStore(plan.directory());
            if (IN_MEMORY.contains(store.type())) {
                throw refusal("is in memory (" + store.type() + "): choose a directory on a disk");
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
                // The file gets its full size, though without blocks: fio would replace a file that is too short.
                whole.setLength(plan.fileBytes());
            }
            return made;
        } catch (IOException unusable) {
            throw refusal("no file can be made there: " + RegularFile.reason(unusable));
        }
    }

    private ConfigException refusal(String why) {
        return new ConfigException(new Origin.WholeFile(plan.directory().toString()), why);
    }

    /**
     * Measures all points, and keeps them in {@code storage.json} of the results directory.
     *
     * @return ORION's summary, as lines: the large operations are listed under each size of small ones, as in each run of ORION
     * @throws TargetException if fio or the feeder fails, or a cache answered instead of the disk
     */
    public List<String> measure() throws IOException, InterruptedException {
        Files.createDirectories(results);
        Ownership.ofThisUser().requireOwn(results);
        Instant when = Instant.now();
        int runs = plan.eventsPerSecond() > 0 ? 2 : 1;
        String all = Durations.format(Duration.ofSeconds(plan.secondsOfSeries() * runs));
        String begun = "%d points of %ds each, through a file of %,d MB: about %s";
        host.line(text(begun, plan.points() * runs, plan.secondsPerPoint(), plan.fileBytes() >> 20, all));
        host.status("filling the file");
        // The file gets data that no disk can compress or deduplicate: unwritten blocks are never read from a disk.
        String fill = command("fill", "--rw=write --bs=1m --iodepth=4 --refill_buffers --end_fsync=1");
        JsonNode filled = fio(fill);
        List<Series> series = new ArrayList<>(List.of(new Series(0, 0, points("idle"))));
        if (runs == 2) {
            series.add(besideFeeder());
        }
        host.status("");
        String disk = disk(plan.directory());
        ObjectNode asked = ResultValue.tree(plan).deepCopy();
        asked.put("directory", plan.directory().toAbsolutePath().toString());
        String untold = "the system does not report what this disk did: a cache may have answered instead";
        List<String> notes = filled.at("/disk_util/0").isMissingNode() ? List.of(untold) : List.of();
        Map<String, Object> result = new TreeMap<>(Map.of("formatVersion", 1, "when", when, "disk", disk));
        result.putAll(Map.of("plan", asked, "preparation", fill, "series", series, "notes", notes));
        result.put("program", filled.path("fio version").asText());
        WholeFile.write(results.resolve("storage.json"), ResultValue.text(result));
        List<String> lines = new ArrayList<>(List.of(disk));
        for (Series one : series) {
            double eps = one.eventsPerSecond();
            String fed = text("during a feed of %.0f events/s (%.1f inserted)", eps, one.achievedEventsPerSecond());
            for (int kibibytes : List.of(8, 32)) {
                String of = "\n%s, small %d KiB random, large 1 MiB sequential, %d %% writes:";
                lines.add(text(of, eps == 0 ? "idle" : fed, kibibytes, plan.writePercent()));
                lines.add(best("Maximum Large MBPS=%.2f", one, LARGE_KIB, 1, Point::mebibytesPerSecond));
                lines.add(best("Maximum Small IOPS=%.0f", one, kibibytes, 1, Point::operationsPerSecond));
                String latency = "Minimum Small Latency=%.3f";
                lines.add(best(latency, one, kibibytes, -1, point -> point.meanLatencyMicros() / 1e3));
            }
        }
        notes.forEach(note -> lines.add("\nnote: " + note));
        return lines;
    }

    /** Returns the line of the best point, the first of equal ones; the sign is 1 if more is better, -1 if less is better. */
    private static String best(String format, Series of, int kibibytes, int sign, ToDoubleFunction<Point> value) {
        Point best = of.points().stream()
                .filter(point -> point.blockBytes() == kibibytes << 10)
                .min(Comparator.comparingDouble(point -> -sign * value.applyAsDouble(point)))
                .orElseThrow();
        return text(format + " @ Small=%d and Large=%d", value.applyAsDouble(best), best.small(), best.large());
    }

    private List<Point> points(String series) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (int kibibytes : List.of(8, 32, LARGE_KIB)) {
            boolean small = kibibytes < LARGE_KIB;
            for (int depth : small ? plan.small() : plan.large()) {
                String name = text("%s-%s-%dk-depth-%d", series, small ? "small" : "large", kibibytes, depth);
                host.status("measuring " + name);
                // Each point uses different blocks: earlier blocks may be in a cache of the controller or host.
                String options =
                        "--rw=%srw --rwmixread=%d --bs=%dk --iodepth=%d --time_based --runtime=%ds --randrepeat=0"
                                + " --norandommap --unified_rw_reporting=1";
                int reads = 100 - plan.writePercent();
                String all = text(options, small ? "rand" : "", reads, kibibytes, depth, plan.secondsPerPoint());
                String command = command(name, all);
                JsonNode said = fio(command);
                JsonNode both = said.at("/jobs/0/mixed");
                long operations = both.path("total_ios").asLong();
                if (operations == 0) {
                    throw failed(name + ": not one operation ended in time (take a longer --duration)", command);
                }
                JsonNode disk = said.at("/disk_util/0");
                long did = Stream.of("read_ios", "write_ios", "read_merges", "write_merges")
                        .mapToLong(key -> disk.path(key).asLong())
                        .sum();
                if (!disk.isMissingNode() && did < operations / 2) {
                    String cached =
                            "%s: fio counted %,d operations, and the disk did %,d: a cache of the system answered"
                                    + " the others, although fio asked for direct operations";
                    throw failed(text(cached, name, operations, did), command);
                }
                points.add(new Point(
                        kibibytes << 10,
                        small ? depth : 0,
                        small ? 0 : depth,
                        both.path("iops").asDouble(),
                        both.path("bw_bytes").asDouble() / (1 << 20),
                        both.at("/lat_ns/mean").asDouble() / 1e3,
                        command));
            }
        }
        return points;
    }

    /** Returns the command line for a shell; colons are escaped, since fio separates the names of files by them. */
    private String command(String name, String options) {
        String named = file.toString().replace("\\", "\\\\").replace(":", "\\:").replace("'", "'\\''");
        return "fio --name=" + name + " --filename='" + named + "' --size=" + (plan.fileBytes() >> 20) + "m --ioengine="
                + ENGINE + " --direct=1 --thread " + options + " --output-format=json";
    }

    private static TargetException failed(String why, String command) {
        return new TargetException(why + " (the command was: " + command + ")");
    }

    private JsonNode fio(String command) throws IOException, InterruptedException {
        if (host.settings().value(Property.VERBOSE)) {
            host.line("  " + command);
        }
        // fio runs in a session of its own, so that a terminal's Ctrl-C goes to siemload only.
        String session = Files.isExecutable(Path.of("/usr/bin/setsid")) ? "exec setsid " : "exec ";
        Process process = processes.start(new ProcessBuilder("sh", "-c", session + command).redirectErrorStream(true));
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() == 127) {
            String missing = "the program fio is not on the PATH (install it: apt-get, dnf or brew install fio)";
            throw new ConfigException(new Origin.WholeFile("fio"), missing);
        }
        if (process.exitValue() != 0) {
            throw failed("fio failed with " + process.exitValue() + ": " + said, command);
        }
        // fio may have printed notes around the JSON.
        int start = said.startsWith("{") ? 0 : said.indexOf("\n{") + 1;
        return ResultValue.tree("fio", said.substring(start, said.lastIndexOf('}') + 1));
    }

    /** Measures all points while a run in a separate process feeds an embedded database, and then ends that run. */
    private Series besideFeeder() throws IOException, InterruptedException {
        host.status("starting the feeder");
        Path details = results.resolve("storage-" + RunDirectory.timestamp(Instant.now()));
        Path runs = details.resolve("feed");
        // The feed lasts twice as long as it should need, since fio may be slow to end.
        long most = 2 * plan.secondsOfSeries() + 60;
        String options = "--probes false --eps " + plan.eventsPerSecond() + " --duration " + most + "s";
        Process process = processes.start(DiskMeter.class, "feed", details, cache, options);
        boolean isFeeding = false;
        while (!isFeeding && !process.waitFor(200, TimeUnit.MILLISECONDS)) {
            isFeeding = isFeeding(runs);
        }
        List<Point> points = isFeeding ? points("fed") : List.of();
        boolean fedToTheEnd = isFeeding && process.isAlive();
        host.status("ending the feeder");
        process.destroy();
        RunProcesses.await(process, Duration.ofMinutes(3));
        Path result = RunFile.RUN.in(runs.resolve("latest"));
        if (!fedToTheEnd || !Files.exists(result)) {
            Path log = details.resolve("feed.log");
            throw new TargetException("the feeder ended early: " + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
        double achieved = RunResult.read(result).measured().feeder().achievedEventsPerSecond();
        return new Series(plan.eventsPerSecond(), achieved, points);
    }

    /** Returns whether the run is in its measured phase, whose events are counted. Gatling's directory is next to the run's. */
    private static boolean isFeeding(Path runs) {
        boolean[] measured = {false};
        try (Stream<Path> all = Files.list(runs)) {
            for (Path run :
                    all.filter(one -> Files.exists(RunFile.TIMELINE.in(one))).toList()) {
                RunFile.TIMELINE.read(run, row -> measured[0] |= row.second() > 0);
            }
        } catch (IOException beingWritten) {
            // The timeline does not exist yet, or its last row is incomplete.
        }
        return measured[0];
    }

    /** Ends all running processes, and deletes the file. */
    @Override
    public void close() {
        processes.stop();
        if (!file.toFile().delete() && Files.exists(file)) {
            host.line(file + " could not be deleted");
        }
    }
}
