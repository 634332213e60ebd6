package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;

final class ClockOffsetTest {
    private long now = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 1_000_000})
    void theTruthLiesWithinTheUncertainty(long resolution) {
        for (long seed = 1; seed <= 200; seed++) {
            SeededRandom random = SeededRandom.of(seed, 0);
            long truth = random.nextInt(1_000_000_000);

            ClockOffset measured = ClockOffset.measure(
                    () -> {
                        now += random.nextInt(2_000_000);
                        Instant shown = Instant.EPOCH.plusNanos((now + truth) / resolution * resolution);
                        now += random.nextInt(2_000_000);
                        return shown;
                    },
                    Duration.ofNanos(resolution),
                    () -> now);

            assertThat(Math.abs(measured.offsetNanos() - truth))
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(measured.uncertaintyNanos() + 1);
            assertThat(measured.uncertaintyNanos()).as("seed " + seed).isLessThan(1_000_000 + resolution / 2);
        }
    }

    @Test
    void aClockThatDriftsIsKnownLessWell() {
        ClockOffset whole = new ClockOffset(500, 10).until(new ClockOffset(430, 15));
        assertThat(whole).isEqualTo(new ClockOffset(500, 85));
    }
}
