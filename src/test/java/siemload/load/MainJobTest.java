package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.dataset.SeededRandom;
import siemload.measure.Sample;
import siemload.query.Paging;
import siemload.results.Outcome;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario;
import siemload.scenario.ScenarioReader;

/** The scenario hawat as it comes, in virtual time, with answers that come at once. */
class MainJobTest {
    private static final int SEEDS = 100;
    private static final SearchAnswer NOTHING_FOUND = new SearchAnswer(
            new Sample(0, 0, 0, 0, 0, 0, 0, Outcome.OK, "", 0), 0, 0, "", Optional.empty(), Optional.empty());

    private final Scenario hawat = ScenarioReader.read(
                    Path.of(""), Settings.of(new SettingSources(Map.of("scenario", "hawat"), Map.of(), Map.of())))
            .scenario();

    /** Users come and go by chance: a smaller population, or a shorter time, would show one that is not in the database. */
    @Test
    void nearlyAlwaysTheFirstThirdAndTheLastDifferByLessThanAFifth() {
        long[][] runs = IntStream.rangeClosed(1, SEEDS).mapToObj(this::thirds).toArray(long[][]::new);

        assertThat(Arrays.stream(runs).filter(third -> Math.abs((double) third[2] / third[0] - 1) < 0.2))
                .hasSizeGreaterThanOrEqualTo(95);
        assertThat(Arrays.stream(runs).mapToLong(third -> Arrays.stream(third).sum()))
                .allMatch(searches -> searches > 1_400);
    }

    /** How many searches are due in each third of the measured phase. */
    private long[] thirds(int seed) {
        AnalystGroup group = hawat.analysts().get(0);
        int users = ((LoadModel.Closed) group.load()).users();
        long[] thirds = new long[3];
        for (int user = 0; user < users; user++) {
            UserWaits waits = new UserWaits(group, SeededRandom.mix(SeededRandom.mix(seed, 0), user));
            work(Fixtures.analyst(waits, UserStart.amidstWork(waits), Paging.OFFSET), thirds);
        }
        return thirds;
    }

    private void work(Analyst analyst, long[] thirds) {
        Duration measurement = hawat.phases().measurement();
        Duration now = hawat.phases().warmup().negated();
        while (true) {
            now = now.plus(analyst.waitBeforeNext());
            if (now.compareTo(measurement) >= 0) {
                return;
            }
            if (!now.isNegative()) {
                thirds[(int) (3 * now.toNanos() / measurement.toNanos())]++;
            }
            var unused = analyst.next(now.toNanos());
            analyst.answered(NOTHING_FOUND);
        }
    }
}
