package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.query.Window;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.scenario.Rate;
import siemload.scenario.Scenario.Feeder;

@Timeout(20)
class FeederRunTest {
    private static final Rate RATE = Rate.constant(1_000);

    private final CountDownLatch stalled = new CountDownLatch(1);

    @Test
    void batchesThatAStalledServerKeptFromBeingSentCountAsLate() throws Exception {
        // Before the clock starts: what it takes to load the class is not the feeder's delay.
        EventSink sink = Fixtures.sink(batch -> Fixtures.await(stalled), () -> {});
        Duration measured = Duration.ofMillis(400);
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, measured);
        FeederRecorder recorder = new LatencyRecorder(clock, RATE).feeder();
        FeederRun run = Fixtures.feeder(new Feeder(RATE, 10, 1), Shard.WHOLE, clock, recorder);

        run.start(List.of(sink));
        while (!clock.isOver(System.nanoTime())) {
            Thread.onSpinWait();
        }
        Thread closer = new Thread(run::close);
        closer.start();
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        stalled.countDown();
        closer.join();

        FeederResult result = recorder.result(clock.endNanos(), StoredEvents.ALL);
        assertThat(result.sent()).isLessThan(400);
        assertThat(result.latenessMicros().max()).isGreaterThan(100_000);
        assertThat(result.delayedByAnswersRatio()).as("its own are wake-ups").isGreaterThan(0.5);
    }

    /** Two lost connections are no refusals. */
    @Test
    void aBatchIsSentAgainUntilTheServerHasRefusedItThreeTimes() {
        assertThat(givenUp(Kind.CONNECTION, Kind.REFUSED, Kind.CONNECTION, Kind.TIMEOUT, Kind.CONNECTION))
                .isZero();
        assertThat(givenUp(Kind.CONNECTION, Kind.REFUSED, Kind.OTHER, Kind.REFUSED))
                .isEqualTo(10);
    }

    @Test
    void aServerThatRefusesToRemoveADayIsQuotedAndNobodyKnowsWhetherTheDayIsThere() {
        Window day = new Window(Fixtures.NOON, Fixtures.NOON.plus(Duration.ofDays(1)));
        DroppedDay drop = LoadEngine.remove(day, Optional.of(asked -> {
            throw new TargetException("lock timeout of " + asked.from());
        }));
        assertThat(drop.failure()).isEqualTo("lock timeout of 2016-06-06T12:00:00Z");
        assertThat(drop.removed()).isEmpty();
        assertThat(drop.endNanos() - System.nanoTime())
                .isGreaterThan(Duration.ofDays(365).toNanos());
    }

    /** How many events, where writing fails in these ways before it succeeds. */
    private static long givenUp(Kind... failures) {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(1));
        FeederRecorder recorder = new LatencyRecorder(clock, RATE).feeder();
        Deque<Kind> left = new ArrayDeque<>(List.of(failures));
        CountDownLatch succeeded = new CountDownLatch(1);
        EventSink sink = Fixtures.sink(
                batch -> {
                    if (!left.isEmpty()) {
                        throw new SearchException(left.remove(), "", "so the test wants it");
                    }
                    succeeded.countDown();
                },
                () -> {});
        FeederRun run = Fixtures.feeder(new Feeder(RATE, 10, 1), Shard.WHOLE, clock, recorder);
        run.start(List.of(sink));
        Fixtures.await(succeeded);
        run.close();
        FeederResult events = recorder.result(clock.endNanos(), StoredEvents.ALL);
        return events.sent() - events.acknowledged();
    }
}
