package siemload.compare.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.scripted.VirtualServer;

/**
 * The frontier of a queue is known: c workers that take s seconds for a search, or for a batch of the feeder, do c / s of them a
 * second. What the feeder takes, users do not get; and n users who think for z seconds wait for n / (c / s - batches) - z
 * seconds once all workers are busy. So as many meet an objective of r seconds as (c / s - batches) (z + r). Here the scripted target is that
 * queue, in virtual time.
 */
@Tag("any-java")
@Tag("exhaustive")
class QueueFrontierTest {
    private static final double WARMUP_SECONDS = 10;
    private static final double END_SECONDS = 40;
    private static final double LIMIT_SECONDS = 1;
    private static final double THINK_SECONDS = 1;
    private static final double EVENTS_A_BATCH = 100;
    private static final double PER_SECOND = 8 / 0.020;

    @Test
    void usersBesideAFeederAreFoundWithinFivePercent() {
        double[] rates = {0, 10_000, 20_000, 30_000};

        long right = IntStream.rangeClosed(1, 10)
                .filter(seed -> {
                    Frontiers.Ended ended = Frontiers.end(Frontiers.against(0.05, 30, rates), new Runs(seed)::run);
                    assertThat(ended.searches())
                            .extracting(search -> search.finding().kind())
                            .containsOnly(Finding.Kind.FOUND);
                    return IntStream.range(0, rates.length)
                            .allMatch(i -> Math.abs(ended.estimates().get(i) / truth(rates[i]) - 1) <= 0.05);
                })
                .count();

        assertThat(right).isGreaterThanOrEqualTo(9);
    }

    private static double truth(double eventsPerSecond) {
        return (PER_SECOND - eventsPerSecond / EVENTS_A_BATCH) * (THINK_SECONDS + LIMIT_SECONDS);
    }

    /** Runs of one seed, each with a chance of its own. */
    private static final class Runs {
        private final int seed;
        private int made;

        Runs(int seed) {
            this.seed = seed;
        }

        TrialOutcome run(double users, double eventsPerSecond) {
            int number = 1000 * seed + made++;
            SplittableRandom random = new SplittableRandom(number);
            VirtualServer server = new VirtualServer(
                    Map.of("workers", "8", "median", "20ms", "sigma", "0", "seed", Integer.toString(number)));
            PriorityQueue<Long> searches = new PriorityQueue<>();
            for (int user = 0; user < users; user++) {
                searches.add(nanos(random.nextDouble() * THINK_SECONDS));
            }
            double between = eventsPerSecond == 0 ? END_SECONDS : EVENTS_A_BATCH / eventsPerSecond;
            double batch = eventsPerSecond == 0 ? END_SECONDS : 0;
            List<Long> measured = new ArrayList<>();
            while (searches.peek() < nanos(END_SECONDS)) {
                long due = searches.poll();
                for (; nanos(batch) <= due; batch += between) {
                    server.nanos(List.of(nanos(batch)));
                }
                long taken = server.nanos(List.of(due)).get(0);
                if (due >= nanos(WARMUP_SECONDS)) {
                    measured.add(taken);
                }
                searches.add(due + taken + nanos(THINK_SECONDS * (0.5 + random.nextDouble())));
            }
            measured.sort(Long::compare);
            return LoadSearches.met(measured.get(measured.size() / 2) < nanos(LIMIT_SECONDS));
        }

        private static long nanos(double seconds) {
            return Math.round(1e9 * seconds);
        }
    }
}
