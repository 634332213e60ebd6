package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UniversalScalabilityTest {
    private static final double[] USERS = {1, 5, 10, 25, 50, 100};

    /** sqrt(0.95 / 0.0005) = 43.6. */
    @Test
    void theLawIsFoundAgainInWhatItMade() {
        UniversalScalability found = UniversalScalability.fit(
                USERS,
                Arrays.stream(USERS)
                        .map(n -> 100 * n / (1 + 0.05 * (n - 1) + 0.0005 * n * (n - 1)))
                        .toArray());

        assertThat(found.lambda()).isEqualTo(100, within(1e-6));
        assertThat(found.sigma()).isEqualTo(0.05, within(1e-9));
        assertThat(found.kappa()).isEqualTo(0.0005, within(1e-9));
        assertThat(found.knee()).isEqualTo(43.589, within(0.001));
        assertThat(found.relativeError()).isLessThan(1e-9);
    }

    @Test
    void proportionalThroughputHasNeitherContentionNorAKnee() {
        UniversalScalability found = UniversalScalability.fit(
                USERS, Arrays.stream(USERS).map(n -> 7 * n).toArray());

        assertThat(found.lambda()).isEqualTo(7, within(1e-9));
        assertThat(found.sigma()).isEqualTo(0, within(1e-12));
        assertThat(found.kappa()).isZero();
        assertThat(found.knee()).isZero();
    }

    /** Faster than in proportion cannot be expressed: no coefficient may become negative. */
    @Test
    void moreThanProportionalThroughputGetsNoNegativeCoefficients() {
        UniversalScalability found = UniversalScalability.fit(
                USERS, Arrays.stream(USERS).map(n -> n * Math.sqrt(n)).toArray());

        assertThat(found.sigma()).isZero();
        assertThat(found.kappa()).isZero();
        assertThat(found.knee()).isZero();
    }

    @Test
    void tooFewOrImpossiblePointsAreRefused() {
        assertThatThrownBy(() -> UniversalScalability.fit(new double[] {1, 2, 4, 4}, new double[] {1, 2, 3, 3}))
                .hasMessage("the Universal Scalability Law needs 4 different concurrencies, was 3");
        assertThatThrownBy(() -> UniversalScalability.fit(new double[] {0, 2, 4, 8}, new double[] {1, 2, 3, 3}))
                .hasMessageContaining("concurrency must be at least 1");
        assertThatThrownBy(() -> UniversalScalability.fit(new double[] {1}, new double[] {1, 2}))
                .hasMessage("1 concurrencies, but 2 throughputs");
    }
}
