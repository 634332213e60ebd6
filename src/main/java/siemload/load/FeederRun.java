package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.measure.FeederRecorder;
import siemload.measure.RunClock;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.FeedLedger.Batches;
import siemload.scenario.Scenario.Feeder;

/**
 * The feeder at work: batch after batch on a strict timetable, from the start of the warm-up to the end of the measured phase. With several
 * connections the {@code k}th batch of this process goes over connection {@code k mod connections}. A failed batch is sent again: after a
 * lost connection until the run ends, otherwise until it has failed three times. Thread-safe.
 */
final class FeederRun implements AutoCloseable {
    private static final int MOST_REFUSALS = 3;
    private static final int NOTES = 100_000;
    private static final long RETRY_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private final Feeder feeder;
    private final Shard shard;
    private final RunClock clock;
    private final Timetable timetable;
    private final Content contents;
    private final FeederRecorder recorder;
    private final FeedLedger ledger;
    private final BiConsumer<Long, Long> listener;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean open = true;

    /**
     * A feeder before its start.
     *
     * @param shard which batches this process feeds
     * @param dataClock the time in the data, which becomes the detect time of events due then
     * @param listener is told every batch that the server acknowledged, and when, on the feeder's thread; must not block
     */
    FeederRun(
            Feeder feeder,
            Shard shard,
            FeedEvents events,
            RunClock clock,
            LongFunction<Instant> dataClock,
            FeederRecorder recorder,
            FeedLedger ledger,
            BiConsumer<Long, Long> listener) {
        this.feeder = feeder;
        this.shard = shard;
        this.clock = clock;
        this.timetable = Timetable.ofBatches(clock.startNanos(), feeder.batch(), feeder.rate());
        this.contents = new Content(feeder.batch(), events, dataClock, timetable);
        this.recorder = recorder;
        this.ledger = ledger;
        this.listener = listener;
    }

    /** Starts to feed over these sinks, one per connection, and closes them at the end. */
    void start(List<EventSink> sinks) {
        for (int i = 0; i < sinks.size(); i++) {
            int connection = i;
            threads.add(DaemonThread.start("siemload-feeder-" + i, () -> feed(connection, sinks.get(connection))));
        }
    }

    static List<EventSink> openSinks(Feeder feeder, Shard shard, Store store) {
        return SearchWorkers.openAll(feeder.isOn() ? connections(feeder, shard) : 0, store::openSink, EventSink::close);
    }

    /** A process that feeds has at least one connection, so that several processes together have no fewer than the feeder. */
    static int connections(Feeder feeder, Shard shard) {
        return Math.max(1, shard.of(feeder.connections()));
    }

    /** Stops after the batches in progress and waits for them, for 30 s at most. */
    @Override
    public void close() {
        open = false;
        threads.forEach(LockSupport::unpark);
        DaemonThread.awaitEnd(threads, Duration.ofSeconds(30));
    }

    private void feed(int connection, EventSink sink) {
        long stride = (long) connections(feeder, shard) * shard.count();
        long batch = shard.number(connection);
        try (sink) {
            for (; open && !clock.isOver(timetable.dueNanos(batch)); batch += stride) {
                long due = timetable.dueNanos(batch);
                long ready = Math.max(due, System.nanoTime());
                // Made before it is due: reading 50 recorded events takes a millisecond.
                List<SecurityEvent> content = contents.of(batch);
                DueSteps.parkUntil(due, () -> open);
                if (!open) {
                    break;
                }
                long sent = send(batch, content, due, sink);
                long nextDue = timetable.dueNanos(batch + stride);
                recorder.delayed(due, sent - ready, System.nanoTime() - Math.max(sent, nextDue));
            }
        } finally {
            noteNeverSent(batch, stride);
        }
    }

    /** Without the batches that were never sent a feeder far behind would seem to be in time. */
    private void noteNeverSent(long firstBatch, long between) {
        long now = System.nanoTime();
        long until = clock.isOver(now) ? clock.endNanos() : now;
        long left = Math.max(0, timetable.dueBefore(until) - firstBatch);
        long stride = between * (1 + left / NOTES);
        for (long batch = firstBatch; timetable.dueNanos(batch) - until < 0; batch += stride) {
            recorder.neverSent(stride / between, feeder.batch(), timetable.dueNanos(batch), now);
        }
    }

    /** @return when it was sent first */
    private long send(long batch, List<SecurityEvent> content, long due, EventSink sink) {
        long sent = System.nanoTime();
        recorder.sent(content.size(), due, sent);
        ledger.sent(batch, sent);
        int refusals = 0;
        while (true) {
            try {
                long bytes = sink.write(content);
                long acknowledged = System.nanoTime();
                recorder.acknowledged(content.size(), bytes, due, sent, acknowledged);
                ledger.acknowledged(batch, acknowledged);
                listener.accept(batch, acknowledged);
                return sent;
            } catch (SearchException failure) {
                refusals += failure.kind() == SearchException.Kind.CONNECTION ? 0 : 1;
                if (refusals == MOST_REFUSALS || !open || clock.isOver(System.nanoTime())) {
                    recorder.givenUp(content.size(), failure);
                    return sent;
                }
                recorder.retried();
                LockSupport.parkNanos(RETRY_PAUSE_NANOS);
            }
        }
    }

    /** All batches sent; the result keeps nothing else of the load in memory. */
    Batches batches() {
        FeedLedger sent = ledger;
        Content made = contents;
        return taker -> sent.batches(made::of, taker);
    }

    /** The events of each batch, always the same ones. */
    private record Content(int batchSize, FeedEvents events, LongFunction<Instant> clock, Timetable timetable) {
        List<SecurityEvent> of(long batch) {
            List<SecurityEvent> content = new ArrayList<>(batchSize);
            for (long number = batch * batchSize; number < (batch + 1) * batchSize; number++) {
                Instant due = clock.apply(timetable.dueNanosOf(number));
                content.add(events.event(number, due.truncatedTo(ChronoUnit.MILLIS)));
            }
            return content;
        }
    }
}
