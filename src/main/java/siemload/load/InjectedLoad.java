package siemload.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Target.Transport;
import siemload.database.TargetException;
import siemload.load.Injectors.Frame;
import siemload.load.Injectors.Link;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.Tally.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.InjectorResult;
import siemload.run.AnswerReview;
import siemload.run.Bench;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadOutcome.Ending;
import siemload.run.LoadRun;
import siemload.run.RunGuard;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;

/**
 * The load of a run with several injectors: each gets its part, all begin at one instant of the server's clock, and their measurements
 * become one result. If one injector fails, all end. Used by one thread.
 */
public final class InjectedLoad {
    private static final Duration PREPARATION = Duration.ofMinutes(10);
    /** The time before the start, which suffices to reach all injectors, to get their answers, and to prepare all users. */
    private static final Duration LEAD = Duration.ofSeconds(2);
    /** More time than is needed to tell all injectors that the start is cancelled. */
    private static final Duration CALLING_OFF = Duration.ofMillis(300);

    private static final Duration OVERTIME = Duration.ofMinutes(2);
    private static final Duration CHECKING = Duration.ofMinutes(30);
    /** The number of batches in one frame. */
    private static final int ENTRIES_AT_ONCE = 10_000;

    private final LoadRun run;
    private final Injectors group;
    private final LoadRun.Load load;
    private final MergedSeconds seconds;
    private final List<String> faults = new ArrayList<>();

