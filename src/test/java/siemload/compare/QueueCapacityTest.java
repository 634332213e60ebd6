package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.compare.CapacityResult.Outcome;
import siemload.database.scripted.VirtualServer;

/**
 * The largest rate of arrivals that a queue bears is known: it has c workers, and each takes s seconds a search on average, so that it
 * answers c / s a second, and whoever comes faster waits longer and longer. Here the scripted target is that queue, in virtual
 * time: arrivals are Poisson, times of work log-normal (M/G/8), and a run is a minute long.
 */
@Tag("any-java")
class QueueCapacityTest {
    private static final double WARMUP_SECONDS = 5;
    private static final double MEASURED_SECONDS = 60;
    private static final double LIMIT_NANOS = 1e9;

    /** As times are drawn unless told otherwise: the mean of a log-normal is its median times exp(sigma^2 / 2), 21.67 ms. */
    @Test
    void eightWorkersOfAKnownMeanBearEightOverThatASecond() {
        Map<String, String> parameters = Map.of("workers", "8", "median", "20ms");

        assertThat(found(parameters, 8 / (0.020 * Math.exp(0.4 * 0.4 / 2)))).isGreaterThanOrEqualTo(9);
    }

    /** In how many of ten seeds, each of which begins with another load, the capacity is found within 5 %. */
    private static long found(Map<String, String> parameters, double perSecond) {
        List<Double> estimates = IntStream.rangeClosed(1, 10)
                .mapToObj(seed -> LoadSearchTest.end(
                        new VariedLoad.Range(VariedLoad.ARRIVALS, 0.1, 7.0 * seed, 10_000),
                        new Runs(parameters, seed)::meet))
                .peek(ended -> assertThat(ended.finding().kind()).isEqualTo(LoadSearch.Kind.FOUND))
                .map(ended -> ended.finding().estimate())
                .toList();
        return estimates.stream()
                .filter(estimate -> Math.abs(estimate / perSecond - 1) <= 0.05)
                .count();
    }

    /** Runs of one seed, each with a chance of its own. */
    private static final class Runs {
        private final Map<String, String> parameters;
        private final int seed;
        private int made;

        Runs(Map<String, String> parameters, int seed) {
            this.parameters = parameters;
            this.seed = seed;
        }

        Outcome meet(double perSecond) {
            int number = 1000 * seed + made++;
            Map<String, String> own = new TreeMap<>(parameters);
            own.put("seed", Integer.toString(number));
            List<Long> arrivals = arrivals(perSecond, new SplittableRandom(number));
            List<Long> nanos = new VirtualServer(own).nanos(arrivals);
            long[] measured = IntStream.range(0, arrivals.size())
                    .filter(i -> arrivals.get(i) >= WARMUP_SECONDS * 1e9)
                    .mapToLong(nanos::get)
                    .sorted()
                    .toArray();
            int rank = Math.max(1, (int) Math.ceil(0.95 * measured.length));
            return LoadSearchTest.met(measured[rank - 1] < LIMIT_NANOS);
        }

        private static List<Long> arrivals(double perSecond, SplittableRandom random) {
            List<Long> arrivals = new ArrayList<>();
            double seconds = 0;
            while (seconds < WARMUP_SECONDS + MEASURED_SECONDS) {
                seconds -= Math.log(1 - random.nextDouble()) / perSecond;
                arrivals.add(Math.round(1e9 * seconds));
            }
            return arrivals;
        }
    }
}
