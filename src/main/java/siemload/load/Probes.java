package siemload.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.database.SearchSession;
import siemload.dataset.FeedEvents;
import siemload.measure.PagingRecorder;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.results.PagingTruth;
import siemload.run.LoadRun;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Feeder;

/**
 * Two more users, beside the analysts: one looks for events as soon as they are fed, one turns the pages of the newest
 * ones. Each has a connection and a thread of its own; what they search is not among the results of the searches. Without
 * a feeder there is nothing for them to do. Thread-safe.
 */
final class Probes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int NEWEST_BATCHES = 1_000;

    private final LoadRun run;
    private final FeedLedger ledger;
    private final List<SearchSession> sessions = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile Optional<Running> running = Optional.empty();

    /**
     * Opens their connections.
     *
     * @throws siemload.database.TargetException if the server refuses one
     */
    Probes(LoadRun run, FeedLedger ledger) {
        this.run = run;
        this.ledger = ledger;
        if (run.plan().settings().value(Property.PROBES)
                && run.plan().scenario().feeder().isOn()) {
            sessions.addAll(SearchWorkers.openSessions(run.store(), 2));
        }
    }

    private record Running(
            VisibilityProbe visibility, VisibilityRecorder visible, PagingProbe paging, PagingRecorder walks) {}

    /** Starts the threads. */
    void start(RunClock clock) {
        if (sessions.isEmpty()) {
            return;
        }
        Feeder feeder = run.plan().scenario().feeder();
        VisibilityRecorder visible = new VisibilityRecorder(clock);
        VisibilityProbe visibility = new VisibilityProbe(
                sessions.get(0),
                feeder.batch(),
                feeder.rate().mean(0, clock.secondsSinceStart(clock.endNanos())),
                run.plan().source().feed()::id,
                run.plan().seed(),
                visible);
        PagingRecorder walks = new PagingRecorder();
        PagingProbe paging = new PagingProbe(
                sessions.get(1),
                PagingProbe.ways(
                        run.plan().choice().plugin().abilities().pagings(),
                        run.plan().scenario().retention()),
                this::storedAt,
                clock,
                walks);
        running = Optional.of(new Running(visibility, visible, paging, walks));
        start("siemload-probe-visibility", visibility);
        start("siemload-probe-paging", paging);
    }

    /**
     * Which events were certainly stored at an instant. Of those that others feed meanwhile this process knows nothing: where
     * there are others, it judges by its own newest ones alone.
     */
    private Predicate<String> storedAt(long nanos) {
        FeedEvents events = run.plan().source().feed();
        if (run.plan().shard().isWhole()) {
            Set<String> unsettled = ledger.idsUnsettledAt(nanos, events);
            return id -> !unsettled.contains(id);
        }
        return ledger.idsSettledAt(nanos, events, NEWEST_BATCHES)::contains;
    }

    private void start(String name, Runnable probe) {
        Thread thread = DaemonThread.of(name, probe);
        threads.add(thread);
        thread.start();
    }

    /** Notes that a batch is stored; never waits. */
    void acknowledged(long batch, long nanos) {
        running.ifPresent(now -> now.visibility().acknowledged(batch, nanos));
    }

    /** @param clock of the load */
    VisibilityRecorder visibility(RunClock clock) {
        return running.map(Running::visible).orElseGet(() -> new VisibilityRecorder(clock));
    }

    List<PagingTruth> pagination() {
        return running.map(now -> now.walks().result()).orElse(List.of());
    }

    /** Ends what they are doing and closes the connections. */
    @Override
    public void close() {
        running.ifPresent(now -> {
            now.visibility().stop();
            now.paging().stop();
        });
        sessions.forEach(SearchSession::cancel);
        threads.forEach(Thread::interrupt);
        DaemonThread.awaitEnd(threads, PATIENCE);
        sessions.forEach(SearchSession::close);
    }
}
