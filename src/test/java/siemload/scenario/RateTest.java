package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.GoldenFile;

class RateTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200/s                                                  | 0    | 0
            200/s                                                  | 2.5  | 500
            30/m                                                   | 10   | 5
            3600/h                                                 | 7    | 7
            steps 10/s for 1m, 20/s for 1m                         | 60   | 600
            steps 10/s for 1m, 20/s for 1m                         | 180  | 3000
            steps 10/s for 1m, 20/s for 1m                         | -1   | -10
            ramp from 0/s to 100/s in 100s                         | 50   | 1250
            ramp from 0/s to 100/s in 100s                         | 101  | 5100
            """)
    void countsWhatIsDueUntilAnInstant(String text, double seconds, double due) {
        assertThat(rate(text).dueUntil(seconds)).isCloseTo(due, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"200/s", "ramp from 50/s to 500/s in 5m", "steps 100/s for 1m, 0/s for 30s, 200/s for 1m"})
    void theInstantOfEachCountIsTheFirstByWhichThatManyAreDue(String text) {
        Rate rate = rate(text);
        double before = Double.NEGATIVE_INFINITY;
        for (double count = -5_000; count < 100_000; count += 12.5) {
            double seconds = rate.secondsOf(count);
            assertThat(rate.dueUntil(seconds)).isCloseTo(count, within(1e-4));
            assertThat(seconds).isGreaterThanOrEqualTo(before);
            before = seconds;
        }
    }

    @Test
    void whatIsNeverDueIsDueInAllEternity() {
        assertThat(rate("steps 50/s for 10s, 0/s for 1s").secondsOf(500)).isEqualTo(10);
        assertThat(rate("steps 50/s for 10s, 0/s for 1s").secondsOf(501))
                .isInfinite()
                .isPositive();
        assertThat(rate("steps 0/s for 10s, 5/s for 1s").secondsOf(-1))
                .isInfinite()
                .isNegative();
        assertThat(Rate.NONE.secondsOf(1)).isInfinite();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/s", "steps 0/s for 1m"})
    void aRateOfNothingIsNone(String text) {
        assertThat(rate(text).isNone()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200/s                                              | 200/s
            30/m                                               | 0.5/s
            1_000/s                                            | 1000/s
              steps  50/s for 1m,  5/s for 1s                  | steps 50/s for 1m, 5/s for 1s
            """)
    void isWrittenAsItIsRead(String text, String written) {
        assertThat(rate(text)).hasToString(written).isEqualTo(rate(written));
        assertThat(rate(written)).hasToString(written);
    }

    private static Rate rate(String text) {
        return Rate.type(10_000).parse(text);
    }

    @Test
    void whatCannotBeReadIsToldWithWhatIsAllowed() throws IOException {
        GoldenFile.of("messages/rate.txt")
                .assertEach(text -> catchThrowableOfType(IllegalArgumentException.class, () -> rate(text))
                        .getMessage());
    }
}
