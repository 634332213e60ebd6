package siemload.dataset.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.dataset.SeededRandom;

/** What the law is told from is drawn from it, many times, and the intervals are held to their 95 %. */
@Tag("any-java")
class RankLawFitTest {
    private static final int RUNS = Integer.getInteger("simulated.runs", 25);

    @ParameterizedTest
    @CsvSource({
        "60000, 2.2, 20000, 1",
        "5000, 1.0, 20000, 1",
        "500, 0.7, 20000, 1",
        "60000, 2.2, 200000, 0.25",
        "300, 5, 100000, 1"
    })
    void intervalsHoldTheLaw(int values, double root, int draws, double sampled) {
        int holdsValues = 0;
        int holdsRoot = 0;
        int misfits = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            RankLawFit fit = RankLawFit.of(drawn(values, root, draws, sampled, new SeededRandom(seed)));
            holdsValues += fit.values().holds(values) ? 1 : 0;
            holdsRoot += fit.rankRoot().holds(root) ? 1 : 0;
            misfits += fit.misfit() < 0.01 ? 1 : 0;
        }
        int fewest = (int) Math.floor(RUNS * 0.94 - 2.6 * Math.sqrt(RUNS * 0.94 * 0.06));
        assertThat(holdsValues).isGreaterThanOrEqualTo(fewest);
        assertThat(holdsRoot).isGreaterThanOrEqualTo(fewest);
        assertThat(misfits).isLessThanOrEqualTo((int) Math.ceil(RUNS * 0.01 + 3 * Math.sqrt(RUNS * 0.01)));
    }

    private static OccurrenceCounts drawn(int values, double root, int draws, double sampled, SeededRandom random) {
        double[] reached = new double[values];
        double sum = 0;
        for (int i = 0; i < values; i++) {
            sum += Math.pow(i + 1, -1 / root);
            reached[i] = sum;
        }
        int[] counts = new int[values];
        for (int i = 0; i < draws; i++) {
            int place = Arrays.binarySearch(reached, random.nextDouble() * sum);
            counts[place < 0 ? -place - 1 : place]++;
        }
        return new OccurrenceCounts(
                draws,
                sampled,
                Arrays.stream(counts)
                        .filter(count -> count > 0 && random.nextDouble() < sampled)
                        .toArray());
    }
}