    /** Runs the load with injectors in processes, which must have this version of siemload, and finishes the run. */
    public static void conduct(LoadRun run, RunProcesses processes, String version) {
        Optional<String> via = run.plan().settings().find(Property.VIA);
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch handedOver = new CountDownLatch(1);
        String place = via.isPresent() ? "by -Dvia with {n} = %d" : "on this machine";
        try (Injectors group = new Injectors(place, run.plan().injectors(), interrupted::get)) {
            run.bench().onInterrupt(() -> {
                interrupted.set(true);
                try {
                    // The process may end once the results are written, or if there will be no results.
                    handedOver.await();
                } catch (InterruptedException hurried) {
                    Thread.currentThread().interrupt();
                }
            });
            try {
                run.host().status("starting " + group.count + " injectors");
                ServerAddress server = run.bench().address();
                String store = run.bench().store().nameToJoin();
                Map<String, String> given = given(run.plan().settings());
                group.start(
                        i -> processes.startInjector(via.map(command -> command.replace("{n}", String.valueOf(i)))),
                        i -> new Frame.Part(version, given, new LoadRun.Shard(i, group.count), server, store));
                group.hearUntil(Frame.Ready.class, PREPARATION, "get ready");
                run.host().status("");
                ClockOffset here = run.bench().clock();
                new InjectedLoad(run, group, here.nanos(agree(group, here))).toEnd();
                return;
            } catch (Injectors.Failure beforeTheStart) {
                run.host().status("");
                // This is reported before the other injectors end: Java that is just starting takes seconds to end.
                run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
                run.host().endWith(beforeTheStart.code, "");
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            // Injectors that are ready must not begin, and must not use the store while the run drops it.
            run.host().status("");
            group.close();
            run.bench().close();
        } finally {
            handedOver.countDown();
        }
    }

    /** Returns the settings for injectors, without those that mean nothing on other machines or that only the coordinator uses. */
    private static Map<String, String> given(Settings settings) {
        List<Property<?>> keptBack =
                new ArrayList<>(List.of(Property.RESULTS, Property.LIVE, Property.RELOAD, Property.VIA));
        settings.find(Property.VIA).ifPresent(elsewhere -> keptBack.add(Property.CACHE));
        Map<String, String> given = Setting.without(keptBack, settings.list()).stream()
                .filter(Setting::wasGiven)
                .collect(Collectors.toMap(Setting::name, Setting::value));
        // Urls are passed in full, since their defaults come from the environment of this process.
        given.computeIfPresent(Property.URL.name(), (name, url) -> settings.value(Property.URL));
        given.computeIfPresent(
                Property.READ_URLS.name(), (name, urls) -> String.join(" ", settings.value(Property.READ_URLS)));
        return given;
    }

    /**
     * Lets all injectors begin at the same instant. Injectors that are ready receive a future instant, and confirm that they are in time
     * for it while the start can still be cancelled.
     *
     * @param here the offset of the server's clock from this process's clock
     * @return the instant, by the server's clock
     * @throws Injectors.Failure if one of them fails, or does not confirm in time; the others must be stopped at once
     */
    static long agree(Injectors group, ClockOffset here) throws InterruptedException {
        long uncertainty = group.told(Frame.Ready.class).stream()
                .mapToLong(said -> said.clock().uncertaintyNanos())
                .max()
                .orElse(0);
        Duration lead = LEAD.plusNanos(2 * uncertainty);
        long start = here.serverNanos(System.nanoTime()) + lead.toNanos();
        group.sayToAll(new Frame.Start(start));
        group.hearUntil(Frame.Agreed.class, lead.minus(CALLING_OFF), "agree to the start");
        return start;
    }

    /** @param startNanos the start on which all injectors have agreed, on the monotonic clock of this process */
    InjectedLoad(LoadRun run, Injectors group, long startNanos) {
        this.run = run;
        this.group = group;
        Phases phases = run.plan().scenario().phases();
        Feeder fed = run.plan().scenario().feeder();
        RunClock clock = RunClock.startingAt(startNanos, phases.warmup(), phases.measurement());
        LatencyRecorder searches = new LatencyRecorder(clock, fed.rate());
        searches.expectReplicas(run.plan().readUrls());
        this.load = new LoadRun.Load(clock, searches, new FeedLedger(fed.batch()), group.processes(), group.stopped);
        LongConsumer ended = run.watch(load);
        this.seconds = new MergedSeconds(group.count, searches, second -> ended.accept(nanosOf(second)));
        group.hearing = this::hear;
    }

    /** Receives reports until the load is over, and finishes the run. */
    void toEnd() throws InterruptedException {
        RunClock clock = load.clock();
        try (var unused =
                new LoadEngine.StatusLine(run.host()::status, run.plan().asked(), clock, load.searches())) {
            Duration left = Duration.ofNanos(clock.endNanos() - System.nanoTime());
            Duration longest = left.plus(run.plan().searchTimeout()).plus(OVERTIME);
            group.hearUntil(Frame.Ended.class, longest, "end");
        } catch (Injectors.Failure failed) {
            note(failed);
            faults.forEach(run.host()::stopping);
            group.close();
        }
        for (int i = 0; i < group.count; i++) {
            seconds.end(i);
        }
        List<Frame.Ended> ended = group.told(Frame.Ended.class);
        // The load is over when the last injector has ended; an injector that has not ended may have worked until now.
        double last = ended.stream().mapToDouble(Frame.Ended::endSecond).max().orElse(0);
        long endNanos = ended.size() == group.count ? nanosOf(last) : Math.min(System.nanoTime(), clock.endNanos());
        RunMonitor.Seen seen = run.seen(endNanos);
        CheckedAnswers answers = checked(ended);
        // Remaining injectors must not use the store while the run reads and drops it.
        group.close();
        run.finish(outcome(endNanos, ended, seen, answers));
    }

    /** Notes a failure, unless the process is being stopped. */
    private void note(Injectors.Failure failed) {
        if (!load.interrupted().getAsBoolean()) {
            faults.add(String.valueOf(failed.getMessage()));
        }
    }

    private void hear(int injector, Frame frame) {
        if (frame instanceof Frame.Second said) {
            shifted(said.entries(), load.clock().startNanos()).forEach(load.ledger()::add);
            seconds.take(injector, said);
        } else if (frame instanceof Frame.Ended said) {
            seconds.end(injector);
            if (said.ending() != Ending.COMPLETE) {
                throw group.failure(injector, "was stopped by somebody");
            }
        }
    }

    /** Returns the entries with their instants converted to another clock. */
    private static List<FeedLedger.Entry> shifted(List<FeedLedger.Entry> entries, long moreNanos) {
        return entries.stream().map(entry -> entry.shifted(moreNanos)).toList();
    }

    private long nanosOf(double second) {
        return load.clock().measureNanos() + Math.round(second * 1e9);
    }

    private Ending ending() {
        Ending unlessLost = load.interrupted().getAsBoolean() ? Ending.INTERRUPTED : Ending.COMPLETE;
        return faults.isEmpty() ? unlessLost : Ending.LOST;
    }

    /** Lets injectors check the answers to their own searches. After a load that was cut short, no answers are checked. */
    private CheckedAnswers checked(List<Frame.Ended> ended) throws InterruptedException {
        if (ending() == Ending.COMPLETE) {
            run.host().status("checking answers");
            sayFed(ended);
            try {
                group.hearUntil(Frame.Checked.class, CHECKING, "check their answers");
            } catch (Injectors.Failure failed) {
                note(failed);
            }
            run.host().status("");
        }
        CheckedAnswers none = new CheckedAnswers(run.plan().settings().value(Property.CHECKS), 0, 0, List.of());
        return group.told(Frame.Checked.class).stream()
                .map(said -> said.answers().shifted(load.clock().startNanos()))
                .reduce(none, CheckedAnswers::plus);
    }

    /** Tells each injector what the others fed. All injectors get the same frames, whose size does not grow with their number. */
    private void sayFed(List<Frame.Ended> ended) {
        List<FeedLedger.Entry> entries = load.ledger().takeEntries().stream()
                .map(entry -> {
                    InjectorResult feeder =
                            ended.get((int) (entry.batch() % group.count)).result();
                    long uncertainty = TimeUnit.MICROSECONDS.toNanos(feeder.clockUncertaintyMicros() + 1);
                    return entry.shifted(-load.clock().startNanos()).widened(uncertainty);
                })
                .toList();
        for (int from = 0; from == 0 || from < entries.size(); from += ENTRIES_AT_ONCE) {
            int until = Math.min(from + ENTRIES_AT_ONCE, entries.size());
            group.sayToAll(new Frame.Check(entries.subList(from, until), until == entries.size()));
        }
    }

    /** Returns the outcome, from which results are made. Percentiles are computed from all times together, never from other percentiles. */
    private LoadOutcome outcome(long endNanos, List<Frame.Ended> ended, RunMonitor.Seen seen, CheckedAnswers answers) {
        List<InjectorResult> injectors = ended.stream().map(Frame.Ended::result).toList();
        // The CPUs of each machine count once, however many injectors it has.
        Map<String, Integer> cpus =
                injectors.stream().collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max));
        int allCpus = Math.max(1, cpus.values().stream().reduce(0, Integer::sum));
        double cpuSeconds = injectors.stream()
                .mapToDouble(one -> one.generator().cpuSeconds())
                .sum();
        // Only injectors with their own stores have looked for their events.
        Optional<StoredEvents> stored =
                ended.stream().flatMap(one -> one.stored().stream()).reduce(StoredEvents::plus);
        List<String> all = new ArrayList<>(faults);
        all.addAll(seen.faults());
        return new LoadOutcome(
                new LoadOutcome.End(load.clock(), endNanos, ending()),
                load.searches(),
                new GeneratorCpu(Math.round(cpuSeconds * 1e9), allCpus),
                new RunMonitor.Seen(seen.database(), seen.statements(), seen.hosts(), all, seen.notes()),
                new AnswerSampler(answers.askedRatio(), run.plan().source().until()),
                List.of(),
                new LoadOutcome.Fed(load.ledger(), run.plan().source().feed(), taker -> {}),
                Optional.empty(),
                Optional.of(new LoadOutcome.Injected(group.count, injectors, answers, stored)));
    }

    /**
     * Adds up the measurements that injectors report for the same second, in the order of the seconds. A second is complete when each
     * injector has reported a later second, or has ended. Histograms are added, so that the recorder holds the values that one process
     * would have recorded. A report is added to its second at once, so that a waiting second takes the memory of one report, however many
     * injectors there are. Used by one thread.
     */
    static final class MergedSeconds {
        private final LatencyRecorder merged;
        private final DoubleConsumer ended;
        private final long[] last;
        private final SortedMap<Long, LatencyRecorder> pending = new TreeMap<>();
        /** The latest end of a second; the last interval of a run may be longer or shorter than one second. */
        private double latest = Double.NEGATIVE_INFINITY;

        /** @param ended called with each second, when the recorder has all values up to the end of that second and no later values */
        MergedSeconds(int injectors, LatencyRecorder merged, DoubleConsumer ended) {
            this.merged = merged;
            this.ended = ended;
            this.last = new long[injectors];
            Arrays.fill(last, Long.MIN_VALUE);
        }

        void take(int injector, Frame.Second second) {
            // The second is rounded, since timers are late by some milliseconds.
            last[injector] = Math.round(second.second());
            pending.computeIfAbsent(last[injector], unused -> new LatencyRecorder(RunClock.openEnded(0)))
                    .add(second.measured());
            latest = Math.max(latest, second.second());
            mergeComplete();
        }

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

    /**
     * This process as an injector, which makes a part of a run's load: it joins the store of the run, and reports its measurements.
     * Instructions arrive on the input stream; the first report is written to the output stream only after the instructions have arrived.
     * If the input ends, or is silent for 20 s, the coordinator is gone, and the injector ends at once. Thread-safe.
     */
    public static final class InjectorProcess implements LoadRun {
        /** A start must be at least this far ahead, since a waiting thread takes time to wake up. */
        private static final long LEAST_LEAD_NANOS = Duration.ofMillis(20).toNanos();

        /** The coordinator sends a frame every second. A connection may break without ending the stream. */
        private static final Duration SILENCE = Duration.ofSeconds(20);

        private static final long SECONDS_TO_END = 10;
        private static final String THREAD = "siemload-link";

        private final RunHost host;
        private final Link link;
        private final Frame.Part part;
        private final CompletableFuture<Long> start = new CompletableFuture<>();
        /** Completes with true to check answers, or with false to end the process. */
        private final CompletableFuture<Boolean> check = new CompletableFuture<>();
        /** The fate of all fed batches; the list is filled before {@link #check} is completed, and read only afterwards. */
        private final List<FeedLedger.Entry> fedByAll = new ArrayList<>();

        // Two threads are needed: the thread that sends blocks if nobody reads.
        private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, DaemonThread.named(THREAD));
        private final AtomicBoolean stopping = new AtomicBoolean();
        private volatile Optional<Bench> bench = Optional.empty();
        private volatile Optional<Watched> watched = Optional.empty();
        private volatile ClockOffset clockAtStart = new ClockOffset(0, 0);
        private volatile long startLatenessNanos;

        private record Watched(Load load, RunMonitor.GcPauses pauses) {}

        private InjectorProcess(RunHost host, Link link, Frame.Part part) {
            this.host = host;
            this.link = link;
            this.part = part;
        }

        /** Reads the instructions, and from now on reports every second that it is alive. @throws BrokenFileException if there are none */
        public static InjectorProcess open(RunHost host, InputStream input, OutputStream output, String version)
                throws IOException {
            BufferedReader buffered = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
            Optional<Frame> first = Frame.read(buffered);
            if (!(first.orElse(null) instanceof Frame.Part part)) {
                throw new BrokenFileException("an injector is started by ./siemload run --injectors, which sends its"
                        + " part over standard input; received: "
                        + first.map(Frame::toString).orElse("none"));
            }
            InjectorProcess process = new InjectorProcess(host, new Link(buffered, output), part);
            if (!part.version().equals(version)) {
                String both = "it has siemload " + version + ", but the run has " + part.version();
                throw process.failed(both + " (use the same version everywhere)", ExitCode.INVALID_INPUT);
            }
            process.everySecond(() -> process.link.say(new Frame.Heartbeat()));
            process.everySecond(() -> {
                if (System.nanoTime() - process.link.heardNanos > SILENCE.toNanos()) {
                    process.stop();
                }
            });
            DaemonThread.start(THREAD, process::listen);
            return process;
        }

        private void everySecond(Runnable task) {
            var unused = timer.scheduleAtFixedRate(task, 0, 1, TimeUnit.SECONDS);
        }

        /** Returns the settings of the run, by the names of properties. */
        public Map<String, String> settings() {
            return part.settings();
        }

        /** Declares that the run opened next is this process's part of the load. Call this once the process has the {@link #settings}. */
        public void join() {
            RunPlan plan =
                    RunPlan.read(host.settings(), host.home(), host::status).with(part.shard());
            RunGuard.join(plan, part.server(), part.store(), joined -> {
                bench = Optional.of(joined);
                return this;
            });
        }

        @Override
        public Bench bench() {
            return bench.orElseThrow();
        }

        public void failed(String message, Throwable cause) {
            ExitCode code = cause instanceof ConfigException ? ExitCode.INVALID_INPUT : ExitCode.BUG;
            link.say(new Frame.Failed(message, cause instanceof TargetException ? ExitCode.TARGET_FAILED : code));
        }

        /** Reports the failure and ends the process; does not return. */
        private IllegalStateException failed(String message, ExitCode code) {
            link.say(new Frame.Failed(message, code));
            host.exit(code);
            return new IllegalStateException(message);
        }

        @Override
        public long awaitStart(long nowNanos) {
            clockAtStart = bench().clock();
            link.say(new Frame.Ready(clockAtStart));
            long begin = clockAtStart.nanos(start.join());
            long lead = begin - System.nanoTime();
            if (lead < LEAST_LEAD_NANOS) {
                throw failed(
                        String.format(Locale.ROOT, "it got the start time too late, only %.0f ms ahead", lead / 1e6),
                        ExitCode.INCONCLUSIVE);
            }
            link.say(new Frame.Agreed());
            Runnable begun = () -> startLatenessNanos = Math.max(0, System.nanoTime() - begin);
            var unused = timer.schedule(begun, begin - System.nanoTime(), TimeUnit.NANOSECONDS);
            return begin;
        }

        @Override
        public LongConsumer watch(Load made) {
            watched = Optional.of(new Watched(made, new RunMonitor.GcPauses(made.clock())));
            return nowNanos -> {
                if (nowNanos - made.clock().startNanos() >= 0) {
                    List<FeedLedger.Entry> entries =
                            shifted(made.ledger().takeEntries(), -made.clock().startNanos());
                    double second = made.clock().second(nowNanos);
                    link.say(new Frame.Second(second, made.searches().takeRecorded(), entries));
                }
            };
        }

        @Override
        public RunMonitor.Seen seen(long endNanos) {
            return watched.map(one -> RunMonitor.Seen.ofProcess(one.pauses())).orElse(RunMonitor.Seen.NOTHING);
        }

        @Override
        public void finish(LoadOutcome measured) {
            Watched made = watched.orElseThrow();
            Load load = made.load();
            try {
                ClockOffset clock = clockUntilNow(load);
                // If the store is inside this process, only this process can look for the events that it fed.
                List<StoredEvents> stored = bench().target().transport().equals(Transport.IN_PROCESS)
                        ? List.of(AnswerReview.lookFor(measured.fed(), bench().store()))
                        : List.of();
                double endSecond = load.clock().second(measured.end().nanos());
                link.say(new Frame.Ended(measured.end().ending(), endSecond, result(measured, clock), stored));
                if (check.join() && !load.interrupted().getAsBoolean()) {
                    // The ledger gets the batches that other injectors fed, with instants on this process's clock.
                    shifted(fedByAll, load.clock().startNanos()).stream()
                            .filter(entry -> !part.shard().has(entry.batch()))
                            .forEach(entry -> load.ledger().add(entry.widened(clock.uncertaintyNanos())));
                    CheckedAnswers answers =
                            AnswerReview.againstEvents(host, plan().source(), measured, load.interrupted());
                    link.say(new Frame.Checked(answers.shifted(-load.clock().startNanos())));
                }
            } finally {
                made.pauses().close();
                bench().close();
            }
        }

        /** Returns the clock offset for the whole load; if the server no longer answers, the offset at the start is enough. */
        private ClockOffset clockUntilNow(Load made) {
            try {
                return made.interrupted().getAsBoolean() ? clockAtStart : clockAtStart.until(bench().clock());
            } catch (TargetException | SearchException gone) {
                return clockAtStart;
            }
        }

        private InjectorResult result(LoadOutcome measured, ClockOffset clock) {
            SearchStatistics all = measured.searches().merged(key -> true);
            String machine = "unknown";
            try {
                machine = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unnamed) {
                // The machine has no name.
            }
            return new InjectorResult(
                    part.shard().index() + 1,
                    machine,
                    Runtime.getRuntime().availableProcessors(),
                    all.count(),
                    measured.searches().feeder().acknowledgedSoFar(),
                    measured.generator().result(all.count(), measured.end().seconds()),
                    TimeUnit.NANOSECONDS.toMicros(clock.uncertaintyNanos()),
                    TimeUnit.NANOSECONDS.toMicros(startLatenessNanos),
                    all.times(TimeMetric.SEARCH_LATENESS).summary(),
                    measured.seen().host().pauses());
        }

        private void listen() {
            // However the stream ended, the coordinator is gone.
            String unused = link.listen(frame -> {
                if (frame instanceof Frame.Start told) {
                    start.complete(told.serverNanos());
                } else if (frame instanceof Frame.Check told) {
                    fedByAll.addAll(told.entries());
                    if (told.last()) {
                        check.complete(true);
                    }
                }
            });
            stop();
        }

        /** Ends the process in an orderly way, or by force if it hangs. */
        private void stop() {
            if (!stopping.getAndSet(true)) {
                check.complete(false);
                DaemonThread.start(THREAD, () -> host.exit(ExitCode.INTERRUPTED));
                var unused = timer.schedule(() -> host.halt(ExitCode.INTERRUPTED), SECONDS_TO_END, TimeUnit.SECONDS);
            }
        }
    }
}
