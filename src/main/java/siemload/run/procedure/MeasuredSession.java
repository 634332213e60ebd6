package siemload.run.procedure;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.measure.monitor.SessionIo;
import siemload.query.Search;
import siemload.scenario.CacheState;

/** A connection that searches, and what the server counts meanwhile. Used by one thread. */
final class MeasuredSession implements AutoCloseable {
    private final ProcedureContext context;
    private final Store store;
    private final SessionIo io;
    private Optional<SearchSession> session = Optional.empty();
    private CacheControl.Watch watch = blocksRead -> {};

    MeasuredSession(ProcedureContext context, Store store) {
        this.context = context;
        this.store = store;
        this.io = new SessionIo(store::openCounters);
        context.interruption().onAsk(this::cancel);
    }

    /** The connection; opened where there is none. */
    synchronized SearchSession get() {
        SearchSession open = session.orElseGet(store::openSession);
        session = Optional.of(open);
        return open;
    }

    /**
     * Brings the caches into a state. Where they are emptied the connection is another one then, since the server may have
     * been started anew.
     */
    void prepare(CacheState state) {
        if (state == CacheState.COLD || state == CacheState.LUKEWARM) {
            close();
        }
        context.caches().prepare(state);
        get();
    }

    /** The same before a pass; what is hot was read once before the first one, which is not measured. */
    void prepare(CacheState state, int pass, Runnable unmeasured) {
        prepare(state);
        if (state == CacheState.HOT && pass == 1) {
            unmeasured.run();
        }
    }

    /**
     * Reads something, and adds its times and the blocks that it took to a step.
     *
     * @throws siemload.database.SearchException if it failed
     * @throws siemload.database.TargetException if the blocks show that the caches were not in their state
     */
    TimedSearch measure(Step step, Supplier<TimedSearch> reading) {
        startCounting();
        TimedSearch timed = reading.get();
        countBlocks(step);
        step.timed(timed);
        return timed;
    }

    /** Reads a search to its last row. */
    TimedSearch read(Search search) {
        return context.operations().counted(() -> TimedSearch.read(search, get()));
    }

    /** The number of rows of a search. */
    long count(Search search) {
        return context.operations().counted(() -> get().count(search));
    }

    /** Starts to count blocks. */
    void startCounting() {
        io.start(get());
        watch = context.caches().watch();
    }

    /**
     * Adds what the server read and wrote since then to a step, where it counts that.
     *
     * @throws siemload.database.TargetException if they show that the caches were not in their state
     */
    void countBlocks(Step step) {
        Optional<CounterReading> counted = io.sinceStart(get());
        counted.ifPresent(step::counted);
        watch.check(counted.map(all -> OptionalLong.of(all.tablesAndIndexes().reads()))
                .orElse(OptionalLong.empty()));
    }

    private synchronized void cancel() {
        session.ifPresent(SearchSession::cancel);
    }

    @Override
    public synchronized void close() {
        session.ifPresent(SearchSession::close);
        io.close();
        session = Optional.empty();
    }
}
