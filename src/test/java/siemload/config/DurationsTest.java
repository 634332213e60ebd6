package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "250us, PT0.00025S",
        "30s, PT30S",
        "1.5s, PT1.5S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "7d, PT168H",
        "1d2h3m4s5ms, PT26H3M4.005S",
        "0s, PT0S"
    })
    void durationsAreReadAsPeopleWriteThem(String text, Duration expected) {
        assertThat(Durations.parse(text)).contains(expected);
    }

    @Test
    void whatIsNoDurationIsNotRead() {
        for (String text : ",30,s,5 m,-5s,1;5s,30m1h,1..5s,PT5S,P1Y,5M,99999999999999999d,\u0663s".split(",")) {
            assertThat(Durations.parse(text.replace(';', ','))).as(text).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT0.5S, 500ms", "PT90M, 1h30m", "PT168H, 7d", "PT1.000001S, 1s1us"})
    void durationsAreWrittenInWholeUnits(Duration duration, String expected) {
        assertThat(Durations.format(duration)).isEqualTo(expected);
    }
}
