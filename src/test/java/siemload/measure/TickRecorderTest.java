package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.TickRecorder;
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
                rules.missed(second * SECOND);
            } else {
                rules.started(second * SECOND);
                if (second != 69) {
                    rules.done(sample(second * SECOND, 2, 42, second == 60 ? Outcome.TIMEOUT : Outcome.OK));
                }
            }
        }

        ScheduleResult result = ticks.results(clock.endNanos()).get(0);
        assertThat(result.due()).isEqualTo(60);
        assertThat(result.missed()).isEqualTo(6);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.run()).isEqualTo(53);
        assertThat(result.unfinished()).isEqualTo(1);
        assertThat(result.unreported()).isZero();
        assertThat(result.latenessMicros().max()).isBetween(1_999L, 2_002L);
        assertThat(result.responseTimeMicros().max()).isBetween(41_950L, 42_050L);
    }

    private static Sample sample(long due, long lateMillis, long millis, Outcome outcome) {
        long taken = due + lateMillis * 1_000_000;
        long end = due + millis * 1_000_000;
        return new Sample(due, due, taken, end, end, 3, 30, outcome, "");
    }
}
