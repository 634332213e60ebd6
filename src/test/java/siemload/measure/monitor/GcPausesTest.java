package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor.GcPauses;
import siemload.results.HostActivity.Pauses;

class GcPausesTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void onlyPausesThatBeganInTheMeasuredPhaseCount() {
        GcPauses pauses = new GcPauses(RunClock.startingAt(0, Duration.ofSeconds(1), Duration.ofSeconds(2)));
        pauses.take(SECOND - 1, 90);
        pauses.take(SECOND, 7);
        pauses.take(2 * SECOND, 12);
        pauses.take(3 * SECOND, 90);

        assertThat(pauses.pauses()).isEqualTo(new Pauses(2, 19_000, 12_000));
    }

    @Test
    void cyclesBesideTheProgramAreNoPauses() {
        assertThat(GcPauses.stopsTheWorld("G1 Young Generation")).isTrue();
        assertThat(GcPauses.stopsTheWorld("G1 Old Generation")).isTrue();
        assertThat(GcPauses.stopsTheWorld("PS MarkSweep")).isTrue();
        assertThat(GcPauses.stopsTheWorld("ZGC Major Pauses")).isTrue();
        assertThat(GcPauses.stopsTheWorld("ZGC Major Cycles")).isFalse();
        assertThat(GcPauses.stopsTheWorld("Shenandoah Cycles")).isFalse();
        assertThat(GcPauses.stopsTheWorld("G1 Concurrent GC")).isFalse();
    }

    @Test
    @Timeout(30)
    void aCollectionOfThisProcessIsHeardOf() {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(5));
        try (GcPauses pauses = new GcPauses(clock)) {
            pauses.start();
            while (pauses.pauses().count() == 0) {
                System.gc();
            }
            assertThat(pauses.pauses().maxMicros())
                    .isLessThanOrEqualTo(pauses.pauses().totalMicros());
        }
    }
}
