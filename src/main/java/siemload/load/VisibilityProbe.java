package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.dataset.SeededRandom;
import siemload.measure.VisibilityRecorder;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * Looks for about one fed event a second, from its acknowledgement until a search by its id returns it. Batches and
 * events are chosen by the seed; one whose turn comes while another is being looked for is left out, so that nothing
 * waits for the probe itself.
 */
final class VisibilityProbe implements Runnable {
    private static final double PROBES_A_SECOND = 1;
    private static final long AGAIN_NANOS = Duration.ofMillis(1).toNanos();
    private static final long AFTER_FAILURE_NANOS = Duration.ofMillis(200).toNanos();

    private final SearchSession session;
    private final LongFunction<String> ids;
    private final int batchSize;
    private final double ratio;
    private final long seed;
    private final VisibilityRecorder recorder;
    private final SynchronousQueue<Fed> handedOver = new SynchronousQueue<>();
    private volatile boolean open = true;

    /**
     * A probe of what this feeder feeds.
     *
     * @param session its own; closed by its owner
     * @param batchSize events a batch
     * @param eventsPerSecond that are fed on average, above 0
     * @param ids the id of a fed event by its number
     */
    VisibilityProbe(
            SearchSession session,
            int batchSize,
            double eventsPerSecond,
            LongFunction<String> ids,
            long seed,
            VisibilityRecorder recorder) {
        this.session = session;
        this.ids = ids;
        this.batchSize = batchSize;
        this.ratio = PROBES_A_SECOND * batchSize / eventsPerSecond;
        this.seed = seed;
        this.recorder = recorder;
    }

    private record Fed(String id, long acknowledgedNanos) {}

    /** Notes that a batch is stored, and may hand one of its events to the probe; never waits. */
    void acknowledged(long batch, long nanos) {
        SeededRandom random = SeededRandom.of(seed, batch);
        if (random.nextDouble() < ratio) {
            String id = ids.apply(batch * batchSize + random.nextInt(batchSize));
            boolean unused = handedOver.offer(new Fed(id, nanos));
        }
    }

    @Override
    public void run() {
        try {
            while (open) {
                lookFor(handedOver.take());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookFor(Fed fed) {
        Search search = new Search(
                SearchName.DETAIL,
                Window.ALWAYS,
                List.of(new Criterion.IdIs(fed.id())),
                Order.NEWEST_FIRST,
                new Page.Numbered(1, 1));
        while (open) {
            try {
                if (session.search(search, row -> {}) > 0) {
                    recorder.seen(fed.acknowledgedNanos(), System.nanoTime());
                    return;
                }
                LockSupport.parkNanos(AGAIN_NANOS);
            } catch (SearchException failed) {
                LockSupport.parkNanos(AFTER_FAILURE_NANOS);
            }
        }
        recorder.neverSeen(fed.acknowledgedNanos());
    }

    void stop() {
        open = false;
    }
}
