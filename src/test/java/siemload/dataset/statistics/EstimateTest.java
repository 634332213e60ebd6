package siemload.dataset.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {

    /** 3 of 10: 0.025 of the binomial distributions of 0.066_74 and 0.652_45 lie at 3 or above, and at 3 or below. */
    @Test
    void aShareHasTheIntervalOfClopperAndPearson() {
        Estimate share = Estimate.share(3, 10);
        assertThat(share.low()).isCloseTo(0.066_74, within(1e-5));
        assertThat(share.high()).isCloseTo(0.652_45, within(1e-5));
        assertThat(share.value()).isEqualTo(0.3);
    }

    /** The upper end for none of 100 is 1 - 0.025 ^ (1 / 100). */
    @Test
    void noneOrAllSeenStillLeavesRoomOnOneSide() {
        assertThat(Estimate.share(0, 100).low()).isZero();
        assertThat(Estimate.share(0, 100).high()).isCloseTo(0.036_22, within(1e-5));
        assertThat(Estimate.share(100, 100).high()).isEqualTo(1);
        assertThat(Estimate.share(0, 0)).isEqualTo(new Estimate(0, 0, 1));
    }

    /** Summed over all counts that may be seen, which needs no chance. */
    @Test
    void theIntervalHoldsSharesOfAnySizeInNineteenOfTwentyCases() {
        int all = 2_000;
        for (double expected : new double[] {0.1, 1, 2, 3.7, 5, 10, 17, 26, 30, 45, 64.5}) {
            double share = expected / all;
            double probability = Math.pow(1 - share, all);
            double held = 0;
            for (int hits = 0; hits <= 300; hits++) {
                held += Estimate.share(hits, all).holds(share) ? probability : 0;
                probability *= (all - hits) / (hits + 1.0) * share / (1 - share);
            }
            assertThat(held).as("%s of %d", expected, all).isBetween(0.95, 1.0);
        }
    }

    @Test
    void tenMillionEventsHaveNarrowShares() {
        Estimate share = Estimate.share(1_500_000, 10_000_000);

        assertThat(share.low()).isCloseTo(0.149_779, within(1e-6));
        assertThat(share.high()).isCloseTo(0.150_221, within(1e-6));
    }

    /** 100 things in 100 places: about 63 are met. */
    @Test
    void placesAreToldFromHowManyWereMet() {
        Estimate places = Occupancy.places(100, 63, 1_000);
        assertThat(places.value()).isCloseTo(98.8, within(1.0));
        assertThat(places.low()).isLessThan(90);
        assertThat(places.high()).isGreaterThan(110);
    }

    @Test
    void placesThatWereAllMetOnceMayBeAnyNumber() {
        assertThat(Occupancy.places(50, 50, 1_000).high()).isEqualTo(1_000);
    }

    /** Half of the shares differ by 0.2: 60:40 against 40:60, of which chi-squared is 8. */
    @Test
    void sharesAreComparedByTotalVariationAndChiSquared() {
        CountComparison comparison = CountComparison.ofShares(new double[] {60, 40}, new double[] {40, 60});
        assertThat(comparison.distance()).isCloseTo(0.2, within(1e-12));
        assertThat(comparison.byChance()).isCloseTo(0.004_678, within(1e-5));
    }

    /** The largest difference is 0.2; with 100 on each side that is 1.414 of Kolmogorov's units. */
    @Test
    void sizesAreComparedByTheirCumulatedShares() {
        CountComparison comparison = CountComparison.ofOrder(new double[] {60, 40}, new double[] {40, 60});
        assertThat(comparison.distance()).isCloseTo(0.2, within(1e-12));
        assertThat(comparison.byChance()).isCloseTo(0.036_6, within(1e-3));
    }
}
