package siemload.results;

import java.util.List;
import java.util.Map;

/**
 * The activity of a host in the measured phase, in terms of sysstat: the load generator's host, or another host with a node exporter.
 * Ratios are shares of all CPUs of the host or of the time, 0 to 1, on average over the phase. Immutable.
 *
 * @param name {@link #THIS_HOST}, or host and port of the exporter
 * @param cpus the number of logical CPUs; 0 if they were not counted, or the host never answered
 * @param iowaitRatio the share of CPU time that was idle while a process waited for a disk
 * @param stealRatio the share of CPU time that the hypervisor gave to other virtual machines
 * @param databaseCpuRatio the CPU share of a database's processes on this machine; only for this host, like the CPU shares of the generator
 *     and others, contention, programs and pauses
 * @param generatorCpuRatio the CPU share of this process and the processes that it started, without the database
 * @param otherCpuRatio the CPU share of all other processes except kernel threads
 * @param contention the waiting of threads for CPUs
 * @param load1Max the highest one-minute load average
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

    /** The empty pauses of a process that makes no load. */
    public static final Pauses NO_PAUSES = new Pauses(0, 0, 0);

    /** The activity for a run during which the machine was not watched. */
    public static final HostActivity NONE = ofProcess(NO_PAUSES);

    public HostActivity {
        disks = List.copyOf(disks);
        heavyProcesses = List.copyOf(heavyProcesses);
    }

    /** Returns the activity if the machine was not watched, so that only the pauses of this process are known. */
    public static HostActivity ofProcess(Pauses pauses) {
        return ResultValue.empty(HostActivity.class, Map.of("name", THIS_HOST, "pauses", pauses));
    }

    /**
     * The waiting for CPUs because of other programs.
     *
     * @param kernelCpuRatio the share of all CPUs that kernel threads took
     * @param waitedSeconds the total time that threads of the database and the load generator were ready to run while others ran; 0 if the
     *     system does not report it
     * @param lostRatio the waiting due to other programs, estimated by their share of the CPUs, plus the time stolen by the hypervisor, as
     *     a ratio to the CPU time of database and load generator: 0.5 is half a second of waiting for a second of CPU time
     * @param lostRatioP95 the 95th percentile of this ratio over single seconds: 95 of 100 seconds had at most this ratio
     */
    public record Contention(double kernelCpuRatio, double waitedSeconds, double lostRatio, double lostRatioP95) {}

    /** One block device. */
    public record Disk(
            String name, long reads, long readBytes, long writes, long writtenBytes, double utilisationRatio) {}

    /** A busy program that belongs neither to the database nor to the load generator. */
    public record HeavyProcess(String name, double cpuRatio) {}

    /** Stop-the-world pauses of Java's garbage collector. */
    public record Pauses(long count, long totalMicros, long maxMicros) {}
}
