package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairedRatiosTest {

    /** Three values hold their median between them in 1 - 2 / 2^3 of cases. */
    @Test
    void fewPairsHaveTheRangeOfWhatWasSeen() {
        PairedRatios ratios = PairedRatios.of(new double[] {Math.log(2), Math.log(0.5), Math.log(1.5)}, 1);

        assertThat(ratios.ratio().estimate()).isEqualTo(1.5, within(1e-12));
        assertThat(ratios.ratio().low()).isEqualTo(0.5, within(1e-12));
        assertThat(ratios.ratio().high()).isEqualTo(2, within(1e-12));
    }

    @Test
    void onePairSaysNothingOfTheSpreadAndEqualPairsHaveNone() {
        assertThat(PairedRatios.of(new double[] {0.5}, 1))
                .isEqualTo(new PairedRatios(1, new Interval(Math.exp(0.5), Math.exp(0.5), Math.exp(0.5)), 1, 0));
        assertThat(PairedRatios.of(new double[] {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 1))
                .isEqualTo(new PairedRatios(6, new Interval(Math.exp(0.5), Math.exp(0.5), Math.exp(0.5)), 2 / 64.0, 0));
    }

    /** 1, 2, ..., 6: mean 3.5, squares 17.5 / 5. */
    @Test
    void theSpreadIsWorkedOutOnPaper() {
        assertThat(PairedRatios.of(new double[] {1, 2, 3, 4, 5, 6}, 1).spread())
                .isEqualTo(Math.sqrt(3.5), within(1e-12));
    }

    /** Student's 97.5 % quantile with 8 degrees of freedom is 2.306; times sqrt(9/8) 2.4459; outside of it 0.01445. */
    @Test
    void nineValuesAreGivenTheConfidenceThatCountsForNinetyFivePercent() {
        assertThat(PairedRatios.widened(9)).isEqualTo(1 - 0.01445, within(0.00001));
    }

    /** pi/2 (2.8 * 0.03 / ln 1.05)^2 = 1.5708 * 2.9642 = 4.66, but below 6 nothing is decided; with 0.06 it is 18.6. */
    @Test
    void aFormulaSaysHowManyPairsItTakes() {
        assertThat(PairedRatios.pairsNeeded(0.03, 0.05)).isEqualTo(6);
        assertThat(PairedRatios.pairsNeeded(0.06, 0.05)).isEqualTo(19);
        assertThat(PairedRatios.visibleDelta(0.06, 19)).isEqualTo(0.05, within(0.001));
        assertThat(PairedRatios.pairsNeeded(0, 0.05)).isEqualTo(6);
    }

    /** Properties of any pairs, over 200 seeds. */
    @Test
    void turnedRoundPairsSayTheSame() {
        for (int seed = 0; seed < 200; seed++) {
            double[] logs = new Random(seed).doubles(6 + seed % 7, -1, 2).toArray();
            PairedRatios there = PairedRatios.of(logs, 200, seed);
            PairedRatios back =
                    PairedRatios.of(Arrays.stream(logs).map(log -> -log).toArray(), 200, seed);

            assertThat(back.pValue()).as("seed %d", seed).isEqualTo(there.pValue());
            assertThat(back.ratio().estimate() * there.ratio().estimate())
                    .as("seed %d", seed)
                    .isEqualTo(1, within(1e-9));
            assertThat(PairedRatios.of(logs, 200, seed)).as("seed %d", seed).isEqualTo(there);
        }
    }

    /** Of 500 intervals of normal noise about 25 leave out the truth; the binomial's deviation is 4.9. */
    @ParameterizedTest
    @ValueSource(ints = {6, 7, 9, 11, 12})
    void theIntervalHoldsTheTruthInNinetyFivePercentOfCases(int pairs) {
        Random random = new Random(7);
        int held = 0;
        for (int trial = 0; trial < 500; trial++) {
            double[] noise = new double[pairs];
            Arrays.setAll(noise, i -> random.nextGaussian());
            Interval ratio = PairedRatios.of(noise, 300, trial).ratio();
            held += ratio.low() <= 1 && ratio.high() >= 1 ? 1 : 0;
        }

        assertThat(held / 500.0).isBetween(0.925, 0.995);
    }
}
