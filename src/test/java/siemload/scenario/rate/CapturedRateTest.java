package siemload.scenario.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import siemload.dataset.FeedEvents.CapturedTimes;

class CapturedRateTest {
    /** Three events a round: at 0 s, 1 s and 4 s, and the next round at 6 s. */
    private static final CapturedTimes EVENTS = new CapturedTimes() {
        private final double[] micros = {0, 1e6, 4e6};

        @Override
        public double micros(long number) {
            return Math.floorDiv(number, 3) * 6e6 + micros[(int) Math.floorMod(number, 3L)];
        }

        @Override
        public long countUntil(double until) {
            double round = Math.floor(until / 6e6);
            return (long) round * 3
                    + Arrays.stream(micros)
                            .filter(time -> time <= until - round * 6e6)
                            .count();
        }
    };

    @Test
    void eachEventIsDueWhenItCame() {
        Rate rate = rate("as captured");

        assertThat(rate.secondsOf(1)).isZero();
        assertThat(rate.secondsOf(3)).isEqualTo(4);
        assertThat(rate.secondsOf(4)).isEqualTo(6);
        assertThat(rate.dueUntil(5.9)).isEqualTo(3);
        assertThat(rate.mean(0.5, 6.5)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void aFactorMakesAllGapsShorter() {
        Rate rate = rate("as captured x 2");

        assertThat(rate.secondsOf(3)).isEqualTo(2);
        assertThat(rate.dueUntil(3)).isEqualTo(4);
        assertThat(rate).hasToString("as captured x 2");
    }

    private static Rate rate(String text) {
        return ((CapturedRate) RateText.ofEvents(10).parse(text)).of(EVENTS);
    }
}
