package siemload.results;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The CPU time that this process, the load generator, used during the measured phase; an embedded database is another
 * process and not counted. Thread-safe.
 */
public final class GeneratorCpu {
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private volatile long startNanos = -1;
    private volatile long endNanos = -1;

    /** To be called when the measured phase starts. */
    public void phaseStarted() {
        startNanos = system.getProcessCpuTime();
    }

    /** To be called when the measured phase ends; only the first call counts. */
    public void phaseEnded() {
        if (endNanos < 0) {
            endNanos = system.getProcessCpuTime();
        }
    }

    /**
     * What run.json holds.
     *
     * @param searches the searches of the measured phase
     * @param seconds the length of the measured phase
     */
    public RunResult.GeneratorResult result(long searches, double seconds) {
        double cpuSeconds = startNanos < 0 || endNanos < 0 ? 0 : (endNanos - startNanos) / 1e9;
        int cpus = Runtime.getRuntime().availableProcessors();
        return new RunResult.GeneratorResult(
                round(cpuSeconds, 1e3),
                searches == 0 ? 0 : round(cpuSeconds * 1e6 / searches, 10),
                seconds == 0 ? 0 : round(cpuSeconds / seconds / cpus, 1e3));
    }

    private static double round(double value, double steps) {
        return Math.round(value * steps) / steps;
    }
}
