package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import siemload.results.HostActivity.Disk;
import siemload.results.HostActivity.Transfers;

/**
 * What a host did in the measured phase, as sysstat would show it: this machine, or another one that tells its figures by a node
 * exporter. Immutable.
 *
 * @param name {@code this host}, or host and port of the exporter
 * @param cpus logical CPUs; 0 where the host never answered
 * @param cpu on average over the phase
 * @param load1Max the highest load average of one minute
 * @param pageCacheBytesMax the most memory that pages of files took
 * @param looks how often it was looked at
 * @param failedLooks how often it did not answer, or not understandably
 */
public record HostFigures(
        String name,
        int cpus,
        @JsonUnwrapped CpuUse cpu,
        double load1Max,
        long memoryUsedBytesMax,
        long pageCacheBytesMax,
        @JsonUnwrapped Transfers transfers,
        List<Disk> disks,
        long looks,
        long failedLooks) {
    /** What the machine of the load generator is called. */
    public static final String THIS_HOST = "this host";

    public HostFigures {
        disks = List.copyOf(disks);
    }

    /**
     * How CPUs spent their time, as shares of it, 0 to 1; what is left was idle.
     *
     * @param userRatio for programs, also those of low priority
     * @param systemRatio for the kernel, with its interrupts
     * @param iowaitRatio idle, while a process waited for a disk
     * @param stealRatio not the host's, as its hypervisor gave it to others
     */
    public record CpuUse(double userRatio, double systemRatio, double iowaitRatio, double stealRatio) {}
}
