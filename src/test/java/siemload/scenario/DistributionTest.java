package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionTest {
    private static final int POINTS = 100_000;

    static Stream<Distribution> distributions() {
        return Stream.of(
                new Distribution.Constant(Duration.ofSeconds(4)), new Distribution.Exponential(Duration.ofSeconds(4)));
    }

    /** The mean of a residual life is half of the mean square over the mean. */
    @ParameterizedTest
    @MethodSource("distributions")
    void whatRemainsIsTheResidualLifeOfTheWaits(Distribution waits) {
        double meanSquare = IntStream.range(0, POINTS)
                .mapToDouble(i -> seconds(waits.at(point(i))))
                .map(seconds -> seconds * seconds)
                .average()
                .orElseThrow();

        assertThat(meanSeconds(waits::remaining)).isCloseTo(meanSquare / 2 / 4, within(0.005));
    }

    private static double meanSeconds(DoubleFunction<Duration> drawn) {
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> seconds(drawn.apply(point(i))))
                .average()
                .orElseThrow();
    }

    private static double point(int index) {
        return (index + 0.5) / POINTS;
    }

    private static double seconds(Duration wait) {
        return wait.toNanos() / 1e9;
    }
}
