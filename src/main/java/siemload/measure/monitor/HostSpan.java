package siemload.measure.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.measure.monitor.HostReading.DiskReading;
import siemload.results.HostActivity;

/**
 * What the machine did between two readings. Ratios are shares of all CPUs, 0 to 1. Immutable.
 *
 * @param nanos the time between them
 */
record HostSpan(HostReading from, HostReading until, long nanos) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    double databaseCpuRatio() {
        return ofCpus(until.databaseNanos() - from.databaseNanos());
    }

    double generatorCpuRatio() {
        return ofCpus(until.generatorNanos() - from.generatorNanos());
    }

    /** What is left of all that the CPUs did; the times of processes are a little finer than those of CPUs. */
    double otherCpuRatio() {
        double busy = ofCpus(NANOS_PER_MILLI * (until.cpu().busy() - from.cpu().busy()));
        return Math.max(0, busy - databaseCpuRatio() - generatorCpuRatio());
    }

    double iowaitRatio() {
        return ofCpus(NANOS_PER_MILLI * (until.cpu().iowait() - from.cpu().iowait()));
    }

    double stealRatio() {
        return ofCpus(NANOS_PER_MILLI * (until.cpu().steal() - from.cpu().steal()));
    }

    long swapInBytes() {
        return until.swapInBytes() - from.swapInBytes();
    }

    long swapOutBytes() {
        return until.swapOutBytes() - from.swapOutBytes();
    }

    long networkReceivedBytes() {
        return Math.max(0, until.networkReceivedBytes() - from.networkReceivedBytes());
    }

    long networkSentBytes() {
        return Math.max(0, until.networkSentBytes() - from.networkSentBytes());
    }

    /** The devices that both readings have. */
    List<HostActivity.Disk> disks() {
        Map<String, DiskReading> before = HostReading.byName(from.disks());
        List<HostActivity.Disk> disks = new ArrayList<>();
        for (DiskReading disk : until.disks()) {
            DiskReading then = before.get(disk.name());
            if (then != null) {
                disks.add(new HostActivity.Disk(
                        disk.name(),
                        disk.reads() - then.reads(),
                        disk.readBytes() - then.readBytes(),
                        disk.writes() - then.writes(),
                        disk.writtenBytes() - then.writtenBytes(),
                        Math.min(1, (disk.busyMillis() - then.busyMillis()) * 1e6 / nanos)));
            }
        }
        return disks;
    }

    /** The programs that took more than this share of all CPUs, the busiest first. */
    List<HostActivity.HeavyProcess> heavierThan(double cpuRatio) {
        Map<String, Double> ratios = new TreeMap<>();
        until.others()
                .forEach((name, used) ->
                        ratios.put(name, ofCpus(used - from.others().getOrDefault(name, 0L))));
        return ratios.entrySet().stream()
                .filter(program -> program.getValue() > cpuRatio)
                .map(program -> new HostActivity.HeavyProcess(program.getKey(), program.getValue()))
                .sorted((one, other) -> Double.compare(other.cpuRatio(), one.cpuRatio()))
                .toList();
    }

    private double ofCpus(long cpuNanos) {
        long total = NANOS_PER_MILLI * (until.cpu().total() - from.cpu().total());
        return total <= 0 ? 0 : Math.max(0, Math.min(1, (double) cpuNanos / total));
    }
}
