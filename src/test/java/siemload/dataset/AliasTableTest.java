package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AliasTableTest {
    private static final int DRAWS = 200_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void indexesAreDrawnInProportionToTheirWeights(long seed) {
        double[] weights = {5, 0, 1, 0.5, 3.5};

        int[] counts = draw(AliasTable.of(weights), weights.length, seed);

        assertThat(counts[1]).isZero();
        for (int i = 0; i < weights.length; i++) {
            assertThat(counts[i] / (double) DRAWS).isCloseTo(weights[i] / 10, within(0.005));
        }
    }

    @Test
    void aSingleWeightIsAlwaysDrawn() {
        assertThat(draw(AliasTable.of(0.3), 1, 1)[0]).isEqualTo(DRAWS);
    }

    /** 1, 1/2, 1/3 and 1/4 are 12, 6, 4 and 3 of 25. */
    @Test
    void ranksFollowThePowerLaw() {
        int[] counts = draw(AliasTable.ofRanks(4, 1), 4, 1);

        assertThat(counts[0] / (double) DRAWS).isCloseTo(12 / 25.0, within(0.005));
        assertThat(counts[3] / (double) DRAWS).isCloseTo(3 / 25.0, within(0.005));
    }

    private static int[] draw(AliasTable table, int size, long seed) {
        SeededRandom random = new SeededRandom(seed);
        int[] counts = new int[size];
        for (int i = 0; i < DRAWS; i++) {
            counts[table.draw(random)]++;
        }
        return counts;
    }
}
