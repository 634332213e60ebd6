package siemload.measure.monitor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HeavyProcess;

/**
 * The counters of a host, since some time before the run or within an interval, by name; missing ones count as 0. Ratios are shares of all
 * CPUs, 0 to 1, with four decimals. Immutable.
 *
 * <p>These are the names; a value is in nanoseconds unless its name contains another unit:
 *
 * <ul>
 *   <li>{@code all/user}, {@code /system}, {@code /iowait}, {@code /steal} and {@code /total} of all CPUs together. User time includes nice
 *       time, and system time includes interrupts.
 *   <li>{@code disk/sda/reads}, {@code /readBytes}, {@code /writes}, {@code /writtenBytes} and {@code /busyMillis}.
 *   <li>{@code swapInBytes}, {@code swapOutBytes}, {@code networkReceivedBytes}, {@code networkSentBytes}.
 *   <li>{@code generator} and {@code database}: CPU time of the processes of each; {@code kernel}: of the kernel's threads; {@code
 *       program/sshd}: of other programs.
 *   <li>{@code waited}: for how long threads of database and load generator were ready to run while others ran.
 * </ul>
 *
 * @param nanos the instant of the reading on the monotonic clock, or the length of the interval
 * @param levels gauges at the end of an interval, and the highest of added intervals: {@code cpus}, {@code load1}, {@code memoryUsedBytes},
 *     the memory that is not available to programs, and {@code pageCacheBytes}
 */
record HostCounts(long nanos, Map<String, Long> values, Map<String, Double> levels) {
    static final String DISK = "disk/";
    static final String PROGRAM = "program/";

    /** An interval in which nothing was counted. */
    static final HostCounts NONE = new HostCounts(0, Map.of(), Map.of());

