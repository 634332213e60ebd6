package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignFlipTestTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 6, 9, 20})
    void whereAllPointOneWayOnlyTwoWaysAreAsFar(int pairs) {
        double[] up = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            up[i] = 0.1 * (i + 1);
        }

        assertThat(PairedRatios.signFlip(up, 1)).isEqualTo(2 / Math.pow(2, pairs));
    }

    /** Sums of +-1 +-2 +-3 at least 4 from zero: 1+2+3, 2+3-1, and their opposites; 4 of 8. */
    @Test
    void allWaysToSetTheSignsAreCounted() {
        assertThat(PairedRatios.signFlip(new double[] {-1, 2, 3}, 1)).isEqualTo(0.5);
    }

    /** 0.1 + 0.2 - 0.3 is not 0 in binary fractions, but must count as being as far as 0.3 - 0.1 - 0.2. */
    @Test
    void sumsThatDifferInTheirLastDigitAreEquallyFar() {
        assertThat(PairedRatios.signFlip(new double[] {0.1, 0.2, -0.3}, 1)).isEqualTo(1);
    }

    /** With 21 pairs of one size, k of them up: P(|2 Bin(21, 1/2) - 21| >= 2 * 15 - 21) = 2 * 82160 / 2^21. */
    @Test
    void moreThanTwentyPairsAreDrawnAndComeNearTheExactValue() {
        double[] fifteenUp =
                IntStream.range(0, 21).mapToDouble(i -> i < 15 ? 1 : -1).toArray();

        assertThat(PairedRatios.signFlip(fifteenUp, 1))
                .isEqualTo(0.0784, within(0.003))
                .isEqualTo(PairedRatios.signFlip(fifteenUp, 1));
    }
}
