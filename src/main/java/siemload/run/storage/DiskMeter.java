package siemload.run.storage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.results.FeederResult;
import siemload.results.ResultText;
import siemload.results.ResultValue;
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

/**
 * Measures by fio what a disk can do, through a file of its own that is deleted when this is closed. Closing is thread-safe and may come
 * at any time; everything else is for one thread.
 */
public final class DiskMeter implements AutoCloseable {
    /** What others of the disk's users must still have: databases stop where a disk is full. */
    private static final long RESERVE_BYTES = 1L << 30;
    /** Rows, indexes and log of an event, generously. */
    private static final long BYTES_OF_EVENT = 8 << 10;
    /** File systems that lie in memory; later kernels take direct operations there, too. */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");
    /** Starts a session of its own, so that a terminal's Ctrl-C is left to siemload. */
    private static final String SESSION = "/usr/bin/setsid";

    private final RunHost host;
    private final RunProcesses processes;
    private final Plan plan;
    private final Disk disk;
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
     * @param directory on the disk
     * @param fileBytes the size of the file
     * @param duration of each point, in whole seconds
     * @param writePercent how many of a hundred operations write
     * @param eventsPerSecond what a feeder inserts beside the second series; 0 for none
     * @param small how many small operations are under way, point by point
     * @param large how many large ones
     */
    public record Plan(
            Path directory,
            long fileBytes,
            Duration duration,
            int writePercent,
            double eventsPerSecond,
            List<Integer> small,
            List<Integer> large) {
        private long secondsOfSeries() {
            // Starting fio and reading what it says takes most of a second.
            return (long) ((2 * small.size() + large.size()) * (duration.toSeconds() + 0.7));
        }
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
        this.disk = Disk.of(plan.directory());
        this.results = host.settings().value(Property.RESULTS).toAbsolutePath();
        this.cache = host.settings().value(Property.CACHE).toAbsolutePath();
        this.details = results.resolve("storage-" + TimestampName.of(when));
        this.engine = engines().contains("libaio") ? "libaio" : "posixaio";
        Disk ofCache = Disk.of(cache);
        if (plan.eventsPerSecond() > 0 && !disk.equals(ofCache)) {
            throw new ConfigException(
                    new Origin.Option("eps"),
                    "the feeder's database lies in the cache, " + cache + " on " + ofCache + ", and not on " + disk
                            + " (name a directory there by --cache)");
        }
        this.file = makeFile();
        host.onShutdown(this::close);
    }

