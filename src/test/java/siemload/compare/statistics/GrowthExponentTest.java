package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowthExponentTest {

    @Test
    void squaresGrowWithTheExponentTwo() {
        Interval exponent = GrowthExponent.of(new double[] {1, 10, 100}, new double[] {3, 300, 30_000});

        assertThat(exponent.estimate()).isEqualTo(2, within(1e-9));
    }

    /**
     * Logarithms 0, 1, 2 and 0, 2, 1 (in powers of e): slope 1/2, residuals -1/2, 1, -1/2, so s^2 = 1.5, standard error sqrt(1.5 /
     * 2) = 0.866, and Student's quantile with one degree of freedom 12.706.
     */
    @Test
    void theIntervalIsStudents() {
        double e = Math.E;

        Interval exponent = GrowthExponent.of(new double[] {1, e, e * e}, new double[] {1, e * e, e});

        assertThat(exponent.estimate()).isEqualTo(0.5, within(1e-9));
        assertThat(exponent.high()).isEqualTo(0.5 + 12.7062 * Math.sqrt(0.75), within(0.001));
        assertThat(exponent.low()).isEqualTo(0.5 - 12.7062 * Math.sqrt(0.75), within(0.001));
    }

    /** 190 of 200 hold the truth; the binomial's deviation is 3.1. */
    @Test
    void theIntervalHoldsTheTruth() {
        int held = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            double[] sizes = {1, 5, 10, 50, 100, 500, 1000};
            double[] values = new double[sizes.length];
            for (int i = 0; i < sizes.length; i++) {
                values[i] = 2 * Math.pow(sizes[i], 0.7) * Math.exp(0.1 * random.nextGaussian());
            }
            held += GrowthExponent.of(sizes, values).contains(0.7) ? 1 : 0;
        }

        assertThat(held).isBetween(180, 199);
    }

    @Test
    void tooFewPointsOrNoLogarithmAreRefused() {
        assertThatThrownBy(() -> GrowthExponent.of(new double[] {1, 2}, new double[] {1, 2}))
                .hasMessageContaining("needs 3 points");
        assertThatThrownBy(() -> GrowthExponent.of(new double[] {2, 2, 2}, new double[] {1, 2, 3}))
                .hasMessageContaining("at least two sizes");
        assertThatThrownBy(() -> GrowthExponent.of(new double[] {1, 2, 3}, new double[] {1, 0, 3}))
                .hasMessageContaining("above 0");
    }
}
