package siemload.measure.monitor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.NetworkIF;
import oshi.hardware.VirtualMemory;
import oshi.util.GlobalConfig;
import siemload.measure.monitor.HostCounts.Contention;
import siemload.measure.monitor.HostCounts.CpuNanos;
import siemload.measure.monitor.HostCounts.DiskReading;
import siemload.results.HostActivity.Transfers;

/**
 * This machine, read by OSHI; processes, and disks on Linux, are cheaper to read in another way. What cannot be read is 0 from then on, and is named
 * once. Used by one thread at a time.
 */
final class MachineReader {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final Path PRESSURE = Path.of("/proc/pressure");
    private static final String TOTAL = "total=";
    private static final int LOAD_AVERAGES = 3;
    private static final double[] NO_LOADS = {0, 0, 0};
    private static final Network NO_NETWORK = new Network(0, 0);
    private static final Memory NO_MEMORY = new Memory(0, 0, 0);

    private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|sr)\\d+");
    private static final Pattern BRIDGE = Pattern.compile("(veth|docker|br-|virbr|cni|flannel).*");

    static {
        // OSHI gives what it read up to 300 ms ago, so that a span would hold what happened before it. To be set before
        // anything else of it is used.
        GlobalConfig.set(GlobalConfig.OSHI_UTIL_MEMOIZER_EXPIRATION, 0);
    }

    private final ProcessTable processes = ProcessTable.ofThisMachine();
    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final SystemInfo system = new SystemInfo();
    private final ProcessTimes times;
    private List<NetworkIF> networks = List.of();

    MachineReader(DatabaseProcesses database) {
        times = new ProcessTimes(
                database,
                processes.knowsEndedChildren(),
                ProcessHandle.current().pid());
    }

    private record Memory(long usedBytes, long swapInBytes, long swapOutBytes) {}

    private record Network(long receivedBytes, long sentBytes) {}

    /** As {@link RunMonitor#countAsGenerator}. */
    void countAsGenerator(Set<Long> generators) {
        times.countAsGenerator(generators);
    }

    /** The number of logical CPUs; those that this process may use where nobody knows. */
    int cpus() {
        return read("the number of CPUs", () -> processor().getLogicalProcessorCount(), self.getAvailableProcessors());
    }

    HostReading read() {
        times.look(processes::read, processes::waits);
        Memory memory = read("memory and swap", this::memory, NO_MEMORY);
        Network network = read("the network", this::network, NO_NETWORK);
        HostCounts counts = new HostCounts(
                read("the CPUs", this::cpu, CpuNanos.NONE),
                new Contention(times.kernelNanos(), times.waitedNanos(), stalledNanos("cpu"), stalledNanos("io")),
                new Transfers(
                        memory.swapInBytes(), memory.swapOutBytes(), network.receivedBytes(), network.sentBytes()),
                read("the disks", this::disks, List.<DiskReading>of()).stream()
                        .collect(Collectors.toMap(
                                DiskReading::name, disk -> disk, (one, same) -> one, LinkedHashMap::new)),
                times.others(),
                System.nanoTime());
        return new HostReading(counts, read("each CPU", this::eachCpu, Map.of()), levels(memory));
    }

    /** Whether processes of the database were found. */
    boolean seesDatabase() {
        return times.seesDatabase();
    }

    /** What could not be read, with the system's words. */
    List<String> unreadable() {
        List<String> texts = new ArrayList<>();
        unreadable.forEach((what, why) -> texts.add(what + " (" + why + ")"));
        return texts;
    }

    private CentralProcessor processor() {
        return system.getHardware().getProcessor();
    }

    private HostReading.Levels levels(Memory memory) {
        double[] loads = read("the load averages", () -> processor().getSystemLoadAverage(LOAD_AVERAGES), NO_LOADS);
        return new HostReading.Levels(
                Math.max(0, loads[0]),
                Math.max(0, loads[1]),
                Math.max(0, loads[2]),
                memory.usedBytes(),
                read("the cache of files", MachineReader::pageCacheBytes, 0L),
                read("the memory of the database", this::databaseBytes, 0L));
    }

    /** Only Linux tells. */
    private static long pageCacheBytes() {
        try {
            return LinuxMemory.isThere() ? LinuxMemory.pageCacheBytes() : 0;
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private long databaseBytes() {
        return LinuxMemory.isThere()
                ? LinuxMemory.bytes(
                        times.databaseProcesses(),
                        system.getHardware().getMemory().getPageSize())
                : 0;
    }

    private Map<String, CpuTimes> eachCpu() {
        long[][] ticks = processor().getProcessorCpuLoadTicks();
        Map<String, CpuTimes> each = new LinkedHashMap<>();
        for (int i = 0; i < ticks.length; i++) {
            each.put(String.valueOf(i), times(ticks[i]));
        }
        return each;
    }

    private static CpuTimes times(long[] ticks) {
        long total = 0;
        for (long tick : ticks) {
            total += tick;
        }
        return new CpuTimes(
                NANOS_PER_MILLI * (ticks[TickType.USER.getIndex()] + ticks[TickType.NICE.getIndex()]),
                NANOS_PER_MILLI
                        * (ticks[TickType.SYSTEM.getIndex()]
                                + ticks[TickType.IRQ.getIndex()]
                                + ticks[TickType.SOFTIRQ.getIndex()]),
                NANOS_PER_MILLI * ticks[TickType.IOWAIT.getIndex()],
                NANOS_PER_MILLI * ticks[TickType.STEAL.getIndex()],
                NANOS_PER_MILLI * total);
    }

    /** For how long anybody waited for this resource; 0 where the kernel does not count that. */
    private static long stalledNanos(String resource) {
        try {
            String pressure = Files.readString(PRESSURE.resolve(resource));
            int total = pressure.indexOf(TOTAL) + TOTAL.length();
            return NANOS_PER_MICRO * Long.parseLong(pressure.substring(total, pressure.indexOf('\n', total)));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException untold) {
            return 0;
        }
    }

    private CpuNanos cpu() {
        long[] ticks = processor().getSystemCpuLoadTicks();
        long total = 0;
        for (long tick : ticks) {
            total += tick;
        }
        if (total == 0) {
            throw new IllegalStateException("the system counts no time");
        }
        long iowait = ticks[TickType.IOWAIT.getIndex()];
        long steal = ticks[TickType.STEAL.getIndex()];
        long busy = total - ticks[TickType.IDLE.getIndex()] - iowait - steal;
        return new CpuNanos(
                NANOS_PER_MILLI * total,
                NANOS_PER_MILLI * busy,
                NANOS_PER_MILLI * iowait,
                NANOS_PER_MILLI * steal,
                Math.max(0, self.getProcessCpuTime()) + times.startedNanos(),
                times.databaseNanos());
    }

    private Memory memory() {
        GlobalMemory memory = system.getHardware().getMemory();
        VirtualMemory virtual = memory.getVirtualMemory();
        return new Memory(
                memory.getTotal() - memory.getAvailable(),
                virtual.getSwapPagesIn() * memory.getPageSize(),
                virtual.getSwapPagesOut() * memory.getPageSize());
    }

    /** All but the loopback, and the bridges of containers, whose bytes another one has too. */
    private Network network() {
        long received = 0;
        long sent = 0;
        if (networks.isEmpty()) {
            networks = system.getHardware().getNetworkIFs().stream()
                    .filter(network -> !isBridge(network.getName()))
                    .toList();
        }
        for (NetworkIF network : networks) {
            network.updateAttributes();
            received += network.getBytesRecv();
            sent += network.getBytesSent();
        }
        return new Network(received, sent);
    }

    private List<DiskReading> disks() {
        if (LinuxDisks.areThere()) {
            try {
                return LinuxDisks.read();
            } catch (IOException refused) {
                throw new UncheckedIOException(refused);
            }
        }
        List<DiskReading> disks = new ArrayList<>();
        for (HWDiskStore disk : system.getHardware().getDiskStores()) {
            String name = disk.getName().replaceFirst("^/dev/", "").replace(',', ' ');
            if (isDisk(name)) {
                disks.add(new DiskReading(
                        name,
                        disk.getReads(),
                        disk.getReadBytes(),
                        disk.getWrites(),
                        disk.getWriteBytes(),
                        disk.getTransferTime()));
            }
        }
        return disks;
    }

    /** What another network's bytes go through, too. */
    static boolean isBridge(String name) {
        return BRIDGE.matcher(name).matches();
    }

    /** Not what lies in memory or in a file, nor a drive for discs. */
    static boolean isDisk(String name) {
        return !NO_DISK.matcher(name).matches();
    }

    private <T> T read(String what, Supplier<T> reading, T otherwise) {
        if (unreadable.containsKey(what)) {
            return otherwise;
        }
        try {
            return reading.get();
        } catch (RuntimeException | LinkageError refused) {
            unreadable.put(what, refused.toString());
            return otherwise;
        }
    }

    /** Reads what OSHI does not tell of memory: {@code /proc/meminfo} and {@code /proc/<process>/statm}, as proc(5) describes them. */
    static final class LinuxMemory {
        private static final Path PROC = Path.of("/proc");
        private static final long BYTES_OF_KIBIBYTE = 1024;
        /** The field of meminfo behind the name. */
        private static final int AMOUNT = 1;

        private static final int RESIDENT = 1;
        private static final int SHARED = 2;

        private LinuxMemory() {}

        static boolean isThere() {
            return Files.isReadable(PROC.resolve("meminfo"));
        }

        /** What pages of files take, as sar -r shows it: {@code Buffers} and {@code Cached}, the latter with shared memory. */
        static long pageCacheBytes() throws IOException {
            return pageCacheBytes(Files.readString(PROC.resolve("meminfo")));
        }

        static long pageCacheBytes(String meminfo) {
            return meminfo.lines()
                    .filter(line -> line.startsWith("Buffers:") || line.startsWith("Cached:"))
                    .map(line -> KernelLine.fields(line, AMOUNT + 1))
                    .filter(fields -> fields.size() > AMOUNT)
                    .mapToLong(fields -> Long.parseLong(fields.get(AMOUNT)) * BYTES_OF_KIBIBYTE)
                    .sum();
        }

        /** What these processes hold, of which nobody knows how much of it they share: see {@link #together}. */
        static long bytes(Collection<Long> processes, long bytesOfPage) {
            return together(processes.stream().map(LinuxMemory::statm).toList()) * bytesOfPage;
        }

        /**
         * The pages that processes hold together: those of each alone, and once those that are shared, of which the process with most
         * of them has most likely all.
         *
         * @param statm a line of each process; an empty one of a process that has ended
         */
        static long together(Collection<String> statm) {
            long alone = 0;
            long shared = 0;
            for (String line : statm) {
                List<String> fields = KernelLine.fields(line, SHARED + 1);
                if (fields.size() > SHARED) {
                    long ofProcess = Long.parseLong(fields.get(SHARED));
                    alone += Long.parseLong(fields.get(RESIDENT)) - ofProcess;
                    shared = Math.max(shared, ofProcess);
                }
            }
            return alone + shared;
        }

        private static String statm(long process) {
            try {
                return Files.readString(PROC.resolve(process + "/statm"));
            } catch (IOException ended) {
                return "";
            }
        }
    }
}
