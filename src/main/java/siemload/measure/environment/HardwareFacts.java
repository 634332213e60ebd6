package siemload.measure.environment;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Processors, memory and disks. */
final class HardwareFacts {
    private static final Pattern NOT_A_DISK = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");
    private static final int SECTOR_BYTES = 512;

    private HardwareFacts() {}

    static Map<String, String> read(SystemFiles files) {
        Map<String, String> values = new TreeMap<>();
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        values.put("cpus", Integer.toString(system.getAvailableProcessors()));
        values.put("architecture", system.getArch());
        values.put("memoryBytes", Long.toString(system.getTotalMemorySize()));
        values.put("swapBytes", Long.toString(system.getTotalSwapSpaceSize()));
        processor(files, "model name").or(() -> processor(files, "CPU part")).ifPresent(cpu -> values.put("cpu", cpu));
        processor(files, "cpu cores").ifPresent(cores -> values.put("cpuCoresPerSocket", cores));
        processor(files, "microcode").ifPresent(code -> values.put("cpuMicrocode", code));
        processor(files, "cache size").ifPresent(size -> values.put("cpuCache", size));
        String cpu = "sys/devices/system/cpu/";
        files.put(values, "cpuMaximumKilohertz", cpu + "cpu0/cpufreq/cpuinfo_max_freq");
        files.put(values, "cpuGovernor", cpu + "cpu0/cpufreq/scaling_governor");
        files.put(values, "cpuThreads", cpu + "smt/control");
        files.put(values, "numaNodes", "sys/devices/system/node/online");
        files.put(values, "machineVendor", "sys/class/dmi/id/sys_vendor");
        files.put(values, "machine", "sys/class/dmi/id/product_name");
        files.names("sys/block").stream()
                .filter(disk -> !NOT_A_DISK.matcher(disk).matches())
                .forEach(disk -> disk(files, disk, values));
        return values;
    }

    /** The first processor stands for all. Its present clock rate, which never stands still, is not asked. */
    private static Optional<String> processor(SystemFiles files, String name) {
        return files.lines("proc/cpuinfo").stream()
                .map(line -> line.split("\\s*:\\s*", 2))
                .filter(pair -> pair.length == 2 && pair[0].equals(name))
                .map(pair -> pair[1].strip())
                .findFirst();
    }

    private static void disk(SystemFiles files, String disk, Map<String, String> values) {
        String directory = "sys/block/" + disk + "/";
        String key = "disk." + disk + ".";
        files.text(directory + "size").ifPresent(sectors -> values.put(key + "bytes", Long.toString(bytes(sectors))));
        files.put(values, key + "model", directory + "device/model");
        files.text(directory + "queue/rotational")
                .ifPresent(rotates -> values.put(key + "rotates", rotates.equals("1") ? "yes" : "no"));
        files.put(values, key + "writeCache", directory + "queue/write_cache");
    }

    private static long bytes(String sectors) {
        try {
            return Long.parseLong(sectors) * SECTOR_BYTES;
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }
}
