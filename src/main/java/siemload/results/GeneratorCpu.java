package siemload.results;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The CPU time that the load generator used during the measured phase; an embedded database is another
 * process and not counted. Thread-safe.
 */
public final class GeneratorCpu {
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final int cpus;
    private volatile long startNanos = -1;
    private volatile long endNanos = -1;

    /** That of this process. */
    public GeneratorCpu() {
        this(Runtime.getRuntime().availableProcessors());
    }

    private GeneratorCpu(int cpus) {
        this.cpus = cpus;
    }

    /**
     * What several processes used together.
     *
     * @param cpus all those of their machines
     */
    public static GeneratorCpu of(long nanos, int cpus) {
        GeneratorCpu known = new GeneratorCpu(cpus);
        known.startNanos = 0;
        known.endNanos = nanos;
        return known;
    }

    /** The CPU time of the measured phase; 0 where it has not begun or not ended. */
    public long nanos() {
        return startNanos < 0 || endNanos < 0 ? 0 : endNanos - startNanos;
    }

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
        double cpuSeconds = nanos() / 1e9;
        return new RunResult.GeneratorResult(
                round(cpuSeconds, 1e3),
                searches == 0 ? 0 : round(cpuSeconds * 1e6 / searches, 10),
                seconds == 0 ? 0 : round(cpuSeconds / seconds / cpus, 1e3));
    }

    private static double round(double value, double steps) {
        return Math.round(value * steps) / steps;
    }
}
