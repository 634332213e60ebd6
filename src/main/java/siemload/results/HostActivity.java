package siemload.results;

import java.util.List;

/**
 * What the machine of the load generator did in the measured phase. Ratios are shares of all its CPUs or of the time, 0
 * to 1, on average over the phase. Immutable.
 *
 * @param cpus logical CPUs; 0 where nobody looked
 * @param databaseCpuRatio the processes of a database that runs on this machine
 * @param generatorCpuRatio this process
 * @param otherCpuRatio everything else
 * @param loadMax the highest load average of one minute
 * @param heavyProcesses others that took more than a twentieth of all CPUs
 * @param pauses of this process for its garbage collector
 * @param eventLoopLatenessMicros how late timers of the event loop were that users wait on
 */
public record HostActivity(
        int cpus,
        double databaseCpuRatio,
        double generatorCpuRatio,
        double otherCpuRatio,
        double iowaitRatio,
        double stealRatio,
        double loadMax,
        long memoryUsedBytesMax,
        long swapInBytes,
        long swapOutBytes,
        long networkReceivedBytes,
        long networkSentBytes,
        List<Disk> disks,
        List<HeavyProcess> heavyProcesses,
        Pauses pauses,
        MicrosSummary eventLoopLatenessMicros) {

    /** A run during which the machine was not watched. */
    public static final HostActivity NONE = new HostActivity(
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), new Pauses(0, 0, 0), MicrosSummary.NONE);

    public HostActivity {
        disks = List.copyOf(disks);
        heavyProcesses = List.copyOf(heavyProcesses);
    }

    /** One block device. */
    public record Disk(
            String name, long reads, long readBytes, long writes, long writtenBytes, double utilisationRatio) {}

    /** Another program that was busy. */
    public record HeavyProcess(String name, double cpuRatio) {}

    /** Stops of all threads for the garbage collector. */
    public record Pauses(long count, long totalMicros, long maxMicros) {}
}
