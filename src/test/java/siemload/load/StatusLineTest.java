package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.scenario.rate.ConstantRate;

class StatusLineTest {
    private static final long SECOND = 1_000_000_000;

    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(10), Duration.ofMinutes(1));
    private final LatencyRecorder searches = new LatencyRecorder(clock);

    @Test
    void whereNothingIsFedThereIsNoWordOfAFeeder() {
        try (StatusLine line = new StatusLine(text -> {}, "searches", clock, searches, Optional.empty())) {
            assertThat(line.text(5 * SECOND))
                    .isEqualTo("warm-up 0:05/0:10 | 0 searches/s, p95 0.0 ms, 0 running, 0 failed");
        }
    }

    @Test
    void whatWasFedIsCountedSinceTheLastTime() {
        FeederRecorder feeder = new FeederRecorder(clock, new ConstantRate(100));
        try (StatusLine line = new StatusLine(text -> {}, "statements", clock, searches, Optional.of(feeder))) {
            feeder.acknowledged(300, 1, 0, SECOND);
            assertThat(line.text(2 * SECOND)).endsWith("0 failed | feeder 150 events/s");

            feeder.acknowledged(50, 1, 11 * SECOND, 12 * SECOND);
            assertThat(line.text(12 * SECOND))
                    .isEqualTo("measuring 0:02/1:00 | 0 statements/s, p95 0.0 ms, 0 running, 0 failed"
                            + " | feeder 5 events/s");
        }
    }
}
