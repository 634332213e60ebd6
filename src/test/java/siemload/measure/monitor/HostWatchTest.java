package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.RunClock;
import siemload.results.RunWriter;

/** On this machine as it is: this process is the load generator. */
class HostWatchTest {
    private final OwnHost machine = new OwnHost(new DatabaseProcesses.Here());
    private final RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(5));

    @TempDir
    private Path directory;

    @Test
    void aPauseHasNoLines() throws IOException {
        try (HostWatch watch = new HostWatch(machine, clock, RunWriter.to(directory))) {
            watch.tick(second(0));
            watch.pause();
            watch.tick(second(1));
            watch.resume();
            watch.tick(second(2));
        }

        List<String> lines = Files.readAllLines(directory.resolve("host.csv"));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).startsWith("2.000,this host,");
    }

    private long second(int number) {
        return clock.measureNanos() + TimeUnit.SECONDS.toNanos(number);
    }
}
