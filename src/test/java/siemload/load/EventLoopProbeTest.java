package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.measure.RunClock;
import siemload.results.MicrosSummary;

class EventLoopProbeTest {
    private static final long MILLI = 1_000_000;

    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(9));
    private final EventLoopProbe probe = new EventLoopProbe();

    @Test
    void aTimerInTimeCountsOnce() {
        long next = probe.take(2_000 * MILLI, 2_001 * MILLI, clock);

        assertThat(next).isEqualTo(2_010 * MILLI);
        assertThat(probe.lateness())
                .isEqualTo(new MicrosSummary(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000));
    }

    /** Due every 10 ms from 2,000 to 3,000: 101 timers, late by 1,000 ms, 990 ms and so on down to 0; the mean is 500. */
    @Test
    void aLoopThatWasBusyForASecondIsAHundredLateTimers() {
        long next = probe.take(2_000 * MILLI, 3_000 * MILLI, clock);

        MicrosSummary lateness = probe.lateness();
        assertThat(next).isEqualTo(3_010 * MILLI);
        assertThat(lateness.mean()).isBetween(499_500.0, 500_500.0);
        assertThat(lateness.p99()).isBetween(989_000L, 991_000L);
    }

    @Test
    void timersOfTheWarmUpDoNotCount() {
        probe.take(991 * MILLI, 1_002 * MILLI, clock);

        assertThat(probe.lateness())
                .isEqualTo(new MicrosSummary(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000));
    }
}
