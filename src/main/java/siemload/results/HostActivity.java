package siemload.results;

import java.util.List;
import java.util.Map;

/**
 * What a host did in the measured phase, as sysstat would show it: that of the load generator, or another one that tells its figures by a
 * node exporter. Ratios are shares of all its CPUs or of the time, 0 to 1, on average over the phase. Immutable.
 *
 * @param name {@link #THIS_HOST}, or host and port of the exporter
 * @param cpus logical CPUs; 0 where they were not counted, or the host never answered
 * @param iowaitRatio idle, while a process waited for a disk
 * @param stealRatio not ours, as the hypervisor gave it to others
 * @param databaseCpuRatio the processes of a database that runs on this machine; on this host alone, as are other shares, contention,
 *     programs and pauses
 * @param generatorCpuRatio this process, and those that it started beside the database
 * @param otherCpuRatio everything else but threads of the kernel
 * @param contention what threads waited for
 * @param load1Max the highest load average of one minute
 * @param disks the busiest first
 * @param heavyProcesses others that took more than a twentieth of all CPUs
 * @param pauses of this process for its garbage collector
 * @param looks how often it was asked in the measured phase
 * @param failedLooks how often it did not answer
 */
public record HostActivity(
        String name,
        int cpus,
        double userRatio,
        double systemRatio,
        double iowaitRatio,
        double stealRatio,
        double databaseCpuRatio,
        double generatorCpuRatio,
        double otherCpuRatio,
        Contention contention,
        double load1Max,
        long memoryUsedBytesMax,
        long pageCacheBytesMax,
        long swapInBytes,
        long swapOutBytes,
        long networkReceivedBytes,
        long networkSentBytes,
        List<Disk> disks,
        List<HeavyProcess> heavyProcesses,
        Pauses pauses,
        long looks,
        long failedLooks) {
    /** What the machine of the load generator is called. */
    public static final String THIS_HOST = "this host";

    /** Of a process that makes no load. */
    public static final Pauses NO_PAUSES = new Pauses(0, 0, 0);

    /** A run during which the machine was not watched. */
    public static final HostActivity NONE = ofProcess(NO_PAUSES);

    public HostActivity {
        disks = List.copyOf(disks);
        heavyProcesses = List.copyOf(heavyProcesses);
    }

    /** What is known of a process whose machine was not watched. */
    public static HostActivity ofProcess(Pauses pauses) {
        return ResultValue.empty(HostActivity.class, Map.of("name", THIS_HOST, "pauses", pauses));
    }

    /**
     * Who waited for CPUs and disks because of whom.
     *
     * @param kernelCpuRatio the share of all CPUs that threads of the kernel took
     * @param waitedSeconds for how long threads of the database and the load generator were ready to run while others ran, all together; 0
     *     where the system does not tell
     * @param lostRatio what of that others took, as an estimate by their share of the CPUs, and the time that the hypervisor took, to the time
     *     for which database and load generator ran: 0.5 if these waited half a second for each second of CPU time
     * @param lostRatioP95 the same by the second: 95 of 100 seconds had at most that
     */
    public record Contention(double kernelCpuRatio, double waitedSeconds, double lostRatio, double lostRatioP95) {}

    /** One block device. */
    public record Disk(
            String name, long reads, long readBytes, long writes, long writtenBytes, double utilisationRatio) {}

    /** Another program that was busy. */
    public record HeavyProcess(String name, double cpuRatio) {}

    /** Stops of all threads for the garbage collector. */
    public record Pauses(long count, long totalMicros, long maxMicros) {}
}
