package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;

class OverridesTest {

    @Test
    void sharesAreRoundedByTheLargestRemainders() {
        // 10 * 20/26 = 7.69, 10 * 5/26 = 1.92, 10 * 1/26 = 0.38
        assertThat(Overrides.spread(10, List.of(20, 5, 1))).containsExactly(7, 2, 1);
        // 1.33 each: the first gets what is left
        assertThat(Overrides.spread(4, List.of(7, 7, 7))).containsExactly(2, 1, 1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {0, 3, 6, 9})
    void theTotalIsKeptAndSharesAreNearlyInProportion(int decade) {
        for (int seed = decade * 20; seed < decade * 20 + 20; seed++) {
            SeededRandom random = new SeededRandom(seed);
            List<Integer> written = new ArrayList<>();
            for (int group = 0; group <= random.nextInt(1 + seed / 20); group++) {
                written.add(1 + random.nextInt(1000));
            }
            int total = written.size() + random.nextInt(10_000);

            List<Integer> spread = Overrides.spread(total, written);

            double sum = written.stream().mapToInt(Integer::intValue).sum();
            assertThat(spread).as("seed %d", seed).allMatch(users -> users >= 1);
            assertThat(spread.stream().mapToInt(Integer::intValue).sum())
                    .as("seed %d", seed)
                    .isEqualTo(total);
            for (int group = 0; group < written.size(); group++) {
                double share = total * written.get(group) / sum;
                assertThat(Math.abs(spread.get(group) - share))
                        .as("seed %d", seed)
                        .isLessThan(1 + written.size());
            }
        }
    }
}
