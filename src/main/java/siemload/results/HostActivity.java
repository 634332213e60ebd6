package siemload.results;

import java.util.List;
import java.util.Map;

/**
 * The activity of a host in the measured phase, in terms of sysstat: the host of the load generator, or another one with a node exporter.
 * Ratios are shares of all its CPUs or of the time, 0 to 1, on average over the phase. Immutable.
 *
 * @param name {@link #THIS_HOST}, or host and port of the exporter
 * @param cpus the number of logical CPUs; 0 if they were not counted, or the host never answered
 * @param iowaitRatio the share that was idle while a process waited for a disk
 * @param stealRatio the share that the hypervisor gave to others
 * @param databaseCpuRatio the share of a database's processes on this machine; only for this host, like the shares of the generator and
 *     others, contention, programs and pauses
 * @param generatorCpuRatio the share of this process and the processes that it started, without the database
 * @param otherCpuRatio the share of everything else except kernel threads
 * @param contention the waiting of threads for CPUs
 * @param load1Max the highest load average of one minute
 * @param disks the disks, the busiest first
 * @param heavyProcesses other programs that took more than a twentieth of all CPUs
 * @param pauses the pauses of this process for the garbage collector
 * @param looks the number of readings in the measured phase
 * @param failedLooks the number of readings that failed
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
    /** The name of the load generator's machine. */
    public static final String THIS_HOST = "this host";

    /** The pauses of a process that makes no load. */
    public static final Pauses NO_PAUSES = new Pauses(0, 0, 0);

    /** The activity for a run during which the machine was not watched. */
    public static final HostActivity NONE = ofProcess(NO_PAUSES);

    public HostActivity {
        disks = List.copyOf(disks);
        heavyProcesses = List.copyOf(heavyProcesses);
    }

    /** The activity if only the pauses of this process are known, since the machine was not watched. */
    public static HostActivity ofProcess(Pauses pauses) {
        return ResultValue.empty(HostActivity.class, Map.of("name", THIS_HOST, "pauses", pauses));
    }

    /**
     * The waiting for CPUs because of other programs.
     *
     * @param kernelCpuRatio the share of all CPUs that kernel threads took
     * @param waitedSeconds the total time that threads of the database and the load generator were ready to run while others ran; 0 if the
     *     system does not report it
     * @param lostRatio the part of the waiting due to others, estimated by their share of the CPUs, plus the time stolen by the hypervisor,
     *     as a ratio to the CPU time of database and load generator: 0.5 if these waited half a second for each second of CPU time
     * @param lostRatioP95 the same ratio by the second: 95 of 100 seconds had at most this ratio
     */
    public record Contention(double kernelCpuRatio, double waitedSeconds, double lostRatio, double lostRatioP95) {}

    /** One block device. */
    public record Disk(
            String name, long reads, long readBytes, long writes, long writtenBytes, double utilisationRatio) {}

    /** Another program that was busy. */
    public record HeavyProcess(String name, double cpuRatio) {}

    /** Stop-the-world pauses of the garbage collector. */
    public record Pauses(long count, long totalMicros, long maxMicros) {}
}
