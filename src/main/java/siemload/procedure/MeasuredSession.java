package siemload.procedure;

import java.util.Optional;
import siemload.scenario.CacheState;
import siemload.target.CounterReading;
import siemload.target.CounterReading.Category;
import siemload.target.CounterReading.Io;
import siemload.target.Counters;
import siemload.target.SearchSession;

/** A connection that searches, and what the server counts meanwhile. Used by one thread. */
final class MeasuredSession implements AutoCloseable {
    private final Workbench bench;
    private Optional<SearchSession> session = Optional.empty();
    private Optional<Counters> counters = Optional.empty();
    private CounterReading before = CounterReading.NONE;

    MeasuredSession(Workbench bench) {
        this.bench = bench;
        bench.interruption().onAsk(this::cancel);
    }

    /** The connection; opened where there is none. */
    synchronized SearchSession get() {
        SearchSession open = session.orElseGet(() -> bench.store().openSession());
        session = Optional.of(open);
        return open;
    }

    /**
     * Brings the caches into a state. Where they are emptied the connection is another one then, since the server may have
     * been started anew.
     */
    void prepare(CacheState state) {
        switch (state) {
            case AS_FOUND, HOT -> bench.caches().prepare(state);
            case COLD, LUKEWARM -> {
                close();
                bench.caches().prepare(state);
            }
        }
        get();
    }

    /** Starts to count blocks. */
    void startCounting() {
        if (counters.isEmpty()) {
            counters = bench.store().openCounters();
        }
        if (counters.isPresent() && get().handInCounts()) {
            before = counters.orElseThrow().read();
        }
    }

    /** Adds the blocks since then to a step, where the server counts them. */
    void countBlocks(Step step) {
        if (counters.isPresent() && get().handInCounts()) {
            CounterReading seen = counters.orElseThrow().read().since(before);
            Io data = seen.io().getOrDefault(Category.DATA, Io.NONE);
            Io index = seen.io().getOrDefault(Category.INDEX, Io.NONE);
            step.figure("blocksRead", data.reads() + index.reads());
            step.figure("blocksHit", data.hits() + index.hits());
        }
    }

    private synchronized void cancel() {
        session.ifPresent(SearchSession::cancel);
    }

    @Override
    public synchronized void close() {
        session.ifPresent(SearchSession::close);
        counters.ifPresent(Counters::close);
        session = Optional.empty();
        counters = Optional.empty();
    }
}
