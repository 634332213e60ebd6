package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.Outcome;
import siemload.results.RunResult.ScheduleResult;

class TickRecorderTest {
    private static final long SECOND = 1_000_000_000L;

    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(10), Duration.ofSeconds(60));
    private final TickRecorder ticks = new TickRecorder(clock);

    /** One task, a tick a second from the start. */
    private TickRecorder.Group everySecond() {
        ticks.expect("rules", 1, Duration.ofSeconds(1), nanos -> Math.max(0, -Math.floorDiv(-nanos, SECOND)));
        return ticks.of("rules");
    }

    @Test
    void eachTickOfTheMeasuredPhaseIsRunOrMissedOrUnfinished() {
        TickRecorder.Group rules = everySecond();
        for (long second = 0; second < 70; second++) {
            if (second % 10 == 5) {
                rules.missed(0, second * SECOND);
            } else {
                rules.started(second * SECOND);
                if (second != 69) {
                    rules.done(
                            0,
                            sample(second * SECOND, 2, 30, Outcome.OK),
                            sample(second * SECOND + 30_000_000, 0, 12, Outcome.OK));
                }
            }
        }

        ScheduleResult result = ticks.results(clock.endNanos()).get(0);
        assertThat(result.ticks().due()).isEqualTo(60);
        assertThat(result.ticks().missed()).isEqualTo(6);
        assertThat(result.ticks().run()).isEqualTo(53);
        assertThat(result.ticks().unfinished()).isEqualTo(1);
        assertThat(result.ticks().unreported()).isZero();
        assertThat(result.latenessMicros().max()).isBetween(1_999L, 2_002L);
        assertThat(result.responseTimeMicros().max()).as("rows and count").isBetween(41_950L, 42_050L);
    }

    @Test
    void aTickWhoseCountFailedIsAFailedOne() {
        TickRecorder.Group rules = everySecond();
        rules.started(20 * SECOND);
        rules.done(0, sample(20 * SECOND, 0, 10, Outcome.OK), sample(21 * SECOND, 0, 10, Outcome.TIMEOUT));

        assertThat(ticks.results(clock.endNanos()).get(0).ticks().failed()).isEqualTo(1);
    }

    @Test
    void ticksAreHandedOverOnceInAnyPhase() {
        TickRecorder.Group rules = everySecond();
        rules.missed(0, SECOND);
        rules.done(0, sample(20 * SECOND, 1, 10, Outcome.OK), sample(20 * SECOND, 1, 10, Outcome.OK));
        List<TickRecorder.Tick> taken = new ArrayList<>();

        ticks.take(taken::add);
        ticks.take(taken::add);

        assertThat(taken)
                .containsExactly(
                        new TickRecorder.Tick("rules", 0, SECOND, "missed", 0, 0, 0),
                        new TickRecorder.Tick("rules", 0, 20 * SECOND, "ok", 1_000, 10_000, 3));
    }

    private static Sample sample(long due, long lateMillis, long millis, Outcome outcome) {
        long taken = due + lateMillis * 1_000_000;
        long end = due + millis * 1_000_000;
        return new Sample(due, due, taken, end, end, 3, 30, outcome, "");
    }
}
