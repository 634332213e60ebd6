package siemload.compare.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.compare.statistics.ThresholdPosterior.Observation;

class ThresholdPosteriorTest {

    @Test
    void withoutTrialsEachPartOfTheRangeIsAsLikelyByItsLogarithm() {
        ThresholdPosterior nothing = new ThresholdPosterior(1, 10_000, List.of());

        assertThat(nothing.quantile(0.5)).isCloseTo(100, within(0.01));
        assertThat(nothing.quantile(0.25)).isCloseTo(10, within(0.01));
        assertThat(nothing.isAtLeast(1_000)).isCloseTo(0.25, within(1e-9));
        assertThat(nothing.isAtLeast(0.5)).isOne();
        assertThat(nothing.isAtLeast(20_000)).isZero();
    }

    @Test
    void successesAndFailuresOfTwoLoadsLeaveWhatLiesBetween() {
        List<Observation> trials = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            trials.add(new Observation(100, true));
            trials.add(new Observation(200, false));
        }

        Interval interval = new ThresholdPosterior(1, 10_000, trials).interval(0.95);

        assertThat(interval.low()).isBetween(95.0, 110.0);
        assertThat(interval.estimate()).isCloseTo(Math.sqrt(100 * 200), within(2.0));
        assertThat(interval.high()).isBetween(182.0, 211.0);
    }

    /** A lapse of 2 %: three contrary trials outweigh one that something else decided. */
    @Test
    void oneTrialThatSomethingElseDecidedIsOutweighed() {
        List<Observation> trials = Stream.of(-50.0, 50.0, 60.0, 70.0, 80.0, -160.0)
                .map(load -> new Observation(Math.abs(load), load > 0))
                .toList();

        assertThat(new ThresholdPosterior(1, 10_000, trials).isAtLeast(75)).isGreaterThan(0.9);
    }

    /** A thousand contrary trials are less likely than numbers can say. */
    @Test
    void howeverUnlikelyTrialsAreTogetherSomethingFollowsFromThem() {
        List<Observation> contrary = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            contrary.add(new Observation(10, false));
            contrary.add(new Observation(1_000, true));
        }

        ThresholdPosterior torn = new ThresholdPosterior(1, 10_000, contrary);

        assertThat(torn.interval(0.95).low()).isPositive();
        assertThat(torn.interval(0.95).high()).isLessThanOrEqualTo(10_000);
    }
}
