package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;

class PercentileIntervalsTest {
    private static final int RUNS = Integer.getInteger("simulated.runs", 100);

    /** Of a hundred values, the textbook's ranks for the median are 40 and 61, which hold it a little too often. */
    @Test
    void theMedianOfAHundredLiesBetweenTheRanksOfTheTextbook() {
        assertThat(101 * PercentileIntervals.lower(0.5, 100)).isBetween(40.0, 41.0);
        assertThat(101 * PercentileIntervals.upper(0.5, 100)).isBetween(60.0, 61.0);
    }

    /** All of n values lie below the percentile p with a probability of p to the power of n. */
    @ParameterizedTest
    @CsvSource({"0.5, 6", "0.9, 36", "0.95, 72", "0.99, 368", "0.999, 3688"})
    void anUpperEndTakesEnoughTimes(double percentile, int enough) {
        assertThat(PercentileIntervals.upper(percentile, enough)).isLessThan(1);
        assertThat(PercentileIntervals.upper(percentile, enough - 1)).isEqualTo(1);
    }

    @Test
    void runsOfLessThanFourSecondsDoNotShowWhetherTheirSecondsAreAlike() throws IOException {
        assertThat(intervals(List.of(second(1, 5), second(2, 5), second(3, 6)))).isEmpty();
        assertThat(intervals(List.of(second(1, 5), second(2, 5), second(4, 6)))).isNotEmpty();
    }

    @Test
    void aHundredSearchesAlikeTellNoMoreThanOne() throws IOException {
        Random random = new Random(1);
        List<LoggedInterval> single = new ArrayList<>();
        List<LoggedInterval> hundred = new ArrayList<>();
        for (int i = 1; i <= 300; i++) {
            int micros = 1_000 + random.nextInt(900);
            single.add(second(i, micros));
            Histogram alike = new Histogram(3);
            alike.recordValueWithCount(micros, 100);
            hundred.add(new LoggedInterval("", i, alike));
        }

        MicrosInterval ofSingle = interval(single, "p90");
        MicrosInterval ofHundred = interval(hundred, "p90");

        assertThat((double) ofHundred.low()).isCloseTo(ofSingle.low(), within(5.0));
        assertThat((double) ofHundred.high()).isCloseTo(ofSingle.high(), within(5.0));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 6, 9, 12})
    void thePercentileItselfIsInItsInterval(long seed) throws IOException {
        SimulatedSeconds simulated = new SimulatedSeconds(0.2 * seed, 0.1 * (seed % 4), 0.3, 0.05 * (seed % 3));
        List<LoggedInterval> seconds = simulated.run(seed, (int) (20 * seed));
        Histogram all = new Histogram(3);
        seconds.forEach(one -> all.add(one.times()));
        MicrosSummary times = MicrosSummary.of(all);
        Map<String, Long> percentiles = Map.of(
                "p50", times.p50(), "p90", times.p90(), "p95", times.p95(), "p99", times.p99(), "p999", times.p999());

        intervals(seconds).forEach((name, interval) -> {
            assertThat(interval.low()).as(name).isLessThanOrEqualTo(percentiles.get(name));
            if (!interval.hasNoHighEnd()) {
                assertThat(interval.high()).as(name).isGreaterThanOrEqualTo(percentiles.get(name));
            }
        });
    }

    /**
     * Few independent times, and stalls in seconds that differ and are like the one before: 93 to 97 %, and one standard error of so few
     * runs.
     */
    @ParameterizedTest
    @CsvSource({"5, 0, 0, 0, 60", "5, 0.4, 0.5, 0.1, 150"})
    void theIntervalOfP95HoldsItInAboutNineteenOfTwentyRuns(
            double rate, double load, double memory, double stalls, int seconds) throws IOException {
        SimulatedSeconds simulated = new SimulatedSeconds(rate, load, memory, stalls);

        double chance = 100 * Math.sqrt(0.95 * 0.05 / RUNS);
        assertThat(coveragePercent(simulated, seconds, "p95", 0.95)).isBetween(93 - chance, 97 + chance);
    }

    private static double coveragePercent(SimulatedSeconds simulated, int seconds, String name, double share)
            throws IOException {
        double percentile = simulated.percentile(share);
        int held = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            MicrosInterval interval = interval(simulated.run(seed, seconds), name);
            if (interval.low() <= percentile && (interval.hasNoHighEnd() || percentile <= interval.high())) {
                held++;
            }
        }
        System.out.println(simulated + " " + seconds + " s " + name + ": " + 100.0 * held / RUNS);
        return 100.0 * held / RUNS;
    }

    private static LoggedInterval second(int end, long micros) {
        Histogram one = new Histogram(3);
        one.recordValue(micros);
        return new LoggedInterval("", end, one);
    }

    private static MicrosInterval interval(List<LoggedInterval> seconds, String name) throws IOException {
        MicrosInterval interval = intervals(seconds).get(name);
        assertThat(interval).isNotNull();
        return interval;
    }

    private static Map<String, MicrosInterval> intervals(List<LoggedInterval> seconds) throws IOException {
        return PercentileIntervals.of(seconds::forEach, one -> List.of("all")).getOrDefault("all", Map.of());
    }

    /**
     * Response times whose distribution is known: searches arrive by chance, {@code rate} of them a second, and take about a
     * millisecond. Immutable.
     *
     * @param load how much the seconds differ: the deviation of the logarithm of a second's mean
     * @param memory how much of that a second leaves to the next, 0 to 1
     * @param stalls the share of the seconds in which every search takes 3 to 9 ms
     */
    record SimulatedSeconds(double rate, double load, double memory, double stalls) {
        private static final double MEDIAN_MICROS = 1_000;
        private static final double SPREAD = 0.7;
        private static final double STALL_FROM = 3_000;
        private static final double STALL_TO = 9_000;

        /** The seconds of one run. */
        List<LoggedInterval> run(long seed, int seconds) {
            Random random = new Random(seed);
            List<LoggedInterval> run = new ArrayList<>();
            double level = load * random.nextGaussian();
            for (int second = 1; second <= seconds; second++) {
                level = memory * level + Math.sqrt(1 - memory * memory) * load * random.nextGaussian();
                boolean stalled = random.nextDouble() < stalls;
                double stall = STALL_FROM + random.nextDouble() * (STALL_TO - STALL_FROM);
                Histogram times = new Histogram(3);
                for (int left = poisson(rate, random); left > 0; left--) {
                    double time = MEDIAN_MICROS * Math.exp(level + SPREAD * random.nextGaussian());
                    times.recordValue(Math.round(stalled ? stall : time));
                }
                run.add(new LoggedInterval("", second, times));
            }
            return run;
        }

        /** How many there are where so many are to be expected. */
        static int poisson(double rate, Random random) {
            int count = 0;
            for (double at = -Math.log(1 - random.nextDouble()); at < rate; at -= Math.log(1 - random.nextDouble())) {
                count++;
            }
            return count;
        }

        /** The percentile of all searches that there could be. */
        double percentile(double share) {
            NormalDistribution logarithms = new NormalDistribution(0, Math.hypot(load, SPREAD));
            DoubleUnaryOperator below =
                    micros -> (1 - stalls) * logarithms.cumulativeProbability(Math.log(micros / MEDIAN_MICROS))
                            + stalls * Math.min(1, Math.max(0, (micros - STALL_FROM) / (STALL_TO - STALL_FROM)));
            double from = 1;
            double to = 1e9;
            for (int i = 0; i < 100; i++) {
                double middle = (from + to) / 2;
                if (below.applyAsDouble(middle) < share) {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            return from;
        }
    }
}
