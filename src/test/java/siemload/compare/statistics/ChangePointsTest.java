package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.compare.statistics.ChangePoints.ChangePoint;
import siemload.compare.statistics.ChangePoints.EnergyDistance;

class ChangePointsTest {

    @Test
    void aStepIsFoundWhereItIs() {
        double[] nights = series(new Random(1), 30, 100, 100, 120);

        assertThat(new ChangePoints(1).in(nights)).hasSize(1).first().satisfies(change -> {
            assertThat(change.index()).isEqualTo(60);
            assertThat(change.pValue()).isLessThanOrEqualTo(0.05);
            assertThat(change.before()).isEqualTo(100, within(1.0));
            assertThat(change.after()).isEqualTo(120, within(1.0));
        });
    }

    @Test
    void aStepAndItsRepairAreTwo() {
        double[] nights = series(new Random(2), 20, 100, 120, 100);

        assertThat(new ChangePoints(1).in(nights))
                .extracting(ChangePoint::index)
                .containsExactly(20, 40);
    }

    /**
     * 0, 0, 4, 4: at the middle, between 16 / 4 * 2 = 8, within 0, times 2 * 2 / 4 is 8. Elsewhere a piece of one would be needed.
     */
    @Test
    void theDistanceOfTwoPiecesIsWorkedOutOnPaper() {
        ChangePoints.Split split = EnergyDistance.furthest(new double[] {0, 0, 4, 4}, 2);

        assertThat(split).isEqualTo(new ChangePoints.Split(2, 8));
    }

    /** 0, 1 | 4, 6: between (4+6+3+5) / 4 * 2 = 9, within 1 and 2, times 4 / 4 is 6. */
    @Test
    void distancesWithinThePiecesAreTakenOff() {
        assertThat(EnergyDistance.furthest(new double[] {0, 1, 4, 6}, 2)).isEqualTo(new ChangePoints.Split(2, 6));
    }

    /** The fast sums against the definition, for any series. */
    @Test
    void theFurthestSplitIsThatOfTheDefinition() {
        for (int seed = 0; seed < 200; seed++) {
            double[] values = new Random(seed).doubles(6 + seed % 10, 0, 10).toArray();
            double furthest = 0;
            for (int split = 2; split <= values.length - 2; split++) {
                for (int end = split + 2; end <= values.length; end++) {
                    furthest = Math.max(furthest, distance(values, split, end));
                }
            }

            assertThat(EnergyDistance.furthest(values, 2).distance())
                    .as("seed %d", seed)
                    .isEqualTo(furthest, within(1e-9));
        }
    }

    private static double distance(double[] values, int split, int end) {
        double[] left = Arrays.copyOfRange(values, 0, split);
        double[] right = Arrays.copyOfRange(values, split, end);
        double m = left.length;
        double n = right.length;
        double between = 2 * sum(left, right) / (m * n);
        return (between - sum(left, left) / (m * (m - 1)) - sum(right, right) / (n * (n - 1))) * m * n / (m + n);
    }

    private static double sum(double[] some, double[] others) {
        return Arrays.stream(some)
                .map(one -> Arrays.stream(others)
                        .map(other -> Math.abs(one - other))
                        .sum())
                .sum();
    }

    /** At most 5 % of series without a change have one: 10 of 200, with a deviation of 3. */
    @Test
    void whereNothingChangesLittleIsFound() {
        int alarms = 0;
        for (int seed = 0; seed < 200; seed++) {
            double[] nights = series(new Random(seed), 10, 100, 100, 100);
            alarms += new ChangePoints(3, 99, seed).in(nights).isEmpty() ? 0 : 1;
        }

        assertThat(alarms).isLessThanOrEqualTo(18);
    }

    @Test
    void equalNightsHaveNoChange() {
        assertThat(new ChangePoints(1).in(new double[12])).isEmpty();
    }

    @Test
    void segmentsAreNeverShorterThanAllowed() {
        double[] nights = IntStream.range(0, 30).mapToDouble(i -> i * i).toArray();

        assertThat(new ChangePoints(5, 99, 1).in(nights))
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.index()).isBetween(5, 25));
    }

    @Test
    void tooFewNightsAreRefused() {
        assertThatThrownBy(() -> new ChangePoints(1).in(new double[9]))
                .hasMessage("change points need at least 10 values, was 9");
    }

    private static double[] series(Random random, int length, double... levels) {
        return Arrays.stream(levels)
                .flatMap(level -> IntStream.range(0, length).mapToDouble(i -> level + random.nextGaussian()))
                .toArray();
    }
}
