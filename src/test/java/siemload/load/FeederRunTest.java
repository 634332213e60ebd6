package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.EventSink;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.measure.FeederRecorder;
import siemload.measure.RunClock;
import siemload.results.FeederResult;
import siemload.results.StoredEvents;
import siemload.run.Shard;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Feeder;
import siemload.scenario.rate.ConstantRate;

@Timeout(20)
class FeederRunTest {
    private final CountDownLatch stalled = new CountDownLatch(1);

    @Test
    void batchesThatAStalledServerKeptFromBeingSentCountAsLate() throws Exception {
        Duration measured = Duration.ofMillis(200);
        long start = System.nanoTime();
        RunClock clock = RunClock.startingAt(start, Duration.ZERO, measured);
        FeederRecorder recorder = new FeederRecorder(clock, new ConstantRate(1_000));
        FeederRun run = new FeederRun(
                new Feeder(new ConstantRate(1_000), 10, 1),
                Shard.WHOLE,
                new Scans(),
                clock,
                new DataClock(start, Fixtures.NOON),
                recorder,
                ledger(),
                (batch, nanos) -> {});

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
        assertThat(result.events().sent()).isLessThan(200);
        assertThat(result.times().latenessMicros().max()).isGreaterThan(100_000);
        assertThat(result.delayedByAnswersRatio()).as("its own are wake-ups").isGreaterThan(0.5);
    }

    private static FeedLedger ledger() {
        return new FeedLedger(10);
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
}
