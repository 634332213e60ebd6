package siemload.dataset.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateTest {

    /** Wilson's example of 1927 in the notation of today: 3 of 10. */
    @Test
    void aShareHasTheIntervalOfWilson() {
        Estimate share = Estimate.share(3, 10);
        assertThat(share.low()).isCloseTo(0.107_79, within(1e-4));
        assertThat(share.high()).isCloseTo(0.603_22, within(1e-4));
        assertThat(share.value()).isEqualTo(0.3);
    }

    @Test
    void noneOrAllSeenStillLeavesRoomOnOneSide() {
        assertThat(Estimate.share(0, 100).low()).isZero();
        assertThat(Estimate.share(0, 100).high()).isCloseTo(0.037, within(1e-4));
        assertThat(Estimate.share(100, 100).high()).isEqualTo(1);
        assertThat(Estimate.share(0, 0)).isEqualTo(new Estimate(0, 0, 1));
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
