package siemload.run;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Property;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.dataset.ValuePools;
import siemload.measure.AbortWatch;
import siemload.measure.FeederRecorder;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.EndedSearches;
import siemload.measure.RunClock;
import siemload.measure.SecondLog;
import siemload.measure.monitor.ReplicationWatch;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.MicrosSummary;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.run.ExistingSearches.AnswerReview;
import siemload.run.ExistingSearches.DataChanges;
import siemload.run.LoadOutcome.DayDrop;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunPlan.ReplicationOffer;
import siemload.run.RunPlan.TrendOffer;
import siemload.run.RunSetup.OutsideTimes;
import siemload.run.RunSetup.Settling;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.SampledAnswer;
import siemload.run.procedure.CacheControl;
import siemload.scenario.CacheState;
import siemload.scenario.StatementDraw;

/**
 * All of a load run: before the load, it gets a server, loads the data set unless the server keeps it, and copies it; after it,
 * it looks for every fed event, writes the results and gives everything back. Thread-safe.
 */
final class CompleteRun implements LoadRun {
    private final RunSetup setup;
    private final ProvenPlans plans;
    private final LoadCaches caches;
    private final Settling settling;
    private final DataChanges changes;
    /** Where events are searched that were there before. */
    private final Optional<ExistingSearches> existing;

    private volatile Optional<RunMonitor> monitor = Optional.empty();
    private volatile Optional<ReplicationWatch> replication = Optional.empty();
    private volatile Optional<Runnable> interruption = Optional.empty();
    private volatile boolean interrupted;
    private volatile Optional<String> harm = Optional.empty();
    private volatile Optional<String> incompleteLogs = Optional.empty();

    private CompleteRun(RunSetup setup) {
        this.setup = setup;
        this.plans = new ProvenPlans(setup);
        this.caches = new LoadCaches(setup);
        this.settling = new Settling(setup);
        this.changes = DataChanges.from(setup.store());
        this.existing = ExistingSearches.of(setup, changes);
    }

    /**
     * Gets everything ready for the load.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws siemload.database.TargetException if the database cannot be had
     */
    static CompleteRun open(RunHost host, RunPlan plan, Resources resources) {
        return new CompleteRun(RunSetup.open(host, plan, resources));
    }

    @Override
    public RunHost host() {
        return setup.host();
    }

    @Override
    public RunPlan plan() {
        return setup.plan();
    }

    @Override
    public ValuePools pools() {
        return setup.values().pools();
    }

    @Override
    public StatementDraw statements() {
        return setup.values().statements();
    }

    @Override
    public Store store() {
        return setup.store();
    }

    @Override
    public List<ReadStore> readStores() {
        return setup.database().reading();
    }

    @Override
    public ServerAddress server() {
        return setup.database().server().address();
    }

    @Override
    public void onInterrupt(Runnable action) {
        interruption = Optional.of(action);
    }

    @Override
    public synchronized void abort(String why) {
        if (harm.isEmpty() && !interrupted) {
            harm = Optional.of(why);
            setup.host().stopping(why);
            new Thread(() -> setup.host().exit(ExitCode.MISSED), "siemload-abort").start();
        }
    }

    @Override
    public boolean isAborted() {
        return harm.isPresent();
    }

    @Override
    public void interrupt() {
        interrupted = true;
        interruption.ifPresent(Runnable::run);
    }

    @Override
    public void provePlans(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various) {
        existing.ifPresent(events -> events.requireAnswerable(various));
        setup.times().of("plans", () -> plans.prove(examples, various));
    }

    @Override
    public void prepareServer() {
        setup.times().of("preparation", () -> {
            settling.checkpoint();
            caches.prepare();
            settling.awaitQuiet();
        });
    }

    @Override
    public void openMonitor() {
        monitor = Optional.of(setup.openMonitor());
        replication =
                ReplicationOffer.open(setup.plan().settings(), setup.database().target());
        replication.ifPresent(watch -> setup.resources().add(watch).start());
    }

    @Override
    public long awaitStart(long nowNanos) {
        return nowNanos;
    }

    @Override
    public void loadIsMadeBy(Set<Long> processes) {
        monitor.orElseThrow().countAsGenerator(processes);
    }

    @Override
    public void watch(RunClock clock) {
        setup.start(monitor.orElseThrow(), clock);
    }

    @Override
    public AbortWatch harm() {
        return new AbortWatch(
                setup.plan().settings().find(Property.ABORT_IF).orElse(List.of()),
                () -> replication.map(watch -> watch.lag(System.nanoTime())).orElse(Duration.ZERO));
    }

    @Override
    public RunMonitor.Seen seen(long endNanos, MicrosSummary eventLoopLateness) {
        return monitor.orElseThrow().finish(endNanos, eventLoopLateness);
    }

