package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.RunResult.SteadyState;
import siemload.results.statistics.Steadiness.Second;
import siemload.results.statistics.Steadiness.SeriesChange;

@Tag("any-java")
class SteadinessTest {
    private static final int RUNS = Integer.getInteger("simulated.runs", 400);

    /** A line from 1 to 30 rises by 20 from the middle of its first third to that of its last, without any doubt. */
    @Test
    void aLineChangesByTwoThirdsOfItsRise() {
        SeriesChange trend =
                SeriesChange.trend(IntStream.rangeClosed(1, 30).asDoubleStream().toArray());

        assertThat(trend.change()).isCloseTo(20, within(1e-9));
        assertThat(trend.standardError()).isCloseTo(0, within(1e-6));
    }

    /** Of independent deviations the textbook's standard error of the slope is that of a change of one. */
    @Test
    void independentDeviationsHaveTheErrorOfTheTextbook() {
        Random random = new Random(1);
        double[] values = random.doubles(3000).toArray();

        double textbook = Math.sqrt(1 / 12.0 * 12 / Math.pow(3000, 3)) * 2000;

        assertThat(SeriesChange.trend(values).standardError()).isCloseTo(textbook, within(0.25 * textbook));
    }

    @Test
    void fewSecondsAreNotTested() {
        assertThat(steady(5, 0, 0).run(1, 19).tested()).isFalse();
        assertThat(steady(50, 0, 0).run(1, 20).tested()).isTrue();
    }

    @Test
    void whereTheBeginningAloneIsSlowTheRestIsSteady() {
        SteadyState found = beginning(50, 15, new Second(10, 20_000));

        assertThat(found.changed()).isTrue();
        assertThat(found.fromSecond()).isBetween(10.0, 20.0);
        assertThat(found.responseTime().beginning().lowRatio()).isGreaterThan(1);
    }

    @Test
    void aBeginningWithFewerSearchesIsFoundToo() {
        SteadyState found = beginning(20, 10, new Second(5, 1_000));

        assertThat(found.searches().beginning().highRatio()).isNegative();
        assertThat(found.fromSecond()).isEqualTo(10);
    }

    /** A hundred steady seconds, but for the first ones. */
    private static SteadyState beginning(double rate, int seconds, Second first) {
        List<Second> run = new ArrayList<>(steady(rate, 0, 0).seconds(3, 100));
        Collections.fill(run.subList(0, seconds), first);
        return Steadiness.of(run);
    }

    @Test
    void whatChangesAllTheTimeIsSteadyNowhere() {
        Simulated rising = new Simulated(20, 0, 0, position -> 1 + 20 * position * position);

        assertThat(rising.run(1, 200).fromSecond()).isEqualTo(-1);
        assertThat(rising.run(1, 200).responseTime().trend().lowRatio()).isGreaterThan(1);
    }

    /** Poisson arrivals and independent times, seconds that differ, and seconds that are like the one before. */
    @ParameterizedTest
    @CsvSource({"0.5, 0, 0, 90", "20, 0, 0, 90", "20, 0.4, 0.5, 90", "20, 0.4, 0.7, 300"})
    void aSteadyRunHasATrendInAboutOneOfTwentyCases(double rate, double load, double memory, int seconds) {
        Simulated simulated = steady(rate, load, memory);

        assertThat(foundPercent(simulated, seconds)).isBetween(1.5, 6.5);
    }

    /** What the test says it would see, it sees in four of five runs. */
    @ParameterizedTest
    @CsvSource({"20, 0, 0, 90", "5, 0, 0, 300", "20, 0.4, 0.5, 300"})
    void aChangeThatIsSaidToBeVisibleIsFound(double rate, double load, double memory, int seconds) {
        Simulated before = steady(rate, load, memory);
        double visible = IntStream.rangeClosed(1, 200)
                .mapToDouble(
                        seed -> before.run(seed, seconds).responseTime().trend().visibleRatio())
                .sorted()
                .skip(100)
                .findFirst()
                .orElseThrow();
        double rise = Math.log1p(visible) * 1.5;

        Simulated rising = new Simulated(rate, load, memory, position -> Math.exp(rise * position));

        assertThat(foundPercent(rising, seconds)).isBetween(75.0, 85.0);
    }

    private static double foundPercent(Simulated simulated, int seconds) {
        long found = IntStream.rangeClosed(1, RUNS)
                .filter(seed -> simulated.run(seed, seconds).changed())
                .count();
        System.out.println(simulated + " " + seconds + " s: " + 100.0 * found / RUNS);
        return 100.0 * found / RUNS;
    }

    private static Simulated steady(double rate, double load, double memory) {
        return new Simulated(rate, load, memory, position -> 1);
    }

    /** Seconds of {@link SimulatedSeconds}, whose times are multiplied by what depends on the place in the run, 0 to 1. */
    private record Simulated(double rate, double load, double memory, DoubleUnaryOperator factor) {
        SteadyState run(long seed, int seconds) {
            return Steadiness.of(seconds(seed, seconds));
        }

        List<Second> seconds(long seed, int seconds) {
            Random random = new Random(seed * 7919);
            List<Second> run = new ArrayList<>();
            double level = load * random.nextGaussian();
            for (int second = 0; second < seconds; second++) {
                level = memory * level + Math.sqrt(1 - memory * memory) * load * random.nextGaussian();
                double[] times = new double[SimulatedSeconds.poisson(rate, random)];
                for (int i = 0; i < times.length; i++) {
                    times[i] = 1_000
                            * factor.applyAsDouble(second / (seconds - 1.0))
                            * Math.exp(level + 0.7 * random.nextGaussian());
                }
                Arrays.sort(times);
                run.add(new Second(times.length, times.length == 0 ? 0 : times[(times.length - 1) / 2]));
            }
            return run;
        }

        @Override
        public String toString() {
            return rate + " searches/s, load " + load + ", memory " + memory;
        }
    }
}
