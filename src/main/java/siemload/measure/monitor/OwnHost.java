package siemload.measure.monitor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * This machine, as Linux shows it in {@code /proc}: see proc(5). What cannot be read, as on other systems, is missing, and is named with the
 * reason. A look costs a few milliseconds, most of them for the processes. Used by one thread at a time.
 */
final class OwnHost {
    private static final double BYTES_OF_KIBIBYTE = 1024;
    /** Whatever the disk's own are. */
    private static final long BYTES_IN_SECTOR = 512;
    /** The key of the size of a page in the auxiliary vector; see getauxval(3). */
    private static final long PAGE_SIZE_KEY = 6;

    private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|sr)\\d+");
    private static final Pattern NO_NETWORK = Pattern.compile("lo|(veth|docker|br-|virbr|cni|flannel).*");
    /** Of the first line of stat, behind its name: ticks for low priority are those of users, interrupts those of the system. */
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

    /** @param root where the kernel shows its files, in proc and sys; another system has no such directories */
    OwnHost(DatabaseProcesses database, Path root) {
        this.proc = root.resolve("proc");
        this.devices = root.resolve("sys/block");
        this.processes = new ProcessTimes(database, ProcessHandle.current().pid(), proc);
    }

    /** As {@link RunMonitor#countAsGenerator}. */
    void countAsGenerator(Collection<Long> generators) {
        processes.countAsGenerator(generators);
    }

    /** Whether processes of the database were found at any look. */
    boolean sawDatabase() {
        return sawDatabase;
    }

    /** What could not be read, with the system's words. */
    List<String> unreadable() {
        return List.copyOf(unreadable.values());
    }

    /** Looks at it now. */
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
                // What pages of files take, as sar -r shows it: with shared memory.
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
            // The two lines above the devices are titles.
            if (line.get(0).endsWith(":") && isNetwork(line.get(0).replace(":", ""))) {
                counts.merge("networkReceivedBytes", Long.parseLong(line.get(1)), Long::sum);
                counts.merge("networkSentBytes", Long.parseLong(line.get(9)), Long::sum);
            }
        });
        // As Documentation/admin-guide/iostats.rst of the kernel describes them; partitions are no devices.
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
            throw new UncheckedIOException("the size of a page is not told", untold);
        }
    }

    /** Not the loopback, nor the bridges of containers, whose bytes another one has, too. */
    static boolean isNetwork(String name) {
        return !NO_NETWORK.matcher(name).matches();
    }

    /** Not what lies in memory or in a file, nor a drive for discs. */
    static boolean isDisk(String name) {
        return !NO_DISK.matcher(name).matches();
    }

    /**
     * The first fields of a line, of which there may be fewer, without the spaces between them. Hundreds of lines are read each second
     * beside the searches: by regular expressions it would be their code that Java compiles while it is measured.
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
