package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaProgressTest {
    private final ReplicaProgress progress = new ReplicaProgress(100);

    /** Commits at random, replayed late at random: whatever is said to be there has been replayed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverMoreThanWhatWasReplayed(long seed) {
        Random random = new Random(seed);
        long[] acknowledged = new long[2_000];
        int written = 0;
        int replayed = 0;
        long now = 100;
        for (int step = 0; step < 6_000 && written < acknowledged.length; step++) {
            now += 1 + random.nextInt(10);
            switch (random.nextInt(4)) {
                case 0 -> acknowledged[written++] = now;
                case 1 -> replayed += random.nextInt(written - replayed + 1);
                case 2 -> progress.written(now, written);
                default -> progress.replayed(replayed);
            }
            long complete = progress.completeUntil(now);
            assertThat(complete).as("seed %d", seed).isLessThanOrEqualTo(now);
            if (replayed < written) {
                assertThat(complete)
                        .as("seed %d: the first commit that is missing", seed)
                        .isLessThanOrEqualTo(acknowledged[replayed]);
            }
        }
    }
}