    @Override
    public SecondLog openLog(RunClock clock, LatencyRecorder searches, FeederRecorder feeder, FeedLedger ledger) {
        Instant measuredFrom = Instant.now().plusNanos(clock.measureNanos() - System.nanoTime());
        try {
            return new IntervalLog(setup.writer(), measuredFrom, clock, searches, feeder);
        } catch (IOException unwritable) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS),
                    "logs cannot be written to " + setup.directory().path() + ": " + unwritable);
        }
    }

    @Override
    public void close(SecondLog log) {
        try {
            log.close();
        } catch (IOException incomplete) {
            incompleteLogs = Optional.of(String.valueOf(incomplete.getMessage()));
            setup.host().line("warning: " + incomplete.getMessage());
        }
    }

    @Override
    public void finish(LoadOutcome measured) {
        RunHost host = setup.host();
        try {
            if (setup.plan().scenario().feeder().isOn()) {
                host.status("looking for the fed events");
            }
            OutsideTimes times = setup.times();
            StoredEvents fed = times.of(
                    "fedEvents",
                    () -> measured.injected()
                            .flatMap(LoadOutcome.Injected::stored)
                            .orElseGet(() -> FedEvents.lookFor(
                                    measured.fed().acknowledgedIds(),
                                    measured.fed().unacknowledgedIds(),
                                    setup.store())));
            host.status("reading the plans again");
            boolean complete = measured.end().ending() == LoadOutcome.Ending.COMPLETE;
            List<RunResult.PlanRecord> seen =
                    times.of("plansAtEnd", () -> complete ? plans.readAgain() : plans.asRead());
            host.status("");
            List<String> warnings = new ArrayList<>(plans.warnings());
            List<SampledAnswer> hours = complete ? TrendOffer.hours(measured, setup.store(), warnings) : List.of();
            WrittenRows own = WrittenRows.of(setup.plan().scenario().writing(), measured.searches());
            OptionalLong written = own.amongAll(changes.rows());
            AnswerReview review = new AnswerReview(
                    host, setup.plan().source(), hours, setup.directory().path(), written, existing);
            CheckedAnswers answers = times.of("answers", () -> review.review(measured, () -> interrupted));
            harm.ifPresent(why -> warnings.add("stopped by itself, since the load did harm: " + why));
            caches.doubt().ifPresent(warnings::add);
            measured.drop()
                    .map(DayDrop::failure)
                    .filter(why -> !why.isEmpty())
                    .ifPresent(why -> warnings.add("the oldest day was not dropped: " + why));
            incompleteLogs.ifPresent(warnings::add);
            List<String> notes = new ArrayList<>(settling.notes());
            if (setup.plan().asksExisting()) {
                notes.addAll(setup.plan().source().warnings());
            }
            notes.addAll(caches.notes());
            notes.addAll(plans.notes());
            notes.addAll(own.notes(written));
            TrendOffer.note(hours, answers).ifPresent(notes::add);
            review.note(measured).ifPresent(notes::add);
            ResultFiles.End end =
                    new RunOutcome(setup, plans.statements(), warnings, notes).write(measured, fed, seen, answers);
            host.endWith(end.code(), end.why());
        } finally {
            setup.resources().close();
        }
    }

    @Override
    public void abandon() {
        setup.resources().close();
    }

    /**
     * The caches of a load run: brought into their state once, right before the load, and proven by what the whole load read.
     * Used by one thread at a time.
     */
    private static final class LoadCaches {
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

    /**
     * What statements wrote that say that they do, in the warm-up, too. Immutable.
     *
     * @param statements in the order of the scenario
     */
    private record WrittenRows(Map<SearchName, EndedSearches> statements) {

        static WrittenRows of(Set<SearchName> writing, LatencyRecorder searches) {
            Map<SearchName, EndedSearches> statements = new LinkedHashMap<>();
            writing.forEach(name -> statements.put(name, searches.ended(name)));
            return new WrittenRows(statements);
        }

        /**
         * How many rows anybody wrote, these among them.
         *
         * @param counted by the server, which may not have counted the latest yet; empty where it does not tell
         */
        OptionalLong amongAll(OptionalLong counted) {
            long own =
                    statements.values().stream().mapToLong(EndedSearches::rows).sum();
            return counted.isPresent() ? OptionalLong.of(Math.max(own, counted.getAsLong())) : counted;
        }

        /** What a reader must know of them; nothing where none of them writes. */
        List<String> notes(OptionalLong counted) {
            List<String> notes = new ArrayList<>();
            statements.forEach((name, ended) -> notes.add(String.format(
                    Locale.ROOT,
                    "%s wrote, and that stays: %,d executions were acknowledged, with %,d rows written or returned, the warm-up's"
                            + " included%s",
                    name.name(),
                    ended.answered(),
                    ended.rows(),
                    ended.failed() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "; %,d failed, of which those that lost their connection may have written",
                                    ended.failed()))));
            if (!statements.isEmpty() && counted.isPresent()) {
                notes.add(String.format(
                        Locale.ROOT,
                        "the server has counted %,d rows that anybody wrote into the database meanwhile",
                        counted.getAsLong()));
            }
            return notes;
        }
    }
}
