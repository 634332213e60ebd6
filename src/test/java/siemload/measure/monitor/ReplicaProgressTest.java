package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica is said to have it must have; and what it has is known by the look behind. */
class ReplicaProgressTest {
    private final ReplicaProgress progress = new ReplicaProgress(100);

    @Test
    void nothingFedIsKnownToBeThereBeforeTheFirstLook() {
        assertThat(progress.completeUntil(5_000)).isEqualTo(100);
    }

    @Test
    void aReplicaThatHasReplayedAllHasWhatWasAcknowledgedBeforeTheLook() {
        progress.written(1_000, 10);
        progress.replayed(10);

        assertThat(progress.completeUntil(1_300)).isEqualTo(1_000);
        assertThat(progress.completeUntil(900)).as("a search of before").isEqualTo(900);
    }

    @Test
    void oneThatIsBehindHasWhatTheLogHeldThen() {
        progress.written(1_000, 10);
        progress.written(2_000, 20);
        progress.written(3_000, 30);
        progress.replayed(29);
        assertThat(progress.completeUntil(9_000)).isEqualTo(2_000);

        progress.replayed(29);
        assertThat(progress.completeUntil(9_000)).as("it stands still").isEqualTo(2_000);

        progress.replayed(31);
        assertThat(progress.completeUntil(9_000)).isEqualTo(3_000);
    }

    @Test
    void aLogThatDoesNotGrowIsCompleteAtEachLook() {
        progress.written(1_000, 10);
        progress.replayed(10);
        progress.written(2_000, 10);
        progress.replayed(10);

        assertThat(progress.completeUntil(2_000)).isEqualTo(2_000);
    }

    /** Commits at random, replayed late at random: whatever is said to be there has been replayed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
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
