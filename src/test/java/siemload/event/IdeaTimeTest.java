package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IdeaTimeTest {

    @Test
    void tenThousandTimesAreWrittenAndReadLikeTheJdkDoes() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            long nanos = i % 4 == 0 ? 0 : random.nextInt(1_000) * (long) Math.pow(10, 3 * (i % 3));
            Instant time = Instant.ofEpochSecond(random.nextLong(-62_135_596_800L, 253_402_300_800L), nanos);
            assertThat(IdeaTime.format(time)).isEqualTo(time.toString());
            assertThat(IdeaTime.parse(time.toString())).contains(time);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2016-06-06T14:00:00+02:00, 2016-06-06T12:00:00Z",
        "2016-06-06T14:00:00+0200, 2016-06-06T12:00:00Z",
        "2016-06-06 12:00:00Z, 2016-06-06T12:00:00Z",
        "2016-06-06t12:00:00z, 2016-06-06T12:00:00Z",
        "2018-04-30T08:54:28.550680Z, 2018-04-30T08:54:28.550680Z",
        "2016-06-06T06:30:00.5-05:30, 2016-06-06T12:00:00.500Z",
    })
    void offsetsAndFractionsAreRead(String text, String utc) {
        assertThat(IdeaTime.parse(text)).contains(Instant.parse(utc));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2016-06-06",
                "2016-06-06T12:00:00",
                "2016-13-06T12:00:00Z",
                "+12016-01-06T12:00:00Z",
                "0000-01-06T12:00:00Z",
                "2016-06-06T24:00:01Z",
                "2016-06-06T24:00:00Z",
                "2023-02-29T12:00:00Z",
                "2023-02-30T12:00:00+01:00",
                "2023-04-31T12:00:00Z",
                "2016-06-06T12:60:00Z",
                "2016-06-06T12:00:0xZ",
                "2016-06-06T12:00:00:5Z",
                "2016-06-06T12:00:00.12x4Z"
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThat(IdeaTime.parse(text)).isEmpty();
    }
}
