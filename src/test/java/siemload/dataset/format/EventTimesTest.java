package siemload.dataset.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times without a year are of the last one in which they can be. */
class EventTimesTest {
    @ParameterizedTest
    @CsvSource({
        "Jan 09 12:00:00, 2025-01-10T00:00:00Z, 2025-01-09T12:00:00Z",
        "Jan 10 23:00:00, 2025-01-10T00:00:00Z, 2025-01-10T23:00:00Z",
        "Jan 12 12:00:00, 2025-01-10T00:00:00Z, 2024-01-12T12:00:00Z",
        "Feb 29 12:00:00, 2025-01-10T00:00:00Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2024-02-29T13:00:00Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2024-02-20T00:00:00Z, 2020-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2103-06-01T00:00:00Z, 2096-02-29T12:00:00Z"
    })
    void theDayIsThatOfTheLastYearThatHasIt(String text, Instant latest, Instant expected) {
        assertThat(new EventTimes(ZoneOffset.UTC, latest).parse(text)).contains(expected);
    }
}