    HostCounts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        levels = Map.copyOf(levels);
    }

    /** Returns a count by its name. */
    long of(String name) {
        return values.getOrDefault(name, 0L);
    }

    /** Returns a level by its name. */
    double level(String name) {
        return levels.getOrDefault(name, 0.0);
    }

    /** Returns the difference from an earlier reading, for counters that both readings have, and for all programs. */
    HostCounts since(HostCounts earlier) {
        Map<String, Long> since = new LinkedHashMap<>();
        values.forEach((name, now) -> {
            if (earlier.values.containsKey(name) || name.startsWith(PROGRAM)) {
                since.put(name, Math.max(0, now - earlier.of(name)));
            }
        });
        return new HostCounts(Math.max(1, nanos - earlier.nanos), since, levels);
    }

    /** The sum of two intervals. */
    HostCounts plus(HostCounts other) {
        Map<String, Long> sum = new LinkedHashMap<>(values);
        other.values.forEach((name, more) -> sum.merge(name, more, Long::sum));
        Map<String, Double> highest = new HashMap<>(levels);
        other.levels.forEach((name, value) -> highest.merge(name, value, Math::max));
        return new HostCounts(nanos + other.nanos, sum, highest);
    }

    /** These counts scaled to an interval of one second. */
    HostCounts ofASecond() {
        Map<String, Long> scaled = new LinkedHashMap<>(values);
        scaled.replaceAll((name, counted) -> Math.round(counted * (1e9 / nanos)));
        return new HostCounts(1_000_000_000, scaled, levels);
    }

    /**
     * The figures of the host by their names in results. The programs' shares of CPU time are known only for this host; CPU times of
     * processes are a little more precise than those of CPUs.
     */
    Map<String, Object> figures() {
        Map<String, Object> figures = new HashMap<>();
        List.of("user", "system", "iowait", "steal")
                .forEach(mode -> figures.put(mode + "Ratio", ofCpus("all/" + mode)));
        figures.put("databaseCpuRatio", ofCpus("database"));
        figures.put("generatorCpuRatio", ofCpus("generator"));
        figures.put("otherCpuRatio", values.containsKey("generator") ? otherCpuRatio() : 0.0);
        figures.put("kernelCpuRatio", ofCpus("kernel"));
        figures.put("waitedSeconds", rounded(of("waited") / 1e9));
        figures.put("load1", level("load1"));
        List.of("memoryUsedBytes", "pageCacheBytes").forEach(name -> figures.put(name, (long) level(name)));
        List.of("swapInBytes", "swapOutBytes", "networkReceivedBytes", "networkSentBytes")
                .forEach(name -> figures.put(name, of(name)));
        return figures;
    }

    /** A count as a share of all CPU time. */
    double ofCpus(String name) {
        return ratio(of(name), of("all/total"));
    }

    /** Returns the share of all CPU time that was used by anything except database, load generator and kernel. */
    double otherCpuRatio() {
        return ratio(busy() - ranNanos() - of("kernel"), of("all/total"));
    }

    private long busy() {
        return of("all/user") + of("all/system");
    }

    /**
     * Returns the nanoseconds that others took from the threads of database and load generator: these threads' wait for a CPU, times the
     * share of the CPUs that others used (nobody waits while a CPU is idle), plus their share of the time stolen by the hypervisor.
     */
    double lostNanos() {
        long total = of("all/total");
        if (busy() <= 0 || total <= 0) {
            return 0;
        }
        double othersRatio = Math.max(0, (double) (busy() - ranNanos() - of("kernel")) / total);
        return of("waited") * othersRatio + of("all/steal") * Math.min(1, (double) ranNanos() / busy());
    }

    /** Returns for how long the threads of database and load generator ran, in nanoseconds. */
    long ranNanos() {
        return of("database") + of("generator");
    }

    /** The activity of disks in the interval, the busiest first. */
    List<Disk> disks() {
        List<Disk> disks = new ArrayList<>();
        List<String> names = values.keySet().stream()
                .filter(name -> name.startsWith(DISK))
                .map(name -> name.substring(DISK.length(), name.lastIndexOf('/')))
                .distinct()
                .toList();
        for (String name : names) {
            String disk = DISK + name + "/";
            disks.add(new Disk(
                    name,
                    of(disk + "reads"),
                    of(disk + "readBytes"),
                    of(disk + "writes"),
                    of(disk + "writtenBytes"),
                    rounded(Math.min(1, of(disk + "busyMillis") * 1e6 / nanos))));
        }
        disks.sort(Comparator.comparing(Disk::utilisationRatio).reversed());
        return disks;
    }

    /** The programs that took more than this share of all CPUs, the busiest first. */
    List<HeavyProcess> heavierThan(double cpuRatio) {
        return values.keySet().stream()
                .filter(name -> name.startsWith(PROGRAM))
                .map(name -> new HeavyProcess(name.substring(PROGRAM.length()), ofCpus(name)))
                .filter(program -> program.cpuRatio() > cpuRatio)
                .sorted(Comparator.comparing(HeavyProcess::cpuRatio).reversed().thenComparing(HeavyProcess::name))
                .toList();
    }

    private static double ratio(long part, long total) {
        return total <= 0 ? 0 : rounded(Math.max(0, Math.min(1, (double) part / total)));
    }

    static double rounded(double ratio) {
        return Math.round(ratio * 1e4) / 1e4;
    }

    /**
     * Reads this machine's counts from Linux's {@code /proc}: see proc(5). Counts that cannot be read, as on other systems, are reported
     * with the reason. A reading takes a few milliseconds, most of them for the processes. Used by one thread at a time.
     */
    static final class OwnHost {
        private static final double BYTES_OF_KIBIBYTE = 1024;
        /** The unit of the kernel's counts, independent of the disk's own sector size. */
        private static final long BYTES_IN_SECTOR = 512;
        /** The key of the memory page size in the auxiliary vector; see getauxval(3). */
        private static final long PAGE_SIZE_KEY = 6;

        private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|sr)\\d+");
        private static final Pattern NO_NETWORK = Pattern.compile("lo|(veth|docker|br-|virbr|cni|flannel).*");
        /** The columns of the first line of stat after its name; nice ticks count as user, interrupts as system. */
        private static final List<String> MODES =
                List.of("user", "user", "system", "idle", "iowait", "system", "system", "steal");

        private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private final Map<String, String> unreadable = new LinkedHashMap<>();
        private final Path proc;
        private final Path devices;
        private final ProcessTimes processes;
        private boolean sawDatabase;

        OwnHost(DatabaseProcesses database) {
            this(database, Path.of("/"));
        }

        /** @param root the directory of the kernel's proc and sys, which other systems do not have */
        OwnHost(DatabaseProcesses database, Path root) {
            this.proc = root.resolve("proc");
            this.devices = root.resolve("sys/block");
            this.processes = new ProcessTimes(database, ProcessHandle.current().pid(), proc);
        }

        void countAsGenerator(Collection<Long> generators) {
            processes.countAsGenerator(generators);
        }

        /** Returns whether any reading found processes of the database. */
        boolean sawDatabase() {
            return sawDatabase;
        }

        /** The counts that could not be read, with the system's messages. */
        List<String> unreadable() {
            return List.copyOf(unreadable.values());
        }

        HostCounts read() {
            processes.look();
            Map<String, Long> counts = new LinkedHashMap<>(processes.counts());
            sawDatabase |= !processes.databaseProcesses().isEmpty();
            counts.merge(ProcessTimes.GENERATOR, Math.max(0, self.getProcessCpuTime()), Long::sum);
            Map<String, Double> levels = new LinkedHashMap<>(Map.of("cpus", (double) self.getAvailableProcessors()));
            read("the CPUs", "stat", 9, line -> {
                if (line.get(0).equals("cpu")) {
                    levels.put("cpus", 0.0);
                    for (int i = 0; i < MODES.size(); i++) {
                        long nanos = Long.parseLong(line.get(i + 1)) * ProcessTimes.NANOS_PER_TICK;
                        counts.merge("all/" + MODES.get(i), nanos, Long::sum);
                        counts.merge("all/total", nanos, Long::sum);
                    }
                } else if (line.get(0).startsWith("cpu")) {
                    levels.merge("cpus", 1.0, Double::sum);
                }
            });
            read("memory", "meminfo", 2, line -> {
                double bytes = Long.parseLong(line.get(1)) * BYTES_OF_KIBIBYTE;
                switch (line.get(0)) {
                    case "MemTotal:" -> levels.merge("memoryUsedBytes", bytes, Double::sum);
                    case "MemAvailable:" -> levels.merge("memoryUsedBytes", -bytes, Double::sum);
                    // The page cache includes shared memory, as in sar -r.
                    case "Buffers:", "Cached:" -> levels.merge("pageCacheBytes", bytes, Double::sum);
                    default -> {}
                }
            });
            read("swap", "vmstat", 2, line -> {
                if (line.get(0).startsWith("pswp")) {
                    String name = line.get(0).equals("pswpin") ? "swapInBytes" : "swapOutBytes";
                    counts.put(name, Long.parseLong(line.get(1)) * pageBytes());
                }
            });
            read("the network", "net/dev", 10, line -> {
                // The two lines above the devices are headings.
                if (line.get(0).endsWith(":") && isNetwork(line.get(0).replace(":", ""))) {
                    counts.merge("networkReceivedBytes", Long.parseLong(line.get(1)), Long::sum);
                    counts.merge("networkSentBytes", Long.parseLong(line.get(9)), Long::sum);
                }
            });
            // See Documentation/admin-guide/iostats.rst of the kernel; partitions are not devices.
            read("the disks", "diskstats", 13, line -> {
                String name = line.get(2);
                if (line.size() == 13 && isDisk(name) && Files.isDirectory(devices.resolve(name))) {
                    String disk = HostCounts.DISK + name + "/";
                    counts.put(disk + "reads", Long.parseLong(line.get(3)));
                    counts.put(disk + "readBytes", Long.parseLong(line.get(5)) * BYTES_IN_SECTOR);
                    counts.put(disk + "writes", Long.parseLong(line.get(7)));
                    counts.put(disk + "writtenBytes", Long.parseLong(line.get(9)) * BYTES_IN_SECTOR);
                    counts.put(disk + "busyMillis", Long.parseLong(line.get(12)));
                }
            });
            read("the load averages", "loadavg", 1, line -> levels.put("load1", Double.parseDouble(line.get(0))));
            return new HostCounts(System.nanoTime(), counts, levels);
        }

        private void read(String what, String file, int fields, Consumer<List<String>> taker) {
            if (!unreadable.containsKey(what)) {
                try {
                    String text = Files.readString(proc.resolve(file));
                    text.lines().map(line -> fields(line, fields)).forEach(taker);
                } catch (IOException | RuntimeException refused) {
                    unreadable.put(what, what + " (" + refused + ")");
                }
            }
        }

        private long pageBytes() {
            try {
                ByteBuffer vector = ByteBuffer.wrap(Files.readAllBytes(proc.resolve("self/auxv")))
                        .order(ByteOrder.nativeOrder());
                while (vector.getLong() != PAGE_SIZE_KEY) {
                    vector.getLong();
                }
                return vector.getLong();
            } catch (IOException untold) {
                throw new UncheckedIOException("the page size is not known", untold);
            }
        }

        /** Returns whether a network device counts: not the loopback, nor bridges of containers, whose bytes other devices count, too. */
        static boolean isNetwork(String name) {
            return !NO_NETWORK.matcher(name).matches();
        }

        /** Returns whether a device is a disk: memory devices, loop devices and optical drives are not. */
        static boolean isDisk(String name) {
            return !NO_DISK.matcher(name).matches();
        }

        /**
         * Returns the first fields of a line, at most this many, without the spaces between them. Hundreds of lines are read each second
         * while searches run: with regular expressions, Java would compile their code during the measurement.
         */
        static List<String> fields(String line, int most) {
            StringTokenizer tokens = new StringTokenizer(line);
            List<String> fields = new ArrayList<>(most);
            while (fields.size() < most && tokens.hasMoreTokens()) {
                fields.add(tokens.nextToken());
            }
            return fields;
        }
    }

    /**
     * Reads another host's counts over HTTP from its Prometheus node exporter, version 1 or newer on Linux. Figures of disabled collectors
     * are missing; only the figures of CPUs are required. Proxies are not used, and redirects not followed. Used by one thread at a time.
     */
    static final class NodeExporter {
        private static final int PATIENCE_SECONDS = 2;
        /** Swapping is counted in pages of the kernel. No metric gives the size of a page; this is the usual size. */
        private static final double BYTES_OF_PAGE = 4096;

        /** A line of the text format 0.0.4: a name, the mode or the device among its labels, and a number of 0 or more. */
        private static final Pattern SAMPLE =
                Pattern.compile("(?m)^node_(\\w++)(?:\\{(?:.*\\b)?(?:mode|device)=\"([^\",\\p{Cntrl}]*)\".*})?"
                        + "[ \\t]++(\\d++(?:\\.\\d++)?(?:e[-+]?\\d++)?)(?=\\s|$)");

        private static final Map<String, String> MODES = Map.of("nice", "user", "irq", "system", "softirq", "system");

        private static final Map<String, String> OF_DEVICES = Map.of(
                "disk_reads_completed_total", "reads",
                "disk_read_bytes_total", "readBytes",
                "disk_writes_completed_total", "writes",
                "disk_written_bytes_total", "writtenBytes",
                "disk_io_time_seconds_total", "busyMillis",
                "network_receive_bytes_total", "networkReceivedBytes",
                "network_transmit_bytes_total", "networkSentBytes");

        private final HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();

        private final String name;
        private final HttpRequest request;

        /** @param url the exporter's address, perhaps with user and password, which no result contains */
        NodeExporter(URI url) {
            this.name = url.getRawAuthority().replaceFirst("^.*@", "");
            HttpRequest.Builder asked =
                    HttpRequest.newBuilder(URI.create(url.toString().replaceFirst("^(\\w+://)[^/?@]*@", "$1")));
            Optional.ofNullable(url.getUserInfo())
                    .map(credentials ->
                            Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                    .ifPresent(encoded -> asked.header("Authorization", "Basic " + encoded));
            this.request = asked.header("Accept", "text/plain;version=0.0.4").build();
        }

        /** Returns the host's name in results: host and port. */
        String name() {
            return name;
        }

        /**
         * Reads the counts; takes two seconds at most.
         *
         * @throws UncheckedIOException if no answer comes or siemload cannot understand it; the message gives people the reason
         */
        HostCounts read() {
            CompletableFuture<HttpResponse<String>> asked =
                    client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            try {
                HttpResponse<String> answer = asked.copy()
                        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join();
                if (answer.statusCode() != 200) {
                    throw unanswered("it answered with HTTP status " + answer.statusCode());
                }
                return look(answer.body(), System.nanoTime());
            } catch (CompletionException failed) {
                Throwable cause = failed.getCause();
                throw unanswered(
                        cause instanceof TimeoutException
                                ? "no answer within " + PATIENCE_SECONDS + " s"
                                : cause instanceof ConnectException ? "no connection" : String.valueOf(cause));
            } finally {
                boolean unused = asked.cancel(true);
            }
        }

        private static UncheckedIOException unanswered(String why) {
            return new UncheckedIOException(why, new IOException(why));
        }

        private static HostCounts look(String metrics, long nanos) {
            Map<String, Long> counts = new LinkedHashMap<>();
            Map<String, Double> levels = new HashMap<>();
            for (Matcher sample = SAMPLE.matcher(metrics); sample.find(); ) {
                String of = Objects.requireNonNullElse(sample.group(2), "");
                double value = Double.parseDouble(sample.group(3));
                switch (sample.group(1)) {
                    case "cpu_seconds_total" -> {
                        counts.merge("all/total", Math.round(value * 1e9), Long::sum);
                        counts.merge("all/" + MODES.getOrDefault(of, of), Math.round(value * 1e9), Long::sum);
                        levels.merge("cpus", of.equals("idle") ? 1.0 : 0.0, Double::sum);
                    }
                    case "memory_MemTotal_bytes" -> levels.merge("memoryUsedBytes", value, Double::sum);
                    case "memory_MemAvailable_bytes" -> levels.merge("memoryUsedBytes", -value, Double::sum);
                    case "memory_Buffers_bytes", "memory_Cached_bytes" ->
                        levels.merge("pageCacheBytes", value, Double::sum);
                    case "load1" -> levels.put("load1", value);
                    case "vmstat_pswpin" -> counts.put("swapInBytes", Math.round(value * BYTES_OF_PAGE));
                    case "vmstat_pswpout" -> counts.put("swapOutBytes", Math.round(value * BYTES_OF_PAGE));
                    default -> {
                        String count = OF_DEVICES.getOrDefault(sample.group(1), "");
                        if (count.startsWith("network") && OwnHost.isNetwork(of)) {
                            counts.merge(count, Math.round(value), Long::sum);
                        } else if (!count.isEmpty() && !count.startsWith("network") && OwnHost.isDisk(of)) {
                            boolean isTime = count.equals("busyMillis");
                            counts.put(HostCounts.DISK + of + "/" + count, Math.round(isTime ? value * 1e3 : value));
                        }
                    }
                }
            }
            if (!counts.containsKey("all/total")) {
                throw unanswered("it has no node_cpu_seconds_total, so it is not a node exporter on Linux");
            }
            return new HostCounts(nanos, counts, levels);
        }
    }
}
