package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.dataset.SeededRandom;
import siemload.load.Analyst.UserRoster;
import siemload.load.Analyst.UserRoster.Member;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.measure.LatencyRecorder.Sample;
import siemload.results.Outcome;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.Distribution.Constant;
import siemload.scenario.AnalystGroup.Distribution.Exponential;
import siemload.scenario.Rate;

class SteadyStartTest {
    private static final int SECONDS = 60;
    private static final int USERS = 20_000;
    private static final double MEAN_ACTIONS = 7.5;
    private static final double ARRIVALS = 800;
    private static final Duration THINK = Duration.ofSeconds(4);
    private static final SearchAnswer NOTHING_FOUND =
            new SearchAnswer(new Sample(0, 0, 0, 0, 0, 0, 0, Outcome.OK, ""), 0, Optional.empty(), Optional.empty());

    private final long[] searches = new long[SECONDS];

    static Stream<AnalystGroup> groups() {
        Duration half = Duration.ofSeconds(30);
        return Stream.of(
                group(new Exponential(THINK), new Exponential(half)),
                group(new Constant(THINK), new Constant(half)),
                group(new Constant(THINK), new Constant(Duration.ZERO)),
                group(new Constant(Duration.ZERO), new Exponential(half)));
    }

    private static AnalystGroup group(Distribution thinkTime, Distribution pause) {
        return Fixtures.group(thinkTime, pause, 0, 0);
    }

    @ParameterizedTest
    @MethodSource("groups")
    void aFixedNumberOfUsersSearchesAtItsRateFromTheFirstSecondOn(AnalystGroup group) {
        for (int user = 0; user < USERS; user++) {
            work(Fixtures.analyst(new Member(group, user, SeededRandom.mix(1, user))), 0, Long.MAX_VALUE);
        }

        double cycleNanos = group.investigation().pause().mean().toNanos()
                + (MEAN_ACTIONS - 1) * group.investigation().thinkTime().mean().toNanos();
        assertSteady(USERS * MEAN_ACTIONS * 1e9 / cycleNanos);
    }

    @Test
    void ofUsersWhoComeAndGoThoseAreThereFirstWhoCameBefore() {
        AnalystGroup group =
                Fixtures.arriving(group(new Exponential(THINK), new Exponential(THINK)), Rate.constant(ARRIVALS));
        UserRoster roster = new UserRoster(group, 1, Shard.WHOLE);
        for (int user = -roster.thereAtStart; user < SECONDS * ARRIVALS; user++) {
            work(Fixtures.analyst(roster.next()), Math.max(0, user) / ARRIVALS, 1);
        }

        assertSteady(ARRIVALS * MEAN_ACTIONS);
    }

    @Test
    void aUserWithoutAnyWaitsBegins() {
        Distribution none = new Constant(Duration.ZERO);
        Member.Investigation start = new Member(group(none, none), 0, 1).start().orElseThrow();

        assertThat(start.delay()).isZero();
        assertThat(start.actions()).isBetween(4, 11);
    }

    /** One user's actions until the end, or until so many investigations are done. */
    private void work(Analyst analyst, double fromSecond, long investigations) {
        long nanos = Math.round(fromSecond * 1e9);
        long done = 0;
        while (done < investigations) {
            nanos += analyst.waitBeforeNext().toNanos();
            if (nanos >= TimeUnit.SECONDS.toNanos(SECONDS)) {
                return;
            }
            searches[(int) TimeUnit.NANOSECONDS.toSeconds(nanos)]++;
            analyst.answered(analyst.next(nanos), NOTHING_FOUND);
            done += analyst.investigationDone() ? 1 : 0;
        }
    }

    private void assertSteady(double perSecond) {
        for (double rate : new double[] {meanFrom(0), meanFrom(SECONDS / 2), meanFrom(SECONDS - 5)}) {
            assertThat(rate).isCloseTo(perSecond, within(0.03 * perSecond));
        }
        assertThat((double) searches[0]).isCloseTo(searches[SECONDS - 1], within(0.03 * perSecond));
    }

    private double meanFrom(int second) {
        return Arrays.stream(searches, second, second + 5).average().orElseThrow();
    }
}
