package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import siemload.compare.statistics.PairedRatios.BcaBootstrap;
import siemload.results.statistics.Median;

class BcaBootstrapTest {

    /** The spatial test data of Efron and Tibshirani (1993), table 14.1. */
    private static final double[] SPATIAL = {
        48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41
    };

    /** Their table 14.2 has 171.5 and 115.8 to 259.6 at 90 %, and their page 186 an acceleration of 0.061. */
    @Test
    void theVarianceOfThePublishedExampleHasThePublishedInterval() {
        BcaBootstrap bootstrap = new BcaBootstrap(BcaBootstrapTest::variance, 20_000, 1);

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
