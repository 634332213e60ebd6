package siemload.results;

import java.util.List;
import java.util.Map;

/**
 * The activity of a host in the measured phase, in terms of sysstat: the host of the load generator, or another one with a node exporter.
 * Ratios are shares of all its CPUs or of the time, 0 to 1, on average over the phase. Immutable.
 *
 * @param name {@link #THIS_HOST}, or host and port of the exporter
 * @param cpus logical CPUs; 0 where they were not counted, or the host never answered
 * @param iowaitRatio idle, while a process waited for a disk
 * @param stealRatio taken by the hypervisor for others
 * @param databaseCpuRatio the processes of a database on this machine; only for this host, like other shares, contention, programs and
 *     pauses
 * @param generatorCpuRatio this process, and those that it started, without the database
 * @param otherCpuRatio everything else except kernel threads
 * @param contention waiting of threads
 * @param load1Max the highest load average of one minute
 * @param disks the busiest first
 * @param heavyProcesses others that took more than a twentieth of all CPUs
 * @param pauses of this process for its garbage collector
 * @param looks the number of readings in the measured phase
 * @param failedLooks how many of them failed
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
     * Waiting for CPUs because of others.
     *
     * @param kernelCpuRatio the share of all CPUs that kernel threads took
     * @param waitedSeconds for how long threads of the database and the load generator were ready to run while others ran, summed up; 0 if
     *     the system does not tell
     * @param lostRatio the part of it due to others, estimated by their share of the CPUs, plus the time stolen by the hypervisor, as a
     *     ratio to the CPU time of database and load generator: 0.5 if these waited half a second for each second of CPU time
     * @param lostRatioP95 the same by the second: 95 of 100 seconds had at most that
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
