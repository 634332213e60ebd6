package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.MicrosSummary;

class MillisTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0.00",
        "7, 0.01",
        "1234, 1.23",
        "9999, 10.0",
        "12345, 12.3",
        "99000, 99.0",
        "99990, 100",
        "123456, 123"
    })
    void thereAreAboutThreeDigits(long micros, String shown) {
        assertThat(Millis.of(micros)).isEqualTo(shown);
    }

    @Test
    void whatWasNotMeasuredIsNoZero() {
        MicrosSummary measured = new MicrosSummary(1, 2, 2, 3, 4, 5_000, 6_000, 7_000);

        assertThat(Millis.of(MicrosSummary.NONE, MicrosSummary::p99)).isEqualTo("-");
        assertThat(Millis.of(measured, MicrosSummary::p99)).isEqualTo("5.00");
    }
}
