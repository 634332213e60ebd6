package siemload.monitor;

import java.util.List;
import java.util.Map;

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
     * How all CPUs together spent their time, in milliseconds.
     *
     * @param total of everything, so about the number of CPUs times the time
     * @param busy for programs and the system
     * @param iowait idle, while somebody waited for a disk
     * @param steal not ours, as the hypervisor gave it to others
     */
    record CpuMillis(long total, long busy, long iowait, long steal) {}

    /** One block device. */
    record DiskReading(String name, long reads, long readBytes, long writes, long writtenBytes, long busyMillis) {}
}
