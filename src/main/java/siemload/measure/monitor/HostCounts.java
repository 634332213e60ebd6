package siemload.measure.monitor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.HeavyProcess;

/**
 * What a host has counted, since some time before the run or in a span of it, by names; what it does not tell is missing and counts
 * as 0. Ratios are shares of all CPUs, 0 to 1, with four decimals. Immutable.
 *
 * <p>The names, of which all that have no unit are nanoseconds:
 *
 * <ul>
 *   <li>{@code all/user}, {@code /system}, {@code /iowait}, {@code /steal} and {@code /total} of all CPUs together. User has the programs of low priority, system the interrupts.
 *   <li>{@code disk/sda/reads}, {@code /readBytes}, {@code /writes}, {@code /writtenBytes} and {@code /busyMillis}.
 *   <li>{@code swapInBytes}, {@code swapOutBytes}, {@code networkReceivedBytes}, {@code networkSentBytes}.
 *   <li>{@code generator} and {@code database}: CPU time of the processes of each; {@code kernel}: of the kernel's threads;
 *       {@code program/sshd}: of other programs.
 *   <li>{@code waited}: for how long threads of database and load generator were ready to run while others ran.
 * </ul>
 *
 * @param nanos when it was read, on the monotonic clock, or how long the span was
 * @param levels what goes up and down, as it was at the end of a span, and of spans added up the highest: {@code cpus}, {@code load1},
 *     {@code memoryUsedBytes}, which programs could not have at once, and {@code pageCacheBytes}
 */
record HostCounts(long nanos, Map<String, Long> values, Map<String, Double> levels) {
    static final String DISK = "disk/";
    static final String PROGRAM = "program/";

    /** A span in which nothing was counted. */
    static final HostCounts NONE = new HostCounts(0, Map.of(), Map.of());

    HostCounts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        levels = Map.copyOf(levels);
    }

    /** A count by its name. */
    long of(String name) {
        return values.getOrDefault(name, 0L);
    }

    /** A level by its name. */
    double level(String name) {
        return levels.getOrDefault(name, 0.0);
    }

    /** What was counted since an earlier reading: of what both have, and of all programs. */
    HostCounts since(HostCounts earlier) {
        Map<String, Long> since = new LinkedHashMap<>();
        values.forEach((name, now) -> {
            if (earlier.values.containsKey(name) || name.startsWith(PROGRAM)) {
                since.put(name, Math.max(0, now - earlier.of(name)));
            }
        });
        return new HostCounts(Math.max(1, nanos - earlier.nanos), since, levels);
    }

    /** What was counted in two spans. */
    HostCounts plus(HostCounts other) {
        Map<String, Long> sum = new LinkedHashMap<>(values);
        other.values.forEach((name, more) -> sum.merge(name, more, Long::sum));
        Map<String, Double> highest = new HashMap<>(levels);
        other.levels.forEach((name, value) -> highest.merge(name, value, Math::max));
        return new HostCounts(nanos + other.nanos, sum, highest);
    }

    /** The same as if the span had taken a second. */
    HostCounts ofASecond() {
        Map<String, Long> scaled = new LinkedHashMap<>(values);
        scaled.replaceAll((name, counted) -> Math.round(counted * (1e9 / nanos)));
        return new HostCounts(1_000_000_000, scaled, levels);
    }

    /**
     * The figures of the host by the names that results have. Whose CPU time it was is known of this host alone; the times of processes are a
     * little finer than those of CPUs.
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

    /** The share of all CPU time that this count is. */
    double ofCpus(String name) {
        return ratio(of(name), of("all/total"));
    }

    /** The share of all CPU time that neither database, load generator nor kernel had. */
    double otherCpuRatio() {
        return ratio(busy() - ranNanos() - of("kernel"), of("all/total"));
    }

    private long busy() {
        return of("all/user") + of("all/system");
    }

    /**
     * What others took from the database and the load generator, in nanoseconds of their threads: of the time for which these waited for a
     * CPU, the share of the CPUs that others had, since nobody waits while a CPU is idle; and their own share of what the hypervisor gave to
     * others.
     */
    double lostNanos() {
        long total = of("all/total");
        if (busy() <= 0 || total <= 0) {
            return 0;
        }
        double othersRatio = Math.max(0, (double) (busy() - ranNanos() - of("kernel")) / total);
        return of("waited") * othersRatio + of("all/steal") * Math.min(1, (double) ranNanos() / busy());
    }

    /** For how long the database and the load generator ran, in nanoseconds of their threads. */
    long ranNanos() {
        return of("database") + of("generator");
    }

    /** What the devices did in the span, the busiest first. */
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
}
