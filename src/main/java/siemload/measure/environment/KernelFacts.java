package siemload.measure.environment;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The operating system, and those of its parameters and limits that databases feel. */
final class KernelFacts {
    private static final List<String> PARAMETERS = List.of(
            "vm/swappiness",
            "vm/dirty_ratio",
            "vm/dirty_background_ratio",
            "vm/dirty_bytes",
            "vm/dirty_background_bytes",
            "vm/dirty_expire_centisecs",
            "vm/dirty_writeback_centisecs",
            "vm/overcommit_memory",
            "vm/overcommit_ratio",
            "vm/nr_hugepages",
            "vm/nr_overcommit_hugepages",
            "vm/zone_reclaim_mode",
            "vm/vfs_cache_pressure",
            "vm/max_map_count",
            "vm/min_free_kbytes",
            "kernel/numa_balancing",
            "kernel/sched_autogroup_enabled",
            "kernel/shmmax",
            "kernel/shmall",
            "kernel/sem",
            "kernel/pid_max",
            "kernel/threads-max",
            "fs/file-max",
            "fs/aio-max-nr",
            "net/core/somaxconn",
            "net/ipv4/tcp_congestion_control");
    private static final List<String> LIMITS =
            List.of("Max open files", "Max processes", "Max locked memory", "Max address space", "Max file size");
    private static final List<String> CONTROL_GROUP = List.of(
            "memory.max", "memory/memory.limit_in_bytes", "cpu.max", "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us");
    private static final Pattern COLUMNS = Pattern.compile(" {2,}");

    private KernelFacts() {}

    static Map<String, String> read(SystemFiles files) {
        Map<String, String> values = new TreeMap<>();
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        values.put("system", system.getName());
        values.put("version", system.getVersion());
        files.put(values, "build", "proc/version");
        PARAMETERS.forEach(name -> files.put(values, name.replace('/', '.'), "proc/sys/" + name));
        String hugePages = "sys/kernel/mm/transparent_hugepage/";
        files.putChosen(values, "transparentHugePages", hugePages + "enabled");
        files.putChosen(values, "transparentHugePagesDefrag", hugePages + "defrag");
        files.put(values, "clockSource", "sys/devices/system/clocksource/clocksource0/current_clocksource");
        files.lines("proc/self/limits").forEach(line -> limit(line, values));
        CONTROL_GROUP.forEach(
                file -> files.put(values, "controlGroup." + file.replaceAll(".*/", ""), "sys/fs/cgroup/" + file));
        return values;
    }

    /** A line such as {@code Max open files   1024   4096   files}: the first number is the one in force. */
    private static void limit(String line, Map<String, String> values) {
        String[] columns = COLUMNS.split(line.strip(), -1);
        if (columns.length > 2 && LIMITS.contains(columns[0])) {
            values.put("limit." + columns[0].substring("Max ".length()).replace(' ', '_'), columns[1]);
        }
    }
}
