package siemload.load.injector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.database.ServerAddress;
import siemload.load.StatusLine;
import siemload.measure.ClockOffset;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.InjectorResult;
import siemload.results.MicrosSummary;
import siemload.results.PagingTruth;
import siemload.results.RunResult.GeneratorCpu;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadOutcome.InjectorOutcome;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.LoadRun;
import siemload.run.LoadRun.Shard;
import siemload.run.RunProcesses;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.TrendHours;
import siemload.scenario.Phases;

/**
 * The load of a run, made by several injectors: each gets its part, all begin at one instant of the server's clock, and what they
 * measure becomes one result. Where one fails, all end. Made and used once, by one thread, but for an interrupt.
 */
public final class InjectedLoad {
    private final LoadRun run;
    private final String version;
    private final Injectors group;
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private volatile boolean interrupted;

    private InjectedLoad(LoadRun run, RunProcesses processes, String version) {
        this.run = run;
        this.version = version;
        this.group = Injectors.of(run.plan(), processes, () -> interrupted);
    }

    /**
     * Makes the load, and finishes the run.
     *
     * @param processes starts the injectors
     * @param version of siemload, which injectors must have, too
     */
    public static void conduct(LoadRun run, RunProcesses processes, String version) {
        new InjectedLoad(run, processes, version).conduct();
    }

    private void conduct() {
        try (group) {
            run.bench().onInterrupt(this::interrupt);
            load();
        } finally {
            handedOver.countDown();
        }
    }

