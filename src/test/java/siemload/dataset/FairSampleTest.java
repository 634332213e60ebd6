package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class FairSampleTest {

    /** The sixteenth part is left after halving four times. */
    @Test
    void ofTooManyAFairShareIsCountedInFull() {
        FairSample<Long, int[]> seen = new FairSample<>(1_000, number -> SeededRandom.mix(number, 1));
        for (int round = 0; round < 3; round++) {
            LongStream.range(0, 12_000).forEach(number -> seen.note(number, unused -> new int[1], count -> count[0]++));
        }

        assertThat(seen.values()).hasSizeBetween(650, 850);
        assertThat(seen.values().values()).allMatch(count -> count[0] == 3);
        assertThat(seen.values().keySet()).filteredOn(number -> number < 6_000).hasSizeBetween(300, 450);
    }
}
