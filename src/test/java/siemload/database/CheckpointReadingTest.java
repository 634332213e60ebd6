package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.CheckpointReading;

class CheckpointReadingTest {
    /** A server that was killed makes a checkpoint when it starts: as many as before, and fewer blocks. */
    @Test
    void aServerCountsAnewWhereAnythingIsLessThanItWas() {
        CheckpointReading before = reading(1, 4_000, 20);

        assertThat(reading(1, 4_000, 20).isAnewSince(before)).isFalse();
        assertThat(reading(2, 9_000, 20).isAnewSince(before)).isFalse();
        assertThat(reading(1, 300, 0).isAnewSince(before)).isTrue();
        assertThat(reading(0, 4_000, 20).isAnewSince(before)).isTrue();
        assertThat(reading(2, 9_000, 19).isAnewSince(before)).isTrue();
    }

    private static CheckpointReading reading(long completed, long byCheckpoints, long bySessions) {
        return new CheckpointReading(
                completed,
                OptionalDouble.of(completed),
                OptionalLong.of(byCheckpoints),
                OptionalLong.empty(),
                OptionalLong.of(bySessions));
    }
}
