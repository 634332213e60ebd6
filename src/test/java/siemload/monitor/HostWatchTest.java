package siemload.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.HostActivity;
import siemload.measure.MicrosSummary;
import siemload.measure.RunClock;

/** On this machine as it is: this process is the load generator. */
class HostWatchTest {
    private static final DatabaseProcesses NONE = new DatabaseProcesses.Here();
    private static final long WORK_MILLIS = 500;
    /** Java compiles meanwhile, which is work of this process, too. */
    private static final int REHEARSALS = 50;

    private final Machine machine = new Machine(NONE);
    private final RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(5));

    @TempDir
    private Path directory;

    @Test
    void whatIsDoneInAPauseDoesNotCount() throws Exception {
        for (int i = 0; i < REHEARSALS; i++) {
            machine.read();
        }
        double counted = ratioOfWorkThenRest(false);

        assertThat(counted).isPositive();
        assertThat(ratioOfWorkThenRest(true)).isLessThan(counted / 2);
    }

    /** Not what was read a moment ago: a span would begin before its work. */
    @Test
    void eachLookIsAtTheMachineAsItIs() throws Exception {
        long before = machine.read().cpu().total();
        TimeUnit.MILLISECONDS.sleep(50);
        assertThat(machine.read().cpu().total()).isGreaterThan(before);
    }

    @Test
    void aPauseHasNoLines() throws IOException {
        try (HostWatch watch = new HostWatch(directory, clock, NONE, machine)) {
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

    /** What the load generator is said to have used of all CPUs, where it worked and then rested as long. */
    private double ratioOfWorkThenRest(boolean pauseWhileWorking) throws Exception {
        try (HostWatch watch = new HostWatch(directory, clock, NONE, machine)) {
            watch.tick(second(0));
            if (pauseWhileWorking) {
                watch.pause();
            }
            work();
            if (pauseWhileWorking) {
                watch.resume();
            }
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
            watch.tick(second(1));
            return watch.activity(new HostActivity.Pauses(0, 0, 0), MicrosSummary.NONE)
                    .generatorCpuRatio();
        }
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
