package siemload.scenario.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
    private static final Offset<Double> NANO = within(1e-9);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200/s                                                  | 0    | 0
            200/s                                                  | 2.5  | 500
            30/m                                                   | 10   | 5
            3600/h                                                 | 7    | 7
            ramp from 0/s to 100/s in 10s                          | 5    | 125
            ramp from 0/s to 100/s in 10s                          | 10   | 500
            ramp from 0/s to 100/s in 10s                          | 12   | 700
            ramp from 100/s to 0/s in 10s                          | 20   | 500
            ramp from 100/s to 0/s in 10s                          | -1   | -100
            steps 10/s for 1m, 20/s for 1m                         | 60   | 600
            steps 10/s for 1m, 20/s for 1m                         | 180  | 3000
            steps 10/s for 1m, 20/s for 1m, repeated               | 180  | 2400
            steps 10/s for 1m, 20/s for 1m, repeated               | -30  | -600
            burst of 500 in 2s every 10s                           | 1    | 250
            burst of 500 in 2s every 10s                           | 9    | 500
            burst of 500 in 2s every 10s                           | 21   | 1250
            burst of 500 in 2s every 10s beside 10/s               | 10   | 600
            day from 10/s to 30/s in 100s                          | 0    | 0
            day from 10/s to 30/s in 100s                          | 50   | 1000
            day from 10/s to 30/s in 100s                          | 300  | 6000
            day from 10/s to 30/s in 100s starting at 50s          | 50   | 1000
            """)
    void countsWhatIsDueUntilAnInstant(String text, double seconds, double due) {
        assertThat(rate(text).dueUntil(seconds)).isCloseTo(due, within(1e-6));
    }

    /** Worked out by the integral: 20 t - 10 sin(2 pi t / 100) 100 / (2 pi), at a quarter of the day. */
    @Test
    void aDayBeginsAtItsTrough() {
        Rate day = rate("day from 10/s to 30/s in 100s");

        assertThat(day.dueUntil(25)).isCloseTo(500 - 1000 / (2 * Math.PI), within(1e-6));
        assertThat(day.mean(49.9, 50.1)).isCloseTo(30, within(0.01));
        assertThat(rate("day from 10/s to 30/s").dueUntil(86_400)).isCloseTo(20 * 86_400.0, within(1e-3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200/s",
                "ramp from 50/s to 500/s in 5m",
                "ramp from 500/s to 50/s in 5m",
                "steps 100/s for 1m, 0/s for 30s, 200/s for 1m",
                "steps 100/s for 1m, 0/s for 30s, 200/s for 1m, repeated",
                "burst of 5000 in 2s every 1m",
                "burst of 5000 in 2s every 1m beside 50/s",
                "day from 0/s to 400/s in 10m",
                "day from 50/s to 400/s in 10m starting at 7m"
            })
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
    void whatIsDueAtTheEndOfABurstIsDueThenAndNotAtTheNextOne() {
        Rate bursts = rate("burst of 500 in 2s every 10s");

        assertThat(bursts.secondsOf(500)).isCloseTo(2, NANO);
        assertThat(bursts.secondsOf(1_000)).isCloseTo(12, NANO);
        assertThat(bursts.secondsOf(500.1)).isBetween(10.0, 10.01);
    }

    @Test
    void whatIsNeverDueIsDueInAllEternity() {
        assertThat(rate("ramp from 100/s to 0/s in 10s").secondsOf(500)).isCloseTo(10, NANO);
        assertThat(rate("ramp from 100/s to 0/s in 10s").secondsOf(501))
                .isInfinite()
                .isPositive();
        assertThat(rate("ramp from 0/s to 100/s in 10s").secondsOf(-1))
                .isInfinite()
                .isNegative();
        assertThat(ConstantRate.NONE.secondsOf(1)).isInfinite();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/s",
                "steps 0/s for 1m",
                "ramp from 0/s to 0/s in 1m",
                "burst of 0 in 1s every 1m",
                "day from 0/s to 0/s"
            })
    void aRateOfNothingIsNone(String text) {
        assertThat(rate(text).isNone()).isTrue();
    }

    @Test
    void theMeanOfAConstantRateIsThatRateToTheLastDigit() {
        DoubleStream.of(0.001, 3, 200, 1_234.567, 1e6)
                .forEach(perSecond -> assertThat(new ConstantRate(perSecond).mean(15, 75.123456789))
                        .isEqualTo(perSecond));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200/s                                              | 200/s
            30/m                                               | 0.5/s
            1_000/s                                            | 1000/s
              ramp  from 50/s to 500/s in 5m                   | ramp from 50/s to 500/s in 5m
            day from 50/s to 400/s                             | day from 50/s to 400/s in 1d
            day from 50/s to 400/s in 10m starting at 30s      | day from 50/s to 400/s in 10m starting at 30s
            """)
    void isWrittenAsItIsRead(String text, String written) {
        assertThat(rate(text)).hasToString(written).isEqualTo(rate(written));
        assertThat(rate(written)).hasToString(written);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            fast                                      | 'fast' is not a rate (write for example 200/s, ramp
            200                                       | '200' is not a rate
            -5/s                                      | '-5/s' is not a rate
            1.2.3/s                                   | '1.2.3' is not a number
            20_000/s                                  | 20_000/s is too fast (allowed: up to 10000/s)
            burst of 90000 in 1s every 1m             | burst of 90000 in 1s every 1m is too fast
            ramp from 1/s to 2/s in soon              | 'soon' is not a duration (allowed: 1ms to 3660d
            ramp from 1/s to 2/s in 0s                | '0s' is not a duration
            steps 1/s for 1m, 2/s                     | '2/s' is no step (write for example 100/s for 1m)
            burst of 5 in 2m every 1m                 | a burst of 2m cannot begin every 1m
            day from 5/s to 2/s                       | a day goes from its trough to its peak, but 5/s is more than 2/s
            day from 1/s to 2/s in 1h starting at 2h  | '2h' is no time of a day of 1h
            """)
    void whatCannotBeReadIsToldWithWhatIsAllowed(String text, String message) {
        assertThatThrownBy(() -> rate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static Rate rate(String text) {
        return RateText.type(10_000).parse(text);
    }
}
