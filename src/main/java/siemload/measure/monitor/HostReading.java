package siemload.measure.monitor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the machine has counted since some time before the run. Only differences mean anything, but for load and memory.
 * Immutable.
 *
 * @param cpu of all CPUs together
 * @param load the load average of one minute
 * @param memoryUsedBytes what programs could not have at once
 * @param generatorNanos CPU time of this process
 * @param databaseNanos CPU time of the database's processes
 * @param others CPU time of all other processes by name, in nanoseconds
 */
record HostReading(
        CpuMillis cpu,
        double load,
        long memoryUsedBytes,
        long swapInBytes,
        long swapOutBytes,
        long networkReceivedBytes,
        long networkSentBytes,
        List<DiskReading> disks,
        long generatorNanos,
        long databaseNanos,
        Map<String, Long> others) {

    HostReading {
        disks = List.copyOf(disks);
        others = Map.copyOf(others);
    }

    /**
     * This reading, had it been taken with everything counted that was counted between two later ones: what a still later
     * one counts beyond it leaves that out.
     */
    HostReading skipping(HostReading from, HostReading until) {
        Map<String, DiskReading> disksThen = byName(from.disks);
        Map<String, DiskReading> disksNow = byName(until.disks);
        Map<String, Long> othersNow = new HashMap<>(others);
        until.others.forEach(
                (name, nanos) -> othersNow.merge(name, nanos - from.others.getOrDefault(name, 0L), Long::sum));
        return new HostReading(
                cpu.skipping(from.cpu, until.cpu),
                load,
                memoryUsedBytes,
                swapInBytes + until.swapInBytes - from.swapInBytes,
                swapOutBytes + until.swapOutBytes - from.swapOutBytes,
                networkReceivedBytes + until.networkReceivedBytes - from.networkReceivedBytes,
                networkSentBytes + until.networkSentBytes - from.networkSentBytes,
                disks.stream()
                        .map(disk -> disk.skipping(disksThen.get(disk.name), disksNow.get(disk.name)))
                        .toList(),
                generatorNanos + until.generatorNanos - from.generatorNanos,
                databaseNanos + until.databaseNanos - from.databaseNanos,
                othersNow);
    }

    static Map<String, DiskReading> byName(List<DiskReading> disks) {
        return disks.stream().collect(Collectors.toMap(DiskReading::name, disk -> disk, (one, same) -> one));
    }

    /**
     * How all CPUs together spent their time, in milliseconds.
     *
     * @param total of everything, so about the number of CPUs times the time
     * @param busy for programs and the system
     * @param iowait idle, while somebody waited for a disk
     * @param steal not ours, as the hypervisor gave it to others
     */
    record CpuMillis(long total, long busy, long iowait, long steal) {

        CpuMillis skipping(CpuMillis from, CpuMillis until) {
            return new CpuMillis(
                    total + until.total - from.total,
                    busy + until.busy - from.busy,
                    iowait + until.iowait - from.iowait,
                    steal + until.steal - from.steal);
        }
    }

    /** One block device. */
    record DiskReading(String name, long reads, long readBytes, long writes, long writtenBytes, long busyMillis) {

        /** A disk that one of the two did not have stays as it is. */
        DiskReading skipping(@Nullable DiskReading from, @Nullable DiskReading until) {
            return from == null || until == null
                    ? this
                    : new DiskReading(
                            name,
                            reads + until.reads - from.reads,
                            readBytes + until.readBytes - from.readBytes,
                            writes + until.writes - from.writes,
                            writtenBytes + until.writtenBytes - from.writtenBytes,
                            busyMillis + until.busyMillis - from.busyMillis);
        }
    }
}
