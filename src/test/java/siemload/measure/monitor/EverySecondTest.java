package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import siemload.measure.RunClock;

class EverySecondTest {

    /** A warm-up of 0.3 s has no full second but its start and its end; 1.2 s end between two seconds. */
    @Test
    void theStartEachFullSecondOfTheMeasuredPhaseAndItsEndAreDue() throws InterruptedException {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ofMillis(300), Duration.ofMillis(1_200));
        BlockingQueue<Long> due = new LinkedBlockingQueue<>();
        try (EverySecond thread = new EverySecond("test", clock, due::add)) {
            thread.start();
            for (long expected : List.of(-300L, 0L, 1_000L, 1_200L)) {
                assertThat(due.poll(30, TimeUnit.SECONDS))
                        .isEqualTo(clock.measureNanos() + TimeUnit.MILLISECONDS.toNanos(expected));
            }
        }
        assertThat(due).isEmpty();
    }

    /** Of a phase that is over only the end is left. */
    @Test
    void secondsThatWereMissedAreLeftOut() throws InterruptedException {
        RunClock clock = RunClock.startingAt(
                System.nanoTime() - TimeUnit.SECONDS.toNanos(60), Duration.ofSeconds(1), Duration.ofSeconds(5));
        BlockingQueue<Long> due = new LinkedBlockingQueue<>();
        try (EverySecond thread = new EverySecond("test", clock, due::add)) {
            thread.start();
            assertThat(due.poll(30, TimeUnit.SECONDS)).isEqualTo(clock.startNanos());
            assertThat(due.poll(30, TimeUnit.SECONDS)).isEqualTo(clock.endNanos());
        }
        assertThat(due).isEmpty();
    }
}
