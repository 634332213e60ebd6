package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor.GcPauses;
import siemload.results.HostActivity.Pauses;

class GcPausesTest {
    @Test
    void cyclesBesideTheProgramAreNoPauses() {
        assertThat(List.of("G1 Young Generation", "G1 Old Generation", "PS MarkSweep", "ZGC Major Pauses"))
                .allMatch(GcPauses::stopsTheWorld);
        assertThat(List.of("ZGC Major Cycles", "Shenandoah Cycles", "G1 Concurrent GC"))
                .noneMatch(GcPauses::stopsTheWorld);
    }

    @Test
    @Timeout(30)
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
}
