package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.scenario.rate.ConstantRate;

class StatusLineTest {
    private static final long SECOND = 1_000_000_000;

    private final RunClock clock = RunClock.startingAt(0, Duration.ofSeconds(10), Duration.ofMinutes(1));
    private final LatencyRecorder searches = new LatencyRecorder(clock);

    @Test
    void whereNothingIsFedThereIsNoWordOfAFeeder() {
        try (StatusLine line = new StatusLine(text -> {}, "searches", clock, searches, Optional.empty())) {
            assertThat(line.text(5 * SECOND))
                    .isEqualTo("warm-up 0:05/0:10 | 0 searches/s, p95 0.0 ms, 0 running, 0 failed");
        }
    }

    @Test
    void beforeTheStartNothingIsCounted() {
        try (StatusLine line = new StatusLine(text -> {}, "searches", clock, searches, Optional.empty())) {
            assertThat(line.text(-3 * SECOND / 2)).isEqualTo("beginning in 1.5 s");
            assertThat(line.text(SECOND)).startsWith("warm-up 0:01/0:10 | 0 searches/s");
        }
    }

    @Test
    void whatWasFedIsCountedSinceTheLastTime() {
        FeederRecorder feeder = new FeederRecorder(clock, new ConstantRate(100));
        try (StatusLine line = new StatusLine(text -> {}, "statements", clock, searches, Optional.of(feeder))) {
            feeder.acknowledged(300, 1, 0, 0, SECOND);
            assertThat(line.text(2 * SECOND)).endsWith("0 failed | feeder 150 events/s");

            feeder.acknowledged(50, 1, 11 * SECOND, 11 * SECOND, 12 * SECOND);
            assertThat(line.text(12 * SECOND))
                    .isEqualTo("measuring 0:02/1:00 | 0 statements/s, p95 0.0 ms, 0 running, 0 failed"
                            + " | feeder 5 events/s");
        }
    }

    @Test
    void whatIsBeingDoneAtTheCloseIsWaitedForAndNotInterruptedAndWhatWasDueMeanwhileIsNotDone()
            throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        StatusLine line = new StatusLine(text -> {}, "searches", clock, searches, Optional.empty());
        line.at(System.nanoTime() + SECOND / 10, done::incrementAndGet);
        line.at(System.nanoTime(), () -> {
            begun.countDown();
            done.addAndGet(isInterrupted(never) ? 100 : 10);
        });
        begun.await();

        line.close();

        assertThat(done).hasValue(10);
    }

    private static boolean isInterrupted(CountDownLatch never) {
        try {
            return never.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            return true;
        }
    }
}
