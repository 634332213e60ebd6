package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.Store.EventSink;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Feeder;
import siemload.scenario.rate.Rate;

@Timeout(20)
class FeederRunTest {
    private static final Rate RATE = Rate.constant(1_000);

    private final CountDownLatch stalled = new CountDownLatch(1);

    @Test
    void batchesThatAStalledServerKeptFromBeingSentCountAsLate() throws Exception {
        Duration measured = Duration.ofMillis(200);
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, measured);
        FeederRecorder recorder = new LatencyRecorder(clock, RATE).feeder();
        FeederRun run = run(clock, recorder);

        run.start(List.of(new StallingSink()));
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
        assertThat(result.sent()).isLessThan(200);
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

    /** How many events, where writing fails in these ways before it succeeds. */
    private static long givenUp(Kind... failures) {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(1));
        FeederRecorder recorder = new LatencyRecorder(clock, RATE).feeder();
        FailingSink sink = new FailingSink(new ArrayDeque<>(List.of(failures)), new CountDownLatch(1));
        FeederRun run = run(clock, recorder);
        run.start(List.of(sink));
        sink.awaitSuccess();
        run.close();
        FeederResult events = recorder.result(clock.endNanos(), StoredEvents.ALL);
        return events.sent() - events.acknowledged();
    }

    private static FeederRun run(RunClock clock, FeederRecorder recorder) {
        return new FeederRun(
                new Feeder(RATE, 10, 1),
                Shard.WHOLE,
                new Scans(),
                clock,
                new DataClock(clock.startNanos(), Fixtures.NOON),
                recorder,
                new FeedLedger(10),
                (number, nanos) -> {});
    }

    private record Scans() implements FeedEvents {
        @Override
        public SecurityEvent event(long number, Instant detectTime) {
            return Fixtures.SCAN;
        }

        @Override
        public String id(long number) {
            return String.valueOf(number);
        }
    }

    /** Acknowledges nothing until the test lets it. */
    private final class StallingSink implements EventSink {
        @Override
        public long write(List<SecurityEvent> batch) {
            try {
                stalled.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 0;
        }

        @Override
        public void close() {}
    }

    private record FailingSink(Deque<Kind> failures, CountDownLatch succeeded) implements EventSink {
        @Override
        public long write(List<SecurityEvent> batch) {
            if (!failures.isEmpty()) {
                throw new SearchException(failures.remove(), "", "so the test wants it");
            }
            succeeded.countDown();
            return 0;
        }

        void awaitSuccess() {
            try {
                succeeded.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {}
    }
}
