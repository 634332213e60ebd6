package siemload.load.injector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.load.StatusLine;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.InjectorResult;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadOutcome.Ending;
import siemload.run.LoadRun;
import siemload.run.LoadRun.Shard;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;

/**
 * The load of a run, made by several injectors: each gets its part, all begin at one instant of the server's clock, and what they
 * measure becomes one result. Where one fails, all end. Made and used once, by one thread, but for an interrupt.
 */
public final class InjectedLoad {
    private static final Duration PREPARATION = Duration.ofMinutes(10);
    /** More than it takes to tell all of them, to hear that they agree, and to have everything ready that users need. */
    private static final Duration LEAD = Duration.ofSeconds(2);
    /** It takes less to tell all of them that nothing comes of it. */
    private static final Duration CALLING_OFF = Duration.ofMillis(300);
    /** Settings that mean nothing elsewhere, or belong to the coordinator alone. */
    private static final List<Property<?>> KEPT_BACK =
            List.of(Property.RESULTS, Property.LIVE, Property.RELOAD, Property.VIA);

    private final LoadRun run;
    private final RunPlan plan;
    private final Injectors group;
    private final CountDownLatch handedOver = new CountDownLatch(1);
    private volatile boolean interrupted;

    private InjectedLoad(LoadRun run, RunProcesses processes) {
        this.run = run;
        this.plan = run.plan();
        Optional<String> via = plan.settings().find(Property.VIA);
        this.group = new Injectors(
                index -> processes.startInjector(via.map(command -> command.replace("{n}", String.valueOf(index)))),
                via.isPresent() ? "by -Dvia with {n} = %d" : "on this machine",
                plan.injectors(),
                () -> interrupted);
    }

