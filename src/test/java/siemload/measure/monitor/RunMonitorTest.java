package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor.GcPauses;
import siemload.results.HostActivity;
import siemload.results.RunFile;
import siemload.results.RunResult.DatabaseActivity;
import siemload.results.RunWriter;

@Timeout(60)
@Tag("every-java")
class RunMonitorTest {
    @TempDir
    private Path directory;

    @Test
    void theMachineIsWatchedEverySecondAndSummedUp() throws IOException {
        HostActivity host = watch(Optional::empty).host();

        List<String> lines = Files.readAllLines(directory.resolve("host.csv"));
        assertThat(lines.get(0)).isEqualTo(String.join(",", RunFile.HOST.columns()));
        assertThat(lines.subList(1, lines.size()))
                .allMatch(line -> line.matches("\\d\\.\\d{3},this host(,[01]\\.\\d{4}){4},\\d+\\.\\d{4}(,\\d+){6}"
                        + "(,[01]\\.\\d{4}){4},\\d+\\.\\d{4}"))
                .extracting(line -> line.substring(0, line.indexOf(',')))
                .containsExactly("0.000", "1.000", "1.100");
        assertThat(Files.readAllLines(directory.resolve("disks.csv")))
                .first()
                .isEqualTo(String.join(",", RunFile.DISKS.columns()));
        assertThat(host.cpus()).isPositive();
        assertThat(host.memoryUsedBytesMax()).isPositive();
        assertThat(host.generatorCpuRatio()).isBetween(0.0, 1.0);
        assertThat(host.databaseCpuRatio()).isZero();
    }

    @Test
    void countersThatAreRefusedAreNotedAndTheRunGoesOn() throws IOException {
        RunMonitor.Seen seen = watch(() -> {
            throw new TargetException("no free connection");
        });

        assertThat(seen.database()).isEqualTo(DatabaseActivity.NONE);
        assertThat(seen.notes()).containsExactly("the counters of the database could not be read: no free connection");
    }

    /** As a stopped server does: the answer never comes, and nobody waits for it for long. */
    @Test
    void aDatabaseThatHangsDoesNotHoldUpTheEnd() throws IOException {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger closed = new AtomicInteger();
        AtomicBoolean hanging = new AtomicBoolean();
        Counters counters = new Counters() {
            @Override
            public CounterReading read() {
                try {
                    if (hanging.get()) {
                        released.await();
                    }
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
                return CounterReading.NONE;
            }

            @Override
            public List<String> gaps() {
                return List.of();
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        RunMonitor.Seen seen = watch(() -> Optional.of(counters), hanging);
        released.countDown();

        assertThat(seen.database()).isEqualTo(DatabaseActivity.NONE);
        assertThat(seen.notes()).containsExactly("the database did not answer when its counters were read at the end");
        assertThat(closed).hasValue(0);
    }

    @Test
    void cyclesBesideTheProgramAreNoPauses() {
        assertThat(List.of("G1 Young Generation", "G1 Old Generation", "PS MarkSweep", "ZGC Major Pauses"))
                .allMatch(GcPauses::stopsTheWorld);
        assertThat(List.of("ZGC Major Cycles", "Shenandoah Cycles", "G1 Concurrent GC"))
                .noneMatch(GcPauses::stopsTheWorld);
    }

    @Test
    void aCollectionOfThisProcessIsHeardOf() {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(5));
        try (GcPauses pauses = new GcPauses(clock)) {
            while (pauses.pauses().count() == 0) {
                System.gc();
            }
            assertThat(pauses.pauses().maxMicros())
                    .isLessThanOrEqualTo(pauses.pauses().totalMicros());
        }
    }

    private RunMonitor.Seen watch(Supplier<Optional<Counters>> counters) throws IOException {
        return watch(counters, new AtomicBoolean());
    }

    private RunMonitor.Seen watch(Supplier<Optional<Counters>> counters, AtomicBoolean hanging) throws IOException {
        try (RunMonitor monitor =
                new RunMonitor(RunWriter.to(directory), counters, DatabaseProcesses.HERE, List.of())) {
            RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ofMillis(200), Duration.ofMillis(1_100));
            hanging.set(true);
            monitor.start(clock);
            Path host = directory.resolve("host.csv");
            while (!Files.readString(host).contains("\n1.100,")) {
                LockSupport.parkNanos(10_000_000);
            }
            return monitor.finish(clock.endNanos());
        }
    }
}
