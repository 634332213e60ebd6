package siemload.measure.monitor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * This machine, as Linux shows it in {@code /proc}: see proc(5). What cannot be read, as on other systems, is missing, and is named with the
 * reason. A look costs a few milliseconds, most of them for the processes. Used by one thread at a time.
 */
final class OwnHost {
    private static final Path DEVICES = Path.of("/sys/block");
    private static final long BYTES_OF_KIBIBYTE = 1024;
    /** Whatever the disk's own are. */
    private static final long BYTES_IN_SECTOR = 512;
    /** The key of the size of a page in the auxiliary vector; see getauxval(3). */
    private static final long PAGE_SIZE_KEY = 6;

    private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|sr)\\d+");
    private static final Pattern BRIDGE = Pattern.compile("(veth|docker|br-|virbr|cni|flannel).*");

    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final Path proc;
    private final ProcessTimes processes;
    private boolean sawDatabase;

    OwnHost(DatabaseProcesses database) {
        this(database, ProcessTimes.PROC);
    }

    /** @param proc where the kernel shows its files; another system has no such directory */
    OwnHost(DatabaseProcesses database, Path proc) {
        this.proc = proc;
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
        counts.put("generator", Math.max(0, self.getProcessCpuTime()) + counts.getOrDefault(ProcessTimes.STARTED, 0L));
        Map<String, Double> levels = new LinkedHashMap<>();
        levels.put("cpus", (double) self.getAvailableProcessors());
        read("the CPUs", "stat", stat -> levels.put("cpus", (double) cpus(stat, counts)));
        read("memory", "meminfo", meminfo -> {
            Map<String, Long> memory = values(meminfo, "");
            long used = memory.getOrDefault("MemTotal:", 0L) - memory.getOrDefault("MemAvailable:", 0L);
            levels.put("memoryUsedBytes", (double) used * BYTES_OF_KIBIBYTE);
            levels.put("pageCacheBytes", (double) pageCacheBytes(memory));
        });
        read("swap", "vmstat", vmstat -> {
            Map<String, Long> pages = values(vmstat, "pswp");
            counts.put("swapInBytes", pages.getOrDefault("pswpin", 0L) * pageBytes());
            counts.put("swapOutBytes", pages.getOrDefault("pswpout", 0L) * pageBytes());
        });
        read("the network", "net/dev", devices -> devices.lines().forEach(device -> network(device, counts)));
        read(
                "the disks",
                "diskstats",
                statistics -> counts.putAll(disks(statistics, name -> Files.isDirectory(DEVICES.resolve(name)))));
        read(
                "the load averages",
                "loadavg",
                loads -> levels.put("load1", Double.parseDouble(fields(loads, 1).get(0))));
        return new HostCounts(System.nanoTime(), counts, levels);
    }

    /** Takes what a file of the kernel says. */
    @FunctionalInterface
    private interface Reading {
        void take(String text) throws IOException;
    }

    private void read(String what, String file, Reading reading) {
        if (!unreadable.containsKey(what)) {
            try {
                reading.take(Files.readString(proc.resolve(file)));
            } catch (IOException | RuntimeException refused) {
                unreadable.put(what, what + " (" + refused + ")");
            }
        }
    }

    /**
     * The first line of stat, of all CPUs: a name, then ticks as user, for low priority, system, idle, iowait, two of interrupts and steal.
     *
     * @return how many CPUs there are, each of which has a line like it
     */
    private static long cpus(String stat, Map<String, Long> counts) {
        long[] nanos = fields(stat.substring(0, stat.indexOf('\n')), 9).stream()
                .skip(1)
                .mapToLong(ticks -> Long.parseLong(ticks) * ProcessTimes.NANOS_PER_TICK)
                .toArray();
        counts.put("all/user", nanos[0] + nanos[1]);
        counts.put("all/system", nanos[2] + nanos[5] + nanos[6]);
        counts.put("all/iowait", nanos[4]);
        counts.put("all/steal", nanos[7]);
        counts.put("all/total", Arrays.stream(nanos).sum());
        return stat.lines().takeWhile(line -> line.startsWith("cpu")).count() - 1;
    }

    /** What pages of files take, as sar -r shows it: {@code Buffers} and {@code Cached}, the latter with shared memory. */
    private static long pageCacheBytes(Map<String, Long> memory) {
        return (memory.getOrDefault("Buffers:", 0L) + memory.getOrDefault("Cached:", 0L)) * BYTES_OF_KIBIBYTE;
    }

    /** The numbers of a file that has a name and a number in each line, of the names that begin like this. */
    static Map<String, Long> values(String text, String prefix) {
        Map<String, Long> values = new HashMap<>();
        text.lines().filter(line -> line.startsWith(prefix)).forEach(line -> {
            List<String> fields = fields(line, 2);
            values.put(fields.get(0), Long.parseLong(fields.get(1)));
        });
        return values;
    }

    private long pageBytes() throws IOException {
        ByteBuffer vector =
                ByteBuffer.wrap(Files.readAllBytes(proc.resolve("self/auxv"))).order(ByteOrder.nativeOrder());
        while (vector.remaining() >= 2 * Long.BYTES) {
            long key = vector.getLong();
            long value = vector.getLong();
            if (key == PAGE_SIZE_KEY) {
                return value;
            }
        }
        throw new IOException("the size of a page is not told");
    }

    /** All but the loopback, and the bridges of containers, whose bytes another one has too. */
    private static void network(String device, Map<String, Long> counts) {
        int colon = device.indexOf(':');
        if (colon >= 0 && isNetwork(device.substring(0, colon).strip())) {
            List<String> fields = fields(device.substring(colon + 1), 9);
            counts.merge("networkReceivedBytes", Long.parseLong(fields.get(0)), Long::sum);
            counts.merge("networkSentBytes", Long.parseLong(fields.get(8)), Long::sum);
        }
    }

    /** Not the loopback, nor what another network's bytes go through, too. */
    static boolean isNetwork(String name) {
        return !name.equals("lo") && !BRIDGE.matcher(name).matches();
    }

    /**
     * What whole devices did, but not those in memory or in files, by lines as Documentation/admin-guide/iostats.rst of the kernel
     * describes them.
     */
    static Map<String, Long> disks(String statistics, Predicate<String> isDevice) {
        Map<String, Long> counts = new LinkedHashMap<>();
        statistics.lines().map(line -> fields(line, 13)).forEach(fields -> {
            if (fields.size() == 13 && isDisk(fields.get(2)) && isDevice.test(fields.get(2))) {
                String disk = HostCounts.DISK + fields.get(2) + "/";
                counts.put(disk + "reads", Long.parseLong(fields.get(3)));
                counts.put(disk + "readBytes", Long.parseLong(fields.get(5)) * BYTES_IN_SECTOR);
                counts.put(disk + "writes", Long.parseLong(fields.get(7)));
                counts.put(disk + "writtenBytes", Long.parseLong(fields.get(9)) * BYTES_IN_SECTOR);
                counts.put(disk + "busyMillis", Long.parseLong(fields.get(12)));
            }
        });
        return counts;
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
