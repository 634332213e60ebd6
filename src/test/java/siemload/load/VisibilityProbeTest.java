package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchException;
import siemload.database.SearchSession.RowReader;
import siemload.database.UnaskedSession;
import siemload.load.Probes.VisibilityProbe;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.query.Search;

/** A server that shows an event some searches after it acknowledged it. */
@Timeout(20)
final class VisibilityProbeTest {
    /** One batch of one event a second, so that every one of them is looked for. */
    private final long start = System.nanoTime();

    private final VisibilityRecorder recorder =
            new VisibilityRecorder(RunClock.startingAt(start, Duration.ZERO, Duration.ofMinutes(10)));

    @Test
    void anEventThatIsNeverFoundCountsAsUnseen() throws Exception {
        SlowToShow server = new SlowToShow(Integer.MAX_VALUE, 0);
        VisibilityProbe probe = new VisibilityProbe(server, 1, 1, Long::toString, 1, recorder);
        Thread thread = new Thread(probe);
        thread.start();
        handOver(probe, server, start);

        probe.stop();
        thread.interrupt();
        thread.join();

        assertThat(recorder.result().seen()).isZero();
        assertThat(recorder.result().unseen()).isEqualTo(1);
    }

    /** The probe takes a batch only when it waits for one, so this offers the batch until it is being looked for. */
    private static long handOver(VisibilityProbe probe, SlowToShow server, long acknowledged) {
        while (server.searching.getCount() > 0) {
            probe.acknowledged(7, acknowledged);
            Thread.onSpinWait();
        }
        return acknowledged;
    }

    private static final class SlowToShow extends UnaskedSession {
        private final CountDownLatch searching = new CountDownLatch(1);
        private final CountDownLatch shown = new CountDownLatch(1);
        private final int vain;
        private final int failures;
        private int searches;

        SlowToShow(int vain, int failures) {
            this.vain = vain;
            this.failures = failures;
        }

        @Override
        public long search(Search search, RowReader rows) {
            searching.countDown();
            searches++;
            if (searches <= failures) {
                throw new SearchException(SearchException.Kind.OTHER, "", "not now");
            }
            if (searches <= failures + vain) {
                return 0;
            }
            shown.countDown();
            return 1;
        }
    }
}
