package siemload.measure.monitor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import siemload.results.HostActivity;
import siemload.results.HostActivity.CpuShares;
import siemload.results.HostActivity.Transfers;

/**
 * What the machine has counted, since some time before the run or in a span of it. Ratios are shares of all CPUs, 0 to 1, with
 * four decimals. Immutable.
 *
 * @param disks by their names
 * @param others CPU time of all other processes by name, in nanoseconds
 * @param nanos when it was read, on the monotonic clock, or how long the span was
 */
record HostCounts(
        CpuNanos cpu,
        Contention contention,
        Transfers transfers,
        Map<String, DiskReading> disks,
        Map<String, Long> others,
        long nanos) {

    /** A span in which nothing was counted. */
    static final HostCounts NONE =
            new HostCounts(CpuNanos.NONE, Contention.NONE, Transfers.NONE, Map.of(), Map.of(), 0);

    HostCounts {
        disks = Collections.unmodifiableMap(new LinkedHashMap<>(disks));
        others = Map.copyOf(others);
    }

    /**
     * How all CPUs together spent their time, in nanoseconds.
     *
     * @param total of everything, so about the number of CPUs times the time
     * @param busy for programs and the system
     * @param iowait idle, while somebody waited for a disk
     * @param steal not ours, as the hypervisor gave it to others
     * @param generator for this process
     * @param database for the database's processes
     */
    record CpuNanos(long total, long busy, long iowait, long steal, long generator, long database) {
        static final CpuNanos NONE = new CpuNanos(0, 0, 0, 0, 0, 0);

        CpuNanos with(CpuNanos other, LongBinaryOperator each) {
            return new CpuNanos(
                    each.applyAsLong(total, other.total),
                    each.applyAsLong(busy, other.busy),
                    each.applyAsLong(iowait, other.iowait),
                    each.applyAsLong(steal, other.steal),
                    each.applyAsLong(generator, other.generator),
                    each.applyAsLong(database, other.database));
        }
    }

    /**
     * Who waited for CPUs and disks, in nanoseconds.
     *
     * @param kernel what threads of the kernel ran
     * @param waited for how long threads of the database and the load generator were ready to run while others ran
     * @param cpuStalled for how long anybody waited for a CPU
     * @param ioStalled for how long anybody waited for a disk
     */
    record Contention(long kernel, long waited, long cpuStalled, long ioStalled) {
        static final Contention NONE = new Contention(0, 0, 0, 0);

        Contention with(Contention other, LongBinaryOperator each) {
            return new Contention(
                    each.applyAsLong(kernel, other.kernel),
                    each.applyAsLong(waited, other.waited),
                    each.applyAsLong(cpuStalled, other.cpuStalled),
                    each.applyAsLong(ioStalled, other.ioStalled));
        }
    }

    /** One block device. */
    record DiskReading(String name, long reads, long readBytes, long writes, long writtenBytes, long busyMillis) {

        DiskReading with(DiskReading other, LongBinaryOperator each) {
            return new DiskReading(
                    name,
                    each.applyAsLong(reads, other.reads),
                    each.applyAsLong(readBytes, other.readBytes),
                    each.applyAsLong(writes, other.writes),
                    each.applyAsLong(writtenBytes, other.writtenBytes),
                    each.applyAsLong(busyMillis, other.busyMillis));
        }
    }

    /** What was counted since an earlier reading: of the devices that both have, and of all programs. */
    HostCounts since(HostCounts earlier) {
        Map<String, DiskReading> disksSince = new LinkedHashMap<>();
        disks.forEach((name, now) -> {
            if (earlier.disks.containsKey(name)) {
                disksSince.put(name, now.with(earlier.disks.getOrDefault(name, now), (one, then) -> one - then));
            }
        });
        Map<String, Long> othersSince = new HashMap<>();
        others.forEach((name, now) -> othersSince.put(name, now - earlier.others.getOrDefault(name, 0L)));
        return new HostCounts(
                cpu.with(earlier.cpu, (now, then) -> now - then),
                contention.with(earlier.contention, (now, then) -> Math.max(0, now - then)),
                transfers.with(earlier.transfers, (now, then) -> Math.max(0, now - then)),
                disksSince,
                othersSince,
                Math.max(1, nanos - earlier.nanos));
    }

    /** What was counted in two spans. */
    HostCounts plus(HostCounts other) {
        Map<String, DiskReading> allDisks = new LinkedHashMap<>(disks);
        other.disks.forEach((name, disk) -> allDisks.merge(name, disk, (one, another) -> one.with(another, Long::sum)));
        Map<String, Long> allOthers = new HashMap<>(others);
        other.others.forEach((name, used) -> allOthers.merge(name, used, Long::sum));
        return new HostCounts(
                cpu.with(other.cpu, Long::sum),
                contention.with(other.contention, Long::sum),
                transfers.with(other.transfers, Long::sum),
                allDisks,
                allOthers,
                nanos + other.nanos);
    }

    /** Others have what is left of all that the CPUs did; the times of processes are a little finer than those of CPUs. */
    CpuShares shares() {
        return new CpuShares(
                ofCpus(cpu.database),
                ofCpus(cpu.generator),
                ofCpus(cpu.busy - cpu.database - cpu.generator - contention.kernel),
                ofCpus(cpu.iowait),
                ofCpus(cpu.steal));
    }

    /**
     * What others took from the database and the load generator, in nanoseconds of their threads: of the time for which these waited for a
     * CPU, the share of the CPUs that others had, since nobody waits while a CPU is idle; and their own share of what the hypervisor gave to
     * others.
     */
    double lostNanos() {
        if (cpu.busy <= 0 || cpu.total <= 0) {
            return 0;
        }
        double othersRatio = Math.max(0, (double) (cpu.busy - ranNanos() - contention.kernel) / cpu.total);
        return contention.waited * othersRatio + cpu.steal * Math.min(1, (double) ranNanos() / cpu.busy);
    }

    /** For how long the database and the load generator ran, in nanoseconds of their threads. */
    long ranNanos() {
        return cpu.database + cpu.generator;
    }

    /**
     * The same over the whole phase.
     *
     * @param lostRatio what others took in it, to what the database and the load generator ran
     * @param lostRatioP95 the 95th percentile of the same by the second
     */
    HostActivity.Contention contention(double lostRatio, double lostRatioP95) {
        return new HostActivity.Contention(
                ofCpus(contention.kernel),
                rounded(contention.waited / 1e9),
                rounded(lostRatio),
                rounded(lostRatioP95),
                CpuTimes.ratio(contention.cpuStalled, nanos),
                CpuTimes.ratio(contention.ioStalled, nanos));
    }

    /** What the devices did in the span. */
    List<HostActivity.Disk> diskActivity() {
        List<HostActivity.Disk> active = new ArrayList<>();
        for (DiskReading disk : disks.values()) {
            active.add(new HostActivity.Disk(
                    disk.name,
                    disk.reads,
                    disk.readBytes,
                    disk.writes,
                    disk.writtenBytes,
                    rounded(Math.min(1, disk.busyMillis * 1e6 / nanos))));
        }
        return active;
    }

    /** The programs that took more than this share of all CPUs, the busiest first. */
    List<HostActivity.HeavyProcess> heavierThan(double cpuRatio) {
        return others.entrySet().stream()
                .map(program -> new HostActivity.HeavyProcess(program.getKey(), ofCpus(program.getValue())))
                .filter(program -> program.cpuRatio() > cpuRatio)
                .sorted(Comparator.comparing(HostActivity.HeavyProcess::cpuRatio)
                        .reversed()
                        .thenComparing(HostActivity.HeavyProcess::name))
                .toList();
    }

    private double ofCpus(long cpuNanos) {
        return CpuTimes.ratio(cpuNanos, cpu.total);
    }

    private static double rounded(double ratio) {
        return Math.round(ratio * 1e4) / 1e4;
    }
}
