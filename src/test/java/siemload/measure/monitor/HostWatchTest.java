package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.RunClock;
import siemload.results.HostActivity;
import siemload.results.MicrosSummary;
import siemload.results.RunWriter;

/** On this machine as it is: this process is the load generator. */
class HostWatchTest {
    private static final DatabaseProcesses NONE = new DatabaseProcesses.Here();
    private static final long WORK_MILLIS = 500;
    private static final int TRIES = 3;

    private final MachineReader machine = new MachineReader(NONE);
    private final RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(5));

    @TempDir
    private Path directory;

    /** Neither the work nor the time it took: what is left is what this process did, other tests and all, before and after. */
    @Test
    void whatIsDoneInAPauseDoesNotCount() throws Exception {
        double nearest = Double.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            nearest = Math.min(nearest, errorOfRatioWithPause());
        }
        assertThat(nearest).isLessThan(0.2 / machine.cpus());
    }

    /** Not what was read a moment ago: a span would begin before its work. */
    @Test
    void eachLookIsAtTheMachineAsItIs() throws Exception {
        long before = machine.read().counts().cpu().total();
        TimeUnit.MILLISECONDS.sleep(50);
        assertThat(machine.read().counts().cpu().total()).isGreaterThan(before);
    }

    @Test
    void aPauseHasNoLines() throws IOException {
        try (HostTables tables = new HostTables(RunWriter.to(directory));
                HostWatch watch = new HostWatch(RunWriter.to(directory), clock, NONE, machine, tables)) {
            watch.tick(second(0));
            watch.pause();
            watch.tick(second(1));
            watch.resume();
            watch.tick(second(2));
        }

        List<String> lines = Files.readAllLines(directory.resolve("host.csv"));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).startsWith("2.000,");
    }

    /** How far off the ratio is, after half a second of work in a pause and as much rest behind it. */
    private double errorOfRatioWithPause() throws Exception {
        try (HostTables tables = new HostTables(RunWriter.to(directory));
                HostWatch watch = new HostWatch(RunWriter.to(directory), clock, NONE, machine, tables)) {
            watch.tick(second(0));
            watch.pause();
            work();
            watch.resume();
            long start = System.nanoTime();
            long before = processNanos();
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
            double used = processNanos() - before;
            double nanos = System.nanoTime() - start;
            watch.tick(second(1));
            double ratio = watch.activity(new HostActivity.Pauses(0, 0, 0), MicrosSummary.NONE)
                    .cpu()
                    .generatorCpuRatio();
            return Math.abs(ratio - used / nanos / machine.cpus());
        }
    }

    private static long processNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static void work() {
        long start = cpuNanos();
        while (cpuNanos() - start < TimeUnit.MILLISECONDS.toNanos(WORK_MILLIS)) {
            Thread.onSpinWait();
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private long second(int number) {
        return clock.measureNanos() + TimeUnit.SECONDS.toNanos(number);
    }
}
