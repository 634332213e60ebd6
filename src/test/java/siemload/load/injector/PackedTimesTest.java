package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;

final class PackedTimesTest {

    /** From none to thousands, from 0 to hours: as a whole, each count of each value. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 100, 5_000})
    void timesComeBackCountForCount(int count) {
        for (int seed = 0; seed < 20; seed++) {
            SeededRandom random = SeededRandom.of(seed, count);
            Histogram times = new Histogram(3);
            for (int i = 0; i < count; i++) {
                times.recordValueWithCount((long) Math.expm1(22 * random.nextDouble()), 1 + random.nextInt(3));
            }

            Histogram read = PackedTimes.times(PackedTimes.text(times));

            assertThat(read).isEqualTo(times);
            assertThat(read.getTotalCount()).isEqualTo(times.getTotalCount());
            assertThat(read.getMaxValue()).isEqualTo(times.getMaxValue());
            assertThat(read.getMinValue()).isEqualTo(times.getMinValue());
        }
    }

    @Test
    void fewTimesTakeFewBytes() {
        Histogram times = new Histogram(3);
        times.recordValue(1_234);
        times.recordValue(987_654);

        assertThat(PackedTimes.text(times)).hasSizeLessThan(16);
        assertThat(PackedTimes.text(new Histogram(3))).isEmpty();
    }

    @Test
    void timesThatNoRunMeasuresAreRefused() {
        for (long[] pair : new long[][] {{-1, 1}, {5, 0}, {5, -1}, {1L << 54, 1}, {5, 1L << 40}}) {
            String text = new PackedNumbers.Writer().add(pair[0]).add(pair[1]).text();
            assertThatThrownBy(() -> PackedTimes.times(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aNumberThatIsCutOrTooLongIsRefused() {
        assertThatThrownBy(() -> PackedTimes.times("gA==")).hasMessage("a number is cut");
        assertThatThrownBy(() -> PackedTimes.times("CA==")).hasMessage("a number is cut");
        assertThatThrownBy(() -> PackedTimes.times("/////////////////w==")).hasMessage("a number of more than 64 bits");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 63, 64, -64, -65, Long.MAX_VALUE, Long.MIN_VALUE, 1_790_000_000_123_456_789L})
    void everyNumberComesBack(long number) {
        PackedNumbers.Reader read = new PackedNumbers.Reader(
                new PackedNumbers.Writer().add(number).add(7).text());

        assertThat(read.next()).isEqualTo(number);
        assertThat(read.next()).isEqualTo(7);
        assertThat(read.hasMore()).isFalse();
    }
}