    /**
     * Makes the load, and finishes the run.
     *
     * @param processes starts the injectors
     * @param version of siemload, which injectors must have, too
     */
    public static void conduct(LoadRun run, RunProcesses processes, String version) {
        InjectedLoad load = new InjectedLoad(run, processes);
        try (load.group) {
            run.bench().onInterrupt(load::interrupt);
            load.conduct(version);
        } finally {
            load.handedOver.countDown();
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

    private void conduct(String version) {
        try {
            run.host().status("starting " + group.size() + " injectors");
            ServerAddress server = run.bench().address();
            String store = run.bench().store().nameToJoin();
            Map<String, String> given = given(plan.settings());
            group.start(shard -> new Frame.Part(version, given, new Shard(shard, group.size()), server, store));
            if (group.hearUntil(Frame.Ready.class, PREPARATION, "get ready")) {
                run.host().status("");
                ClockOffset here = run.bench().clock();
                Optional<Long> start = agree(group, here);
                if (start.isPresent()) {
                    new RunningLoad(run, group, here, here.nanos(start.get()), () -> interrupted).toEnd();
                    return;
                }
            }
        } catch (Injectors.Failure beforeTheStart) {
            run.host().status("");
            // Before the others have ended, which takes those some seconds in which Java starts just now.
            run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
            run.host().endWith(beforeTheStart.code(), "");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        // Those that are ready must not begin, nor be at work in the store when the run drops it.
        group.sayToAll(new Frame.Stop());
        run.host().status("");
        group.close();
        run.bench().close();
    }

    /** The settings that injectors get. Urls name their servers in full: what one leaves open stands in the environment here. */
    private static Map<String, String> given(Settings settings) {
        List<Setting> sent = Setting.without(KEPT_BACK, settings.list());
        if (settings.find(Property.VIA).isPresent()) {
            sent = Setting.without(List.of(Property.CACHE), sent);
        }
        Map<String, String> given =
                sent.stream().filter(Setting::wasGiven).collect(Collectors.toMap(Setting::name, Setting::value));
        given.computeIfPresent(Property.URL.name(), (name, url) -> settings.value(Property.URL));
        given.computeIfPresent(
                Property.READ_URLS.name(), (name, urls) -> String.join(" ", settings.value(Property.READ_URLS)));
        return given;
    }

    /**
     * How all injectors of a run come to begin at one instant: those that are ready are told one that lies ahead, and say that they are in
     * time for it, while there is still time to call it off.
     *
     * @param here how this process's clock goes with the server's
     * @return when, by the server's clock; nothing where the process is being stopped
     * @throws Injectors.Failure if one of them fails, or does not say so in time; the others have to be stopped at once, then
     */
    static Optional<Long> agree(Injectors group, ClockOffset here) throws Injectors.Failure, InterruptedException {
        long uncertainty = group.told(Frame.Ready.class).stream()
                .mapToLong(said -> said.clock().uncertaintyNanos())
                .max()
                .orElse(0);
        long lead = LEAD.toNanos() + 2 * uncertainty;
        long start = here.serverNanos(System.nanoTime()) + lead;
        group.sayToAll(new Frame.Start(start));
        Duration patience = Duration.ofNanos(lead).minus(CALLING_OFF);
        return group.hearUntil(Frame.Agreed.class, patience, "agree to the start")
                ? Optional.of(start)
                : Optional.empty();
    }

    /** The load from its start to its results, as the injectors tell it. Used by one thread. */
    static final class RunningLoad {
        private static final Duration OVERTIME = Duration.ofMinutes(2);
        private static final Duration STOPPING = Duration.ofSeconds(4);
        private static final Duration CHECKING = Duration.ofMinutes(30);
        /** Of batches in one frame. */
        private static final int ENTRIES_AT_ONCE = 10_000;

        private final LoadRun run;
        private final Injectors group;
        private final ClockOffset here;
        private final LoadRun.Load load;
        private final RunClock clock;
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
            LatencyRecorder searches = new LatencyRecorder(clock, fed.rate());
            searches.expectReplicas(run.plan().readUrls());
            this.load = new LoadRun.Load(clock, searches, new FeedLedger(fed.batch()), group.processes(), interrupted);
            LongConsumer ended = run.watch(load);
            this.seconds = new MergedSeconds(group.size(), searches, second -> ended.accept(nanosOf(second)));
            group.onFrame(this::hear);
        }

        /** Hears of the load until it is over, and finishes the run. */
        void toEnd() throws InterruptedException {
            try (StatusLine status =
                    new StatusLine(run.host()::status, run.plan().asked(), clock, load.searches())) {
                status.start();
                hearOfLoad();
            }
            for (int i = 0; i < group.size(); i++) {
                seconds.end(i);
            }
            List<Frame.Ended> ended = group.told(Frame.Ended.class);
            // The load is over when the last of them has ended; where one has not, it may have been so until now.
            long endNanos = ended.size() == group.size()
                    ? nanosOf(ended.stream()
                            .mapToDouble(Frame.Ended::endSecond)
                            .max()
                            .orElse(0))
                    : Math.min(System.nanoTime(), clock.endNanos());
            RunMonitor.Seen seen = run.seen(endNanos);
            CheckedAnswers answers = checked(ended);
            // Whoever is left must not be at work in the store when the run looks there, and drops it.
            group.close();
            run.finish(outcome(endNanos, ended, seen, answers));
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
                said.entries().forEach(entry -> load.ledger().add(entry.shifted(-here.offsetNanos())));
                seconds.take(injector, said);
            } else if (frame instanceof Frame.Ended said) {
                seconds.end(injector);
                if (said.ending() != Ending.COMPLETE) {
                    throw group.failure(injector, "was stopped by somebody", ExitCode.INCONCLUSIVE);
                }
            }
        }

        private long nanosOf(double second) {
            return clock.measureNanos() + Math.round(second * 1e9);
        }

        private Ending ending() {
            Ending unlessLost = load.interrupted().getAsBoolean() ? Ending.INTERRUPTED : Ending.COMPLETE;
            return faults.isEmpty() ? unlessLost : Ending.LOST;
        }

        /** Whoever asked checks the answers, and has to know for that what the others fed; nobody does so of a load that was cut short. */
        private CheckedAnswers checked(List<Frame.Ended> ended) throws InterruptedException {
            if (ending() == Ending.COMPLETE) {
                run.host().status("checking answers");
                // All are told the same, so that its size is not multiplied by theirs.
                List<FeedLedger.Entry> entries = load.ledger().takeEntries().stream()
                        .map(entry -> entry.shifted(here.offsetNanos())
                                .widened(ended.get((int) (entry.batch() % group.size()))
                                        .clock()
                                        .uncertaintyNanos()))
                        .toList();
                int from = 0;
                do {
                    int until = Math.min(from + ENTRIES_AT_ONCE, entries.size());
                    group.sayToAll(new Frame.Check(entries.subList(from, until), until == entries.size()));
                    from = until;
                } while (from < entries.size());
                try {
                    group.hearUntil(Frame.Checked.class, CHECKING, "check their answers");
                } catch (Injectors.Failure failed) {
                    faults.add(String.valueOf(failed.getMessage()));
                }
                run.host().status("");
            }
            List<CheckedAnswers> told = group.told(Frame.Checked.class).stream()
                    .map(Frame.Checked::answers)
                    .toList();
            return new CheckedAnswers(
                    run.plan().settings().value(Property.CHECKS),
                    told.stream().mapToLong(CheckedAnswers::checked).sum(),
                    told.stream().mapToLong(CheckedAnswers::leftOut).sum(),
                    told.stream()
                            .flatMap(one -> one.shifted(clock.startNanos()).wrong().stream())
                            .toList());
        }

        /** Everything that becomes results. Percentiles are of all times together, never of percentiles. */
        private LoadOutcome outcome(
                long endNanos, List<Frame.Ended> ended, RunMonitor.Seen seen, CheckedAnswers answers) {
            AnswerSampler nobody =
                    new AnswerSampler(answers.askedRatio(), run.plan().source().until());
            List<InjectorResult> injectors =
                    ended.stream().map(Frame.Ended::result).toList();
            // The CPUs of each machine count once, however many injectors are there.
            Map<String, Integer> cpus =
                    injectors.stream().collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max));
            // Where each has a store of its own.
            Optional<StoredEvents> stored =
                    ended.stream().flatMap(one -> one.stored().stream()).reduce(StoredEvents::plus);
            List<String> all = new ArrayList<>(faults);
            all.addAll(seen.faults());
            return new LoadOutcome(
                    new LoadOutcome.End(clock, endNanos, ending()),
                    load.searches(),
                    new GeneratorCpu(
                            ended.stream().mapToLong(Frame.Ended::cpuNanos).sum(),
                            Math.max(
                                    1,
                                    cpus.values().stream()
                                            .mapToInt(Integer::intValue)
                                            .sum())),
                    new RunMonitor.Seen(seen.database(), seen.statements(), seen.hosts(), all, seen.notes()),
                    nobody,
                    List.of(),
                    new LoadOutcome.Fed(load.ledger(), run.plan().source().feed(), taker -> {}),
                    Optional.empty(),
                    Optional.of(new LoadOutcome.Injected(group.size(), injectors, answers, stored)));
        }
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
        private final SortedMap<Long, LatencyRecorder> pending = new TreeMap<>();
        /** The last second of a run may be longer or shorter than one. */
        private double latest = Double.NEGATIVE_INFINITY;

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

        /** Takes a second of an injector, with its histograms. */
        void take(int injector, Frame.Second second) {
            // Timers are late by some milliseconds.
            last[injector] = Math.round(second.second());
            pending.computeIfAbsent(last[injector], unused -> new LatencyRecorder(RunClock.openEnded(0)))
                    .add(second.measured());
            latest = Math.max(latest, second.second());
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
                merged.add(Objects.requireNonNull(pending.remove(second), "it is a key")
                        .takeRecorded());
                ended.accept(told == Long.MAX_VALUE && pending.isEmpty() ? latest : second);
            }
        }
    }
}
