package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunClockTest {
    private static final long WARM_UP = Duration.ofSeconds(5).toNanos();
    private static final long MEASURED = Duration.ofSeconds(10).toNanos();

    /** The monotonic clock may begin anywhere, and go past the highest number. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, -7_000_000_000L, Long.MAX_VALUE, Long.MAX_VALUE - 9_000_000_000L, Long.MIN_VALUE})
    void theIndexOfThePhaseIsThatOfTheMeasuredOne(long start) {
        RunClock clock = RunClock.startingAt(start, Duration.ofNanos(WARM_UP), Duration.ofNanos(MEASURED));

        for (long after :
                new long[] {0, WARM_UP - 1, WARM_UP, WARM_UP + MEASURED - 1, WARM_UP + MEASURED, 4 * MEASURED}) {
            boolean inside = after >= WARM_UP && after < WARM_UP + MEASURED;
            assertThat(clock.measures(start + after))
                    .as("%d after the start", after)
                    .isEqualTo(inside);
            assertThat(clock.phaseIndex(start + after))
                    .as("%d after the start", after)
                    .isEqualTo(inside ? 0 : 1);
        }
    }
}
