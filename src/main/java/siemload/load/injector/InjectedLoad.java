package siemload.load.injector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.VisibilityRecorder;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.InjectorResult;
import siemload.results.RunResult.GeneratorCpu;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.RunProcesses;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Feeder;
import siemload.scenario.Phases;

/**
 * The load of a run, made by several injectors: each gets its part, all begin at one instant of the server's clock, and what they
 * measure becomes one result. Where one fails, all end. Made and used once, by one thread, but for an interrupt.
 */
public final class InjectedLoad {
    private static final Duration PREPARATION = Duration.ofMinutes(10);
    /** Of batches in one frame. */
    private static final int ENTRIES_AT_ONCE = 10_000;
    /** More than it takes to tell all of them, to hear that they agree, and to have everything ready that users need. */
    private static final Duration LEAD = Duration.ofSeconds(2);
    /** It takes less to tell all of them that nothing comes of it. */
    private static final Duration CALLING_OFF = Duration.ofMillis(300);

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
        if (!group.hearUntil(Frame.Ready.class, PREPARATION, "get ready")) {
            return Optional.empty();
        }
        run.host().status("");
        ClockOffset here = run.bench().clock();
        OptionalLong agreed = agree(group, here);
        return agreed.isPresent()
                ? Optional.of(new RunningLoad(run, group, here, here.nanos(agreed.getAsLong()), () -> interrupted))
                : Optional.empty();
    }

    /**
     * How all injectors of a run come to begin at one instant: those that are ready are told one that lies ahead, and say that they are in
     * time for it, while there is still time to call it off.
     *
     * @param here how this process's clock goes with the server's
     * @return when, by the server's clock; nothing where the process is being stopped
     * @throws Injectors.Failure if one of them fails, or does not say so in time; the others have to be stopped at once, then
     */
    static OptionalLong agree(Injectors group, ClockOffset here) throws Injectors.Failure, InterruptedException {
        long uncertainty = group.told(Frame.Ready.class).values().stream()
                .mapToLong(said -> said.clock().uncertaintyNanos())
                .max()
                .orElse(0);
        long lead = LEAD.toNanos() + 2 * uncertainty;
        long start = here.serverNanos(System.nanoTime()) + lead;
        group.sayToAll(new Frame.Start(start));
        Duration patience = Duration.ofNanos(lead).minus(CALLING_OFF);
        return group.hearUntil(Frame.Agreed.class, patience, "agree to the start")
                ? OptionalLong.of(start)
                : OptionalLong.empty();
    }

    /** The load from its start to its results, as the injectors tell it. Used by one thread. */
    static final class RunningLoad {
        private static final Duration OVERTIME = Duration.ofMinutes(2);
        private static final Duration STOPPING = Duration.ofSeconds(4);
        private static final Duration CHECKING = Duration.ofMinutes(30);

        private final LoadRun run;
        private final Injectors group;
        private final ClockOffset here;
        private final RunClock clock;
        private final LatencyRecorder searches;
        private final FeedLedger ledger;
        private final BooleanSupplier interrupted;
        private final MergedSeconds seconds;
        private final List<String> faults = new ArrayList<>();

        /**
         * A load that is about to begin.
         *
         * @param here how this process's clock goes with the server's
         * @param startNanos when, on the monotonic clock of this process
         * @param interrupted whether the process is asked to stop; asked again and again
         */
        RunningLoad(LoadRun run, Injectors group, ClockOffset here, long startNanos, BooleanSupplier interrupted) {
            this.run = run;
            this.group = group;
            this.here = here;
            Phases phases = run.plan().scenario().phases();
            Feeder fed = run.plan().scenario().feeder();
            this.clock = RunClock.startingAt(startNanos, phases.warmup(), phases.measurement());
            this.searches = new LatencyRecorder(clock, fed.rate());
            searches.expectReplicas(run.plan().readUrls());
            this.ledger = new FeedLedger(fed.batch());
            this.interrupted = interrupted;
            LongConsumer ended = run.watch(new LoadRun.Load(clock, searches, ledger, group.processes(), interrupted));
            this.seconds = new MergedSeconds(group.size(), searches, second -> ended.accept(nanosOf(second)));
            group.onFrame(this::hear);
        }

        /** Hears of the load until it is over, and finishes the run. */
        void toEnd() throws InterruptedException {
            try (StatusLine status =
                    new StatusLine(run.host()::status, run.plan().asked(), clock, searches)) {
                status.start();
                hearOfLoad();
            }
            for (int i = 0; i < group.size(); i++) {
                seconds.end(i);
            }
            RunMonitor.Seen seen = run.seen(endNanos());
            CheckedAnswers answers = checked();
            // Whoever is left must not be at work in the store when the run looks there, and drops it.
            group.close();
            run.finish(outcome(seen, answers));
        }

        private void hearOfLoad() throws InterruptedException {
            Duration longest = Duration.ofNanos(clock.endNanos() - System.nanoTime())
                    .plus(run.plan().searchTimeout())
                    .plus(OVERTIME);
            try {
                if (group.hearUntil(Frame.Ended.class, longest, "end")) {
                    return;
                }
            } catch (Injectors.Failure failed) {
                faults.add(String.valueOf(failed.getMessage()));
                run.host().stopping(String.valueOf(failed.getMessage()));
            }
            group.stop(Frame.Ended.class, STOPPING);
        }

        private void hear(int injector, Frame frame) throws Injectors.Failure {
            if (frame instanceof Frame.Second said) {
                said.entries().forEach(entry -> ledger.add(entry.shifted(-here.offsetNanos())));
                seconds.take(injector, said);
            } else if (frame instanceof Frame.Ended said) {
                seconds.end(injector);
                if (said.ending() != LoadOutcome.Ending.COMPLETE) {
                    throw group.failure(injector, "was stopped by somebody", ExitCode.INCONCLUSIVE);
                }
            }
        }

        private long nanosOf(double second) {
            return clock.measureNanos() + Math.round(second * 1e9);
        }

        /** What those that have ended handed over. */
        private List<Frame.Ended> outcomes() {
            return List.copyOf(group.told(Frame.Ended.class).values());
        }

        /** The load is over when the last of them has ended; where one has not, it may have been so until now. */
        private long endNanos() {
            List<Frame.Ended> outcomes = outcomes();
            return outcomes.size() == group.size()
                    ? nanosOf(outcomes.stream()
                            .mapToDouble(Frame.Ended::endSecond)
                            .max()
                            .orElse(0))
                    : Math.min(System.nanoTime(), clock.endNanos());
        }

        private LoadOutcome.Ending ending() {
            if (!faults.isEmpty()) {
                return LoadOutcome.Ending.LOST;
            }
            return interrupted.getAsBoolean() ? LoadOutcome.Ending.INTERRUPTED : LoadOutcome.Ending.COMPLETE;
        }

        /** Whoever asked checks the answers, and has to know for that what the others fed; nobody does so of a load that was cut short. */
        private CheckedAnswers checked() throws InterruptedException {
            if (ending() == LoadOutcome.Ending.COMPLETE) {
                run.host().status("checking answers");
                List<Frame.Ended> outcomes = outcomes();
                // All are told the same, so that its size is not multiplied by theirs.
                List<FeedLedger.Entry> entries = ledger.takeEntries().stream()
                        .map(entry -> entry.shifted(here.offsetNanos())
                                .widened(outcomes.get((int) (entry.batch() % group.size()))
                                        .clock()
                                        .uncertaintyNanos()))
                        .toList();
                for (int from = 0; from < entries.size(); from += ENTRIES_AT_ONCE) {
                    int until = Math.min(from + ENTRIES_AT_ONCE, entries.size());
                    group.sayToAll(new Frame.Fed(entries.subList(from, until)));
                }
                group.sayToAll(new Frame.Check());
                try {
                    group.hearUntil(Frame.Checked.class, CHECKING, "check their answers");
                } catch (Injectors.Failure failed) {
                    faults.add(String.valueOf(failed.getMessage()));
                }
                run.host().status("");
            }
            List<CheckedAnswers> told = group.told(Frame.Checked.class).values().stream()
                    .map(Frame.Checked::answers)
                    .toList();
            return new CheckedAnswers(
                    run.plan().settings().value(Property.CHECKS),
                    told.stream().mapToLong(CheckedAnswers::checked).sum(),
                    told.stream().mapToLong(CheckedAnswers::leftOut).sum(),
                    told.stream()
                            .flatMap(one -> one.wrong().stream())
                            .map(answer -> answer.shifted(clock.startNanos()))
                            .toList());
        }

        /** Everything that becomes results. Percentiles are of all times together, never of percentiles. */
        private LoadOutcome outcome(RunMonitor.Seen seen, CheckedAnswers answers) {
            AnswerSampler nobody = new AnswerSampler(
                    run.plan().settings().value(Property.CHECKS),
                    run.plan().source().until());
            List<Frame.Ended> outcomes = outcomes();
            VisibilityRecorder visibility = new VisibilityRecorder(clock);
            outcomes.forEach(one -> visibility.add(one.visibility()));
            List<InjectorResult> injectors =
                    outcomes.stream().map(Frame.Ended::result).toList();
            // Where each has a store of its own.
            Optional<StoredEvents> stored =
                    outcomes.stream().flatMap(one -> one.stored().stream()).reduce(StoredEvents::plus);
            return new LoadOutcome(
                    new LoadOutcome.End(clock, endNanos(), ending()),
                    searches,
                    cpu(outcomes),
                    withFaults(seen),
                    nobody,
                    new LoadOutcome.Probed(visibility, List.of()),
                    LoadOutcome.Fed.of(ledger, run.plan().source().feed(), taker -> {}),
                    Optional.empty(),
                    Optional.of(new LoadOutcome.Injected(group.size(), injectors, answers, stored)));
        }

        /** The CPUs of each machine count once, however many injectors are there. */
        private static GeneratorCpu cpu(List<Frame.Ended> outcomes) {
            Map<String, Integer> cpus = outcomes.stream()
                    .map(Frame.Ended::result)
                    .collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max));
            return new GeneratorCpu(
                    outcomes.stream().mapToLong(Frame.Ended::cpuNanos).sum(),
                    Math.max(
                            1,
                            cpus.values().stream().mapToInt(Integer::intValue).sum()));
        }

        private RunMonitor.Seen withFaults(RunMonitor.Seen seen) {
            List<String> all = new ArrayList<>(faults);
            all.addAll(seen.faults());
            return new RunMonitor.Seen(seen.database(), seen.statements(), seen.hosts(), all, seen.notes());
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
            void take(int injector, Frame.Second second) {
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
                long told = Arrays.stream(last).min().orElse(Long.MAX_VALUE);
                for (long second : List.copyOf(pending.headMap(told).keySet())) {
                    Pending whole = Objects.requireNonNull(pending.remove(second), "it is a key");
                    merged.add(whole.measured.takeRecorded());
                    boolean isLast = told == Long.MAX_VALUE && pending.isEmpty();
                    ended.accept(isLast ? whole.latest : second);
                }
            }
        }
    }
}
