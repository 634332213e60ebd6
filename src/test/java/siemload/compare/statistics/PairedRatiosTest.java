package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.compare.statistics.PairedRatios.BcaBootstrap;
import siemload.results.statistics.Median;

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
    @ValueSource(ints = {6, 9, 12})
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

    /** The spatial test data of Efron and Tibshirani (1993), table 14.1. */
    private static final double[] SPATIAL = {
        48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41
    };

    /** Their table 14.2 has 171.5 and 115.8 to 259.6 at 90 %, and their page 186 an acceleration of 0.061. */
    @Test
    void theVarianceOfThePublishedExampleHasThePublishedInterval() {
        BcaBootstrap bootstrap = new BcaBootstrap(PairedRatiosTest::variance, 20_000, 1);

        Interval interval = bootstrap.interval(SPATIAL, 0.9);

        assertThat(bootstrap.acceleration(SPATIAL)).isEqualTo(0.061, within(0.0005));
        assertThat(interval.estimate()).isEqualTo(171.5, within(0.05));
        assertThat(interval.low()).isEqualTo(115.8, within(2.0));
        assertThat(interval.high()).isEqualTo(259.6, within(4.0));
    }

    /**
     * A resampled median of seven is at most the k-th value if four of seven draws are, P(Bin(7, k/7) >= 4): 0.010 for the
     * first and 0.108 for the second value. The 2.5 % quantile is the second, and by symmetry nothing is skewed.
     */
    @Test
    void theMedianOfSevenRunsFromTheSecondToTheSixth() {
        Interval interval = new BcaBootstrap(Median::of, 10_000, 1).interval(new double[] {4, 1, 7, 2, 6, 3, 5}, 0.95);

        assertThat(interval).isEqualTo(new Interval(4, 2, 6));
    }

    private static double variance(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / values.length;
    }
}
