package siemload.measure.monitor;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        List<String> texts = new ArrayList<>();
        unreadable.forEach((what, why) -> texts.add(what + " (" + why + ")"));
        return texts;
    }

    /** Looks at it now. */
    HostCounts read() {
        processes.look();
        Map<String, Long> counts = new LinkedHashMap<>(processes.counts());
        sawDatabase |= !processes.databaseProcesses().isEmpty();
        counts.put("generator", Math.max(0, self.getProcessCpuTime()) + counts.getOrDefault(ProcessTimes.STARTED, 0L));
        Map<String, Double> levels = new LinkedHashMap<>();
        levels.put("cpus", (double) self.getAvailableProcessors());
        read("the CPUs", () -> readCpus(counts, levels));
        read("memory", () -> readMemory(levels));
        read("swap", () -> readSwap(counts));
        read("the network", () -> readNetwork(counts));
        read("the disks", () -> counts.putAll(disks(proc)));
        read("the load averages", () -> {
            List<String> loads = fields(Files.readString(proc.resolve("loadavg")), 1);
            levels.put("load1", Double.parseDouble(loads.get(0)));
        });
        read(
                "the memory of the database",
                () -> levels.put("databaseMemoryBytes", (double) heldBytes(processes.databaseProcesses())));
        return new HostCounts(System.nanoTime(), counts, levels);
    }

    /** Reads something. */
    @FunctionalInterface
    private interface Reading {
        void read() throws IOException;
    }

    private void read(String what, Reading reading) {
        if (!unreadable.containsKey(what)) {
            try {
                reading.read();
            } catch (IOException | RuntimeException refused) {
                unreadable.put(what, refused.toString());
            }
        }
    }

    /** The first lines of stat: a name, then ticks as user, for low priority, system, idle, iowait, two of interrupts and steal. */
    private void readCpus(Map<String, Long> counts, Map<String, Double> levels) throws IOException {
        int seen = 0;
        try (BufferedReader stat = Files.newBufferedReader(proc.resolve("stat"))) {
            for (String line = stat.readLine(); line != null && line.startsWith("cpu"); line = stat.readLine()) {
                List<String> fields = fields(line, 9);
                long[] nanos = new long[8];
                long total = 0;
                for (int i = 0; i < nanos.length; i++) {
                    nanos[i] = Long.parseLong(fields.get(i + 1)) * ProcessTimes.NANOS_PER_TICK;
                    total += nanos[i];
                }
                String number = fields.get(0).substring("cpu".length());
                String cpu = number.isEmpty() ? HostCounts.ALL : HostCounts.CPU + number + "/";
                seen += number.isEmpty() ? 0 : 1;
                counts.put(cpu + "user", nanos[0] + nanos[1]);
                counts.put(cpu + "system", nanos[2] + nanos[5] + nanos[6]);
                counts.put(cpu + "iowait", nanos[4]);
                counts.put(cpu + "steal", nanos[7]);
                counts.put(cpu + "total", total);
            }
        }
        levels.put("cpus", (double) seen);
    }

    private void readMemory(Map<String, Double> levels) throws IOException {
        Map<String, Long> memory = values(Files.readString(proc.resolve("meminfo")), "");
        long used = memory.getOrDefault("MemTotal:", 0L) - memory.getOrDefault("MemAvailable:", 0L);
        levels.put("memoryUsedBytes", (double) used * BYTES_OF_KIBIBYTE);
        levels.put("pageCacheBytes", (double) pageCacheBytes(memory));
    }

    /** What pages of files take, as sar -r shows it: {@code Buffers} and {@code Cached}, the latter with shared memory. */
    static long pageCacheBytes(Map<String, Long> memory) {
        return (memory.getOrDefault("Buffers:", 0L) + memory.getOrDefault("Cached:", 0L)) * BYTES_OF_KIBIBYTE;
    }

    private void readSwap(Map<String, Long> counts) throws IOException {
        Map<String, Long> pages = values(Files.readString(proc.resolve("vmstat")), "pswp");
        counts.put("swapInBytes", pages.getOrDefault("pswpin", 0L) * pageBytes());
        counts.put("swapOutBytes", pages.getOrDefault("pswpout", 0L) * pageBytes());
    }

    /** The numbers of a file that has a name and a number in each line, of the names that begin like this. */
    static Map<String, Long> values(String text, String prefix) {
        Map<String, Long> values = new HashMap<>();
        text.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> fields(line, 2))
                .filter(fields -> fields.size() == 2)
                .forEach(fields -> values.put(fields.get(0), Long.parseLong(fields.get(1))));
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
    private void readNetwork(Map<String, Long> counts) throws IOException {
        for (String line : Files.readAllLines(proc.resolve("net/dev"))) {
            int colon = line.indexOf(':');
            if (colon >= 0 && isNetwork(line.substring(0, colon).strip())) {
                List<String> fields = fields(line.substring(colon + 1), 9);
                counts.merge("networkReceivedBytes", Long.parseLong(fields.get(0)), Long::sum);
                counts.merge("networkSentBytes", Long.parseLong(fields.get(8)), Long::sum);
            }
        }
    }

    /** Not the loopback, nor what another network's bytes go through, too. */
    static boolean isNetwork(String name) {
        return !name.equals("lo") && !BRIDGE.matcher(name).matches();
    }

    /** What whole devices did, but not those in memory or in files. */
    static Map<String, Long> disks(Path proc) throws IOException {
        return disks(Files.readString(proc.resolve("diskstats")), name -> Files.isDirectory(DEVICES.resolve(name)));
    }

    /** Lines as Documentation/admin-guide/iostats.rst of the kernel describes them. */
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

    /** What these processes hold, of which nobody knows how much of it they share: see {@link #together}. */
    private long heldBytes(Collection<Long> processes) throws IOException {
        return together(processes.stream().map(this::statm).toList()) * pageBytes();
    }

    /**
     * The pages that processes hold together: those of each alone, and once those that are shared, of which the process with most of
     * them has most likely all.
     *
     * @param statm a line of each process; an empty one of a process that has ended
     */
    static long together(Collection<String> statm) {
        long alone = 0;
        long shared = 0;
        for (String line : statm) {
            List<String> fields = fields(line, 3);
            if (fields.size() == 3) {
                long ofProcess = Long.parseLong(fields.get(2));
                alone += Long.parseLong(fields.get(1)) - ofProcess;
                shared = Math.max(shared, ofProcess);
            }
        }
        return alone + shared;
    }

    private String statm(long process) {
        try {
            return Files.readString(proc.resolve(process + "/statm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /**
     * The first fields of a line, of which there may be fewer; any number of spaces stands between them, and before the first. Hundreds
     * of lines are read each second beside the searches: by regular expressions it would be their code that Java compiles while it is
     * measured.
     */
    static List<String> fields(String line, int most) {
        List<String> fields = new ArrayList<>(most);
        int end = 0;
        for (int start = skip(line, 0, true);
                start < line.length() && fields.size() < most;
                start = skip(line, end, true)) {
            end = skip(line, start, false);
            fields.add(line.substring(start, end));
        }
        return fields;
    }

    /** Where spaces, or else all but spaces, that begin at this place end. */
    private static int skip(String line, int from, boolean spaces) {
        int at = from;
        while (at < line.length() && line.charAt(at) <= ' ' == spaces) {
            at++;
        }
        return at;
    }
}