    /** Ends the load; returns when the results are written, or there are none. */
    private void interrupt() {
        interrupted = true;
        try {
            handedOver.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void load() {
        try {
            Optional<RunningLoad> begun = begin();
            if (begun.isPresent()) {
                begun.orElseThrow().toEnd();
            } else {
                callOff();
            }
        } catch (Injectors.Failure beforeTheStart) {
            run.host().status("");
            // Before the others have ended, which takes those some seconds in which Java starts just now.
            run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
            callOff();
            run.host().endWith(beforeTheStart.code(), "");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            callOff();
        }
    }

    /** Those that are ready must not begin, nor be at work in the store when the run drops it. */
    private void callOff() {
        group.sayToAll(new Frame.Stop());
        run.host().status("");
        group.close();
        run.bench().close();
    }

    /** @return nothing where the process is being stopped */
    private Optional<RunningLoad> begin() throws Injectors.Failure, InterruptedException {
        run.host().status("starting " + group.size() + " injectors");
        String store = run.bench().store().nameToJoin();
        ServerAddress server = run.bench().address();
        group.start(shard -> Frame.Part.of(version, run.plan(), shard, server, store));
        JointStart start = new JointStart(group);
        if (!start.awaitReady()) {
            return Optional.empty();
        }
        run.host().status("");
        ClockOffset here = run.bench().clock();
        OptionalLong agreed = start.agree(here);
        return agreed.isPresent()
                ? Optional.of(new RunningLoad(
                        run, group, start.ready(), here, here.nanos(agreed.getAsLong()), () -> interrupted))
                : Optional.empty();
    }

    /**
     * How all injectors of a run come to begin at one instant: they get ready, are told an instant that lies ahead, and say that they
     * are in time for it, while there is still time to call it off. Used by one thread.
     */
    static final class JointStart {
        static final Duration PREPARATION = Duration.ofMinutes(10);
        /** More than it takes to tell all of them, to hear that they agree, and to have everything ready that users need. */
        private static final Duration LEAD = Duration.ofSeconds(2);
        /** It takes less to tell all of them that nothing comes of it. */
        private static final Duration CALLING_OFF = Duration.ofMillis(300);

        private final Injectors group;
        private final Map<Integer, Frame.Ready> ready = new HashMap<>();
        private final Set<Integer> agreed = new HashSet<>();

        JointStart(Injectors group) {
            this.group = group;
        }

        /** What each has said of itself, by its number; of those that are ready. */
        Map<Integer, Frame.Ready> ready() {
            return Map.copyOf(ready);
        }

        /**
         * Waits until all are ready.
         *
         * @return whether they are; not where the process is being stopped
         * @throws Injectors.Failure if one of them fails before
         */
        boolean awaitReady() throws Injectors.Failure, InterruptedException {
            return group.hearUntil(ready::containsKey, PREPARATION, "get ready", (injector, frame) -> {
                if (frame instanceof Frame.Ready said) {
                    ready.put(injector, said);
                } else {
                    throw group.failure(injector, "said " + frame + " before it was ready", ExitCode.BUG);
                }
            });
        }

        /**
         * Tells all of them when to begin, and hears from each that it will.
         *
         * @param here how this process's clock goes with the server's
         * @return when, by the server's clock; nothing where the process is being stopped
         * @throws Injectors.Failure if one of them fails, or does not say so in time; the others have to be stopped at once, then
         */
        OptionalLong agree(ClockOffset here) throws Injectors.Failure, InterruptedException {
            long uncertainty = ready.values().stream()
                    .mapToLong(said -> said.clock().uncertaintyNanos())
                    .max()
                    .orElse(0);
            long lead = LEAD.toNanos() + 2 * uncertainty;
            long start = here.serverNanos(System.nanoTime()) + lead;
            group.sayToAll(new Frame.Start(start));
            Duration patience = Duration.ofNanos(lead).minus(CALLING_OFF);
            boolean all = group.hearUntil(agreed::contains, patience, "agree to the start", (injector, frame) -> {
                if (frame instanceof Frame.Agreed) {
                    agreed.add(injector);
                } else {
                    throw group.failure(injector, "said " + frame + " before the start", ExitCode.BUG);
                }
            });
            return all ? OptionalLong.of(start) : OptionalLong.empty();
        }
    }

    /** The load from its start to its results, as the injectors tell it. Used by one thread. */
    static final class RunningLoad {
        private static final Duration OVERTIME = Duration.ofMinutes(2);
        private static final Duration STOPPING = Duration.ofSeconds(4);
        private static final Duration CHECKING = Duration.ofMinutes(30);
        private static final int ENTRIES_AT_ONCE = 10_000;

        private final LoadRun run;
        private final Injectors group;
        private final Map<Integer, Frame.Ready> ready;
        private final ClockOffset here;
        private final RunClock clock;
        private final LatencyRecorder searches;
        private final FeederRecorder feeder;
        private final FeedLedger ledger;
        private final BooleanSupplier interrupted;
        private final MergedSeconds seconds;
        private final LongConsumer ended;
        private final Map<Integer, InjectorOutcome> outcomes = new HashMap<>();
        private final List<String> faults = new ArrayList<>();

        /**
         * A load that is about to begin.
         *
         * @param ready what the injectors have said of themselves
         * @param here how this process's clock goes with the server's
         * @param startNanos when, on the monotonic clock of this process
         * @param interrupted whether the process is asked to stop; asked again and again
         */
        RunningLoad(
                LoadRun run,
                Injectors group,
                Map<Integer, Frame.Ready> ready,
                ClockOffset here,
                long startNanos,
                BooleanSupplier interrupted) {
            this.run = run;
            this.group = group;
            this.ready = ready;
            this.here = here;
            Phases phases = run.plan().scenario().phases();
            this.clock = RunClock.startingAt(startNanos, phases.warmup(), phases.measurement());
            this.searches = new LatencyRecorder(clock);
            searches.replicas().expect(run.plan().readUrls());
            this.feeder = searches.feeder(run.plan().scenario().feeder().rate());
            this.ledger = new FeedLedger(run.plan().scenario().feeder().batch());
            this.interrupted = interrupted;
            this.seconds = new MergedSeconds(group.size(), searches, this::secondEnded);
            this.ended = run.watch(new LoadRun.Load(clock, searches, feeder, ledger, group.processes(), interrupted));
        }

        /** Hears of the load until it is over, and finishes the run. */
        void toEnd() throws InterruptedException {
            try (StatusLine status =
                    new StatusLine(run.host()::status, run.plan().asked(), clock, searches, fed())) {
                status.start();
                hearOfLoad();
            }
            for (int i = 0; i < group.size(); i++) {
                seconds.end(i);
            }
            RunMonitor.Seen seen = run.seen(endNanos(), MicrosSummary.NONE);
            CheckedAnswers answers = checked(ending() == LoadOutcome.Ending.COMPLETE);
            // Whoever is left must not be at work in the store when the run looks there, and drops it.
            group.close();
            run.finish(outcome(ending(), seen, answers));
        }

        private void hearOfLoad() throws InterruptedException {
            Duration longest = Duration.ofNanos(clock.endNanos() - System.nanoTime())
                    .plus(run.plan().searchTimeout())
                    .plus(OVERTIME);
            try {
                if (!group.hearUntil(outcomes::containsKey, longest, "end", this::hear)) {
                    group.stop(outcomes::containsKey, STOPPING, this::hear);
                }
            } catch (Injectors.Failure failed) {
                faults.add(String.valueOf(failed.getMessage()));
                run.host().stopping(String.valueOf(failed.getMessage()));
                group.stop(outcomes::containsKey, STOPPING, this::hear);
            }
        }

        private Optional<FeederRecorder> fed() {
            return run.plan().scenario().feeder().isOn() ? Optional.of(feeder) : Optional.empty();
        }

        private boolean allEnded() {
            return outcomes.size() == group.size();
        }

        private void hear(int injector, Frame frame) throws Injectors.Failure {
            if (frame instanceof Frame.Second said) {
                note(injector, said.second());
                seconds.take(injector, said.second());
            } else if (frame instanceof Frame.Ended said) {
                outcomes.put(injector, said.outcome());
                seconds.end(injector);
                requireWhole(injector, said.outcome());
            } else {
                throw group.failure(injector, "said " + frame + " during the load", ExitCode.BUG);
            }
        }

        private void requireWhole(int injector, InjectorOutcome outcome) throws Injectors.Failure {
            if (outcome.ending() != LoadOutcome.Ending.COMPLETE) {
                throw group.failure(injector, "was stopped by somebody", ExitCode.INCONCLUSIVE);
            }
        }

        /** Each batch belongs to one of them: nothing may be fed twice. */
        private void note(int injector, InjectorSecond second) throws Injectors.Failure {
            ClockOffset its = Optional.ofNullable(ready.get(injector))
                    .map(Frame.Ready::clock)
                    .orElse(here);
            Shard shard = new Shard(injector, group.size());
            for (FeedLedger.Entry entry : second.entries()) {
                boolean sentBefore = ledger.isSent(entry.batch());
                if (!shard.has(entry.batch()) || sentBefore == (entry.change() == FeedLedger.Change.SENT)) {
                    throw group.failure(
                            injector, "fed batch " + entry.batch() + ", which is not its own", ExitCode.BUG);
                }
                ledger.add(entry.shifted(its.offsetNanos() - here.offsetNanos()));
            }
        }

        private void secondEnded(double second) {
            ended.accept(clock.measureNanos() + Math.round(second * 1e9));
        }

        /** The load is over when the last of them has ended; where one has not, it may have been so until now. */
        private long endNanos() {
            double last = outcomes.values().stream()
                    .mapToDouble(InjectorOutcome::endSecond)
                    .max()
                    .orElse(0);
            return allEnded()
                    ? clock.measureNanos() + Math.round(last * 1e9)
                    : Math.min(System.nanoTime(), clock.endNanos());
        }

        private LoadOutcome.Ending ending() {
            if (!faults.isEmpty()) {
                return LoadOutcome.Ending.LOST;
            }
            return interrupted.getAsBoolean() ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
        }

        /** Whoever asked checks the answers, and has to know for that what the others fed; nobody does so of a load that was cut short. */
        private CheckedAnswers checked(boolean isComplete) throws InterruptedException {
            List<CheckedAnswers> told = new ArrayList<>();
            if (isComplete) {
                run.host().status("checking answers");
                tellLedger();
                Set<Integer> done = new HashSet<>();
                try {
                    group.hearUntil(done::contains, CHECKING, "check their answers", (injector, frame) -> {
                        if (frame instanceof Frame.Checked said) {
                            told.add(said.answers());
                            done.add(injector);
                            group.done(injector);
                        }
                    });
                } catch (Injectors.Failure failed) {
                    faults.add(String.valueOf(failed.getMessage()));
                }
                run.host().status("");
            }
            return new CheckedAnswers(
                    run.plan().settings().value(Property.CHECKS),
                    told.stream().mapToLong(CheckedAnswers::checked).sum(),
                    told.stream().mapToLong(CheckedAnswers::leftOut).sum(),
                    told.stream()
                            .flatMap(one -> one.wrong().stream())
                            .map(answer -> answer.shifted(clock.startNanos()))
                            .toList());
        }

        /** All are told the same, so that its size is not multiplied by theirs. */
        private void tellLedger() {
            List<FeedLedger.Entry> entries =
                    ledger.takeEntries().stream().map(this::byServer).toList();
            for (int from = 0; from < entries.size(); from += ENTRIES_AT_ONCE) {
                int until = Math.min(from + ENTRIES_AT_ONCE, entries.size());
                group.sayToAll(new Frame.Fed(entries.subList(from, until)));
            }
            group.sayToAll(new Frame.Check());
        }

        private FeedLedger.Entry byServer(FeedLedger.Entry entry) {
            int injector = (int) Math.floorMod(entry.batch(), (long) group.size());
            long uncertainty = Optional.ofNullable(outcomes.get(injector))
                    .map(outcome -> outcome.clock().uncertaintyNanos())
                    .orElse(0L);
            long widened = entry.change() == FeedLedger.Change.SENT ? -uncertainty : uncertainty;
            return entry.shifted(here.offsetNanos() + widened);
        }

        /** Everything that becomes results. Percentiles are of all times together, never of percentiles. */
        private LoadOutcome outcome(LoadOutcome.Ending ending, RunMonitor.Seen seen, CheckedAnswers answers) {
            AnswerSampler nobody = new AnswerSampler(
                    run.plan().settings().value(Property.CHECKS),
                    run.plan().source().until());
            return new LoadOutcome(
                    new LoadOutcome.End(clock, endNanos(), ending),
                    searches,
                    feeder,
                    cpu(),
                    withFaults(seen),
                    new LoadOutcome.Kept(nobody, new TrendHours()),
                    new LoadOutcome.Probed(visibility(), pagination()),
                    LoadOutcome.Fed.of(ledger, run.plan().source().feed(), taker -> {}),
                    Optional.empty(),
                    Optional.of(new LoadOutcome.Injected(run.plan().injectors(), injectors(), answers, stored())));
        }

        /** The CPUs of each machine count once, however many injectors are there. */
        private GeneratorCpu cpu() {
            int cpus = outcomes.values().stream()
                    .map(InjectorOutcome::result)
                    .collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max))
                    .values()
                    .stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            return GeneratorCpu.of(
                    outcomes.values().stream()
                            .mapToLong(InjectorOutcome::cpuNanos)
                            .sum(),
                    Math.max(1, cpus));
        }

        /** Pauses of this process delay nothing that is measured; those of each injector are told with it. */
        private RunMonitor.Seen withFaults(RunMonitor.Seen seen) {
            List<String> all = new ArrayList<>(faults);
            all.addAll(seen.faults());
            return new RunMonitor.Seen(
                    seen.database(),
                    seen.statements(),
                    seen.host().withoutGenerator(),
                    seen.hosts(),
                    all,
                    seen.notes());
        }

        private VisibilityRecorder visibility() {
            VisibilityRecorder all = new VisibilityRecorder(clock);
            outcomes.values().forEach(one -> all.add(one.visibility()));
            return all;
        }

        private List<PagingTruth> pagination() {
            return PagingTruth.summed(outcomes.values().stream()
                    .flatMap(one -> one.pagination().stream())
                    .toList());
        }

        private List<InjectorResult> injectors() {
            List<InjectorResult> all =
                    outcomes.values().stream().map(InjectorOutcome::result).toList();
            long asked = all.stream().mapToLong(InjectorResult::searches).sum();
            return all.stream()
                    .map(one -> one.ofAll(asked))
                    .sorted(Comparator.comparingInt(InjectorResult::injector))
                    .toList();
        }

        /** Where each has a store of its own. */
        private Optional<StoredEvents> stored() {
            List<StoredEvents> all = outcomes.values().stream()
                    .flatMap(one -> one.stored().stream())
                    .toList();
            return all.isEmpty()
                    ? Optional.empty()
                    : Optional.of(all.stream().reduce(StoredEvents.ALL, StoredEvents::plus));
        }

        /**
         * Adds up what injectors measured in the same second, in the order of the seconds: a second is complete when each injector has
         * told a later one, or has ended. Histograms are added, so that the recorders hold what one process would have recorded. What comes
         * is added at once to its second, so that seconds that wait take the room of one injector each, however many there are. Used by
         * one thread.
         */
        static final class MergedSeconds {
            private final LatencyRecorder merged;
            private final DoubleConsumer ended;
            private final long[] last;
            private final SortedMap<Long, Pending> pending = new TreeMap<>();

            /**
             * Merges seconds into a recorder that nobody else records with.
             *
             * @param ended hears of each second when the recorder holds it and none behind it
             */
            MergedSeconds(int injectors, LatencyRecorder merged, DoubleConsumer ended) {
                this.merged = merged;
                this.ended = ended;
                this.last = new long[injectors];
                Arrays.fill(last, Long.MIN_VALUE);
            }

            /** A second of which some injectors have told. */
            private static final class Pending {
                private final LatencyRecorder measured = new LatencyRecorder(RunClock.openEnded(0));
                /** The last one of a run may be longer or shorter than a second. */
                private double latest = Double.NEGATIVE_INFINITY;
            }

            /** Takes a second of an injector, with its histograms. */
            void take(int injector, InjectorSecond second) {
                // Timers are late by some milliseconds.
                long whole = Math.round(second.second());
                Pending of = pending.computeIfAbsent(whole, unused -> new Pending());
                of.measured.add(second.measured());
                of.latest = Math.max(of.latest, second.second());
                last[injector] = whole;
                mergeComplete();
            }

            /** Nothing more comes from an injector. */
            void end(int injector) {
                last[injector] = Long.MAX_VALUE;
                mergeComplete();
            }

            private void mergeComplete() {
                if (pending.isEmpty()) {
                    return;
                }
                long told = Arrays.stream(last).min().orElse(Long.MAX_VALUE);
                while (!pending.isEmpty() && pending.firstKey() < told) {
                    long second = pending.firstKey();
                    Pending whole = Objects.requireNonNull(pending.remove(second), "it is the first key");
                    merged.add(whole.measured.takeRecorded());
                    boolean isLast = told == Long.MAX_VALUE && pending.isEmpty();
                    ended.accept(isLast ? whole.latest : second);
                }
            }
        }
    }
}
