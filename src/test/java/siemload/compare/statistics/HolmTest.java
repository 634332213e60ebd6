package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HolmTest {

    /** Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1 is 0.04, 0.06, 0.06, 0.04; none below the one before it. */
    @Test
    void eachIsMultipliedByHowManyAreAtLeastAsLarge() {
        assertThat(Decision.adjustedByHolm(0.03, 0.01, 0.04, 0.02))
                .containsExactly(new double[] {0.06, 0.04, 0.06, 0.06}, within(1e-12));
    }

    @Test
    void oneAloneStaysAndNoneExceedsOne() {
        assertThat(Decision.adjustedByHolm(0.03)).containsExactly(0.03);
        assertThat(Decision.adjustedByHolm(0.6, 0.9)).containsExactly(1, 1);
        assertThat(Decision.adjustedByHolm()).isEmpty();
    }
}