    /** One under a name that nobody can foresee, for its user alone. */
    private Path makeFile() {
        if (!Files.isDirectory(plan.directory())) {
            throw refusal(
                    "is no directory, and siemload neither reads nor writes devices or files that exist (name a directory on"
                            + " the disk that is to be measured: a file is made there, and deleted)");
        }
        if (IN_MEMORY.contains(disk.fileSystem())) {
            throw refusal("lies in memory (" + disk.fileSystem() + "): choose a directory on a disk");
        }
        try {
            Ownership.ofThisUser().requireOwn(plan.directory());
            long events = ((long) plan.eventsPerSecond()) * plan.secondsOfSeries() * BYTES_OF_EVENT;
            long needed = plan.fileBytes() + events + RESERVE_BYTES;
            long free = Files.getFileStore(plan.directory()).getUsableSpace();
            if (free < needed) {
                throw refusal(String.format(
                        Locale.ROOT,
                        "%,d MB are free, but %,d MB are needed, of which %,d stay free for others (take a smaller"
                                + " --size, or another disk)",
                        free >> 20,
                        needed >> 20,
                        RESERVE_BYTES >> 20));
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
     * Measures all points, and keeps them for later runs: in {@code storage.json} of the directory of results, and in the cache.
     *
     * @throws TargetException if fio or the feeder fails, or a cache answered instead of the disk
     */
    public StorageResult measure() throws IOException, InterruptedException {
        Files.createDirectories(details);
        Ownership.ofThisUser().requireOwn(results);
        boolean isFed = plan.eventsPerSecond() > 0;
        int points = (2 * plan.small().size() + plan.large().size()) * (isFed ? 2 : 1);
        String all = Durations.format(Duration.ofSeconds(plan.secondsOfSeries() * (isFed ? 2 : 1)));
        host.line(String.format(
                Locale.ROOT,
                "%d points of %ds each, through a file of %,d MB: about %s",
                points,
                plan.duration().toSeconds(),
                plan.fileBytes() >> 20,
                all));
        host.status("filling the file");
        // With what no disk can compress or knows already: what was never written is never read from a disk.
        String fill = command("fill", "--rw=write --bs=1m --iodepth=4 --refill_buffers --end_fsync=1");
        String program = fio("fill", fill).path("fio version").asText();
        List<Series> series = new ArrayList<>(List.of(new Series(0, 0, points("idle"))));
        if (isFed) {
            series.add(besideFeeder());
        }
        host.status("");
        StorageResult result = new StorageResult(
                StorageResult.FORMAT_VERSION,
                when,
                plan.directory().toAbsolutePath().toString(),
                disk,
                program,
                plan.writePercent(),
                plan.fileBytes(),
                plan.duration().toSeconds(),
                fill,
                series,
                List.copyOf(notes));
        result.write(results.resolve("storage.json"));
        return result;
    }

    private List<Point> points(String series) throws IOException, InterruptedException {
        List<Point> points = new ArrayList<>();
        for (int kibibytes : List.of(8, 32, 1024)) {
            for (int depth : kibibytes < 1024 ? plan.small() : plan.large()) {
                points.add(point(series, kibibytes, depth));
            }
        }
        return points;
    }

    private Point point(String series, int kibibytes, int depth) throws IOException, InterruptedException {
        boolean small = kibibytes < 1024;
        String name = (small ? "small-" : "large-") + kibibytes + "k-depth-" + depth;
        host.status("measuring " + series + ", " + name);
        // Other blocks each time: those of the point before may lie in a cache of the controller or of the host.
        String options = String.format(
                Locale.ROOT,
                "--rw=%srw --rwmixread=%d --bs=%dk --iodepth=%d --time_based --runtime=%ds --randrepeat=0 --norandommap"
                        + " --unified_rw_reporting=1",
                small ? "rand" : "",
                100 - plan.writePercent(),
                kibibytes,
                depth,
                plan.duration().toSeconds());
        String command = command(name, options);
        JsonNode said = fio(series + "-" + name, command);
        JsonNode both = said.at("/jobs/0/mixed");
        long operations = both.path("total_ios").asLong();
        if (operations == 0) {
            throw failed(name + ": not one operation ended in time (take a longer --duration)", command);
        }
        JsonNode ofDisk = said.path("disk_util").path(0);
        long did = List.of("read_ios", "write_ios", "read_merges", "write_merges").stream()
                .mapToLong(key -> ofDisk.path(key).asLong())
                .sum();
        if (ofDisk.isMissingNode()) {
            notes.add(
                    "the system does not tell what this disk did, so that nobody could see whether a cache answered instead");
        } else if (did < operations / 2) {
            throw failed(
                    String.format(
                            Locale.ROOT,
                            "%s-%s: fio counted %,d operations, and the disk did %,d: a cache of the system answered the"
                                    + " others, although they were asked for directly",
                            series,
                            name,
                            operations,
                            did),
                    command);
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
        String text = ResultText.of(output, output.toString());
        // fio may have put notes in front.
        return ResultValue.tree(output.toString(), text.substring(text.startsWith("{") ? 0 : text.indexOf("\n{") + 1));
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
        Path run = runs.resolve("latest");
        List<String> arguments = new ArrayList<>(List.of("--scenario", scenario.toString()));
        arguments.addAll(List.of("--results", runs.toString(), "--cache", cache.toString()));
        // Twice as long as should be needed, since fio may be slow to end.
        String options = "--eps " + plan.eventsPerSecond() + " --duration " + (2 * plan.secondsOfSeries() + 60)
                + "s --probes false --checks 0 --failOn breakdown";
        arguments.addAll(List.of(options.split(" ")));
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
        if (!fedToTheEnd || !Files.exists(RunFile.RUN.in(run))) {
            throw new TargetException("the feeder beside ended: " + RunProcesses.lastLine(log) + " (see " + log + ")");
        }
        FeederResult fed = RunResultFile.read(RunFile.RUN.in(run)).measured().feeder();
        return new Series(plan.eventsPerSecond(), fed.achievedEventsPerSecond(), points);
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
