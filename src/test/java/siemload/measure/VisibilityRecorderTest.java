package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;

class VisibilityRecorderTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void thePercentilesOfOneEventASecondHaveTheirIntervals() {
        VisibilityRecorder recorder =
                new VisibilityRecorder(RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(60)));
        for (int i = 0; i < 60; i++) {
            long acknowledged = i * SECOND;
            recorder.seen(acknowledged, acknowledged + (10 + i * 37 % 60) * 1_000_000L);
        }

        MicrosSummary visible = recorder.result().visibleMicros();

        // Of 60 times the median lies between the 22nd and the 39th.
        assertThat(visible.intervals95().get("p50").low()).isBetween(30_000L, 32_000L);
        assertThat(visible.intervals95().get("p50").high()).isBetween(47_000L, 49_000L);
        assertThat(visible.intervals95().get("p99")).matches(MicrosInterval::hasNoHighEnd);
    }
}
