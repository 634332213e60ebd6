package siemload.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import siemload.config.Durations;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.measure.monitor.RunMonitor;
import siemload.run.procedure.CacheControl;
import siemload.scenario.CacheState;

/**
 * The caches of a load run: brought into their state once, right before the load, and proven by what the whole load read.
 * Used by one thread at a time.
 */
final class LoadCaches {
    private final RunSetup setup;
    private final CacheKeeper keeper;
    private final List<String> notes = new ArrayList<>();
    private Optional<CacheControl.Watch> watch = Optional.empty();
    private Optional<CounterReading> before = Optional.empty();

    LoadCaches(RunSetup setup) {
        this.setup = setup;
        this.keeper = setup.caches(() -> RunMonitor.Pause.NONE);
    }

    /** @throws TargetException if the state cannot be had */
    void prepare() {
        CacheState state = setup.plan().caches();
        Duration warmup = setup.plan().scenario().phases().warmup();
        switch (state) {
            case AS_FOUND -> {}
            case HOT -> {
                if (warmup.isZero()) {
                    notes.add("caches=hot, but there was no warm-up that could have filled them");
                }
            }
            case COLD, LUKEWARM -> {
                if (!warmup.isZero()) {
                    notes.add("the caches were emptied before the warm-up of " + Durations.format(warmup)
                            + ", which filled them again before anything was measured (-Dwarmup=0s leaves it out)");
                }
                keeper.prepare(state);
                before = reading();
                watch = Optional.of(keeper.watch());
            }
        }
    }

    /** What shows after the load that the caches were not in their state; empty if nothing does. */
    Optional<String> doubt() {
        if (watch.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<CounterReading> now = before.isPresent() ? reading() : Optional.empty();
            OptionalLong blocks = now.isPresent()
                    ? OptionalLong.of(now.orElseThrow()
                            .since(before.orElseThrow())
                            .tablesAndIndexes()
                            .reads())
                    : OptionalLong.empty();
            watch.orElseThrow().check(blocks);
            return Optional.empty();
        } catch (TargetException disproven) {
            return Optional.of(String.valueOf(disproven.getMessage()));
        }
    }

    /** What else must be known. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        all.addAll(keeper.notes());
        return all;
    }

    private Optional<CounterReading> reading() {
        Optional<Counters> opened = setup.store().openCounters();
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (Counters counters = opened.orElseThrow()) {
            return Optional.of(counters.readSettled());
        } catch (SearchException unread) {
            return Optional.empty();
        }
    }
}
