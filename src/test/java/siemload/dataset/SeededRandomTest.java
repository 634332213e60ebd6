package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeededRandomTest {

    /** The first numbers of SplitMix64 for seed 1234567, as its authors' reference program prints them. */
    @Test
    void theNumbersAreThoseOfSplitMix64() {
        SeededRandom random = new SeededRandom(1234567);

        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("6457827717110365317");
        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("3203168211198807973");
        assertThat(Long.toUnsignedString(random.nextLong())).isEqualTo("9817491932198370423");
    }

    @Test
    void boundedNumbersStayInsideAndReachBothEnds() {
        for (long bound : new long[] {1, 2, 3, 10, 1L << 40, (1L << 62) - 1}) {
            SeededRandom random = new SeededRandom(bound);
            for (int i = 0; i < 1_000; i++) {
                assertThat(random.nextLong(bound)).isBetween(0L, bound - 1);
            }
        }
        Set<Integer> seen = new HashSet<>();
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 1_000; i++) {
            seen.add(random.nextInt(6));
        }
        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }

    @Test
    void numbersOfNeighbouringIndexesAreSpreadEvenly() {
        double sum = 0;
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            sum += SeededRandom.of(1, i).nextDouble();
        }

        assertThat(sum / count).isCloseTo(0.5, within(0.005));
    }

    @Test
    void aBoundOutOfRangeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SeededRandom(1).nextLong(1L << 62));
        assertThatIllegalArgumentException().isThrownBy(() -> new SeededRandom(1).nextLong(0));
    }
}
