package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchSession;
import siemload.load.Probes.VisibilityProbe;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;

/** A server that never shows an event that it acknowledged. */
@Timeout(20)
final class VisibilityProbeTest {
    private final CountDownLatch searching = new CountDownLatch(1);

    /** One batch of one event a second, so that every one of them is looked for; it takes a batch only when it waits for one. */
    @Test
    void anEventThatIsNeverFoundCountsAsUnseen() throws Exception {
        long start = System.nanoTime();
        VisibilityRecorder recorder =
                new VisibilityRecorder(RunClock.startingAt(start, Duration.ZERO, Duration.ofMinutes(10)));
        SearchSession blind = Fixtures.session(searching::countDown);
        VisibilityProbe probe = new VisibilityProbe(blind, 1, 1, Long::toString, 1, recorder);
        Thread thread = new Thread(probe);
        thread.start();
        while (searching.getCount() > 0) {
            probe.acknowledged(7, start);
            Thread.onSpinWait();
        }

        probe.stop();
        thread.interrupt();
        thread.join();

        assertThat(recorder.result().seen()).isZero();
        assertThat(recorder.result().unseen()).isEqualTo(1);
    }
}
