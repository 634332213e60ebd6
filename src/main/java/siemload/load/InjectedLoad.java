package siemload.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.load.InjectorProcess.Frame;
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
 * The load of a run with several injectors: each gets its part, all begin at one instant of the server's clock, and their measurements
 * become one result. If one fails, all end. Created and used once, by one thread, except for an interrupt.
 */
public final class InjectedLoad {
    private static final Duration PREPARATION = Duration.ofMinutes(10);
    /** Longer than it takes to tell all of them, to get their answers, and to prepare everything that users need. */
    private static final Duration LEAD = Duration.ofSeconds(2);
    /** It takes less to tell all of them that the start is cancelled. */
    private static final Duration CALLING_OFF = Duration.ofMillis(300);
    /** Settings that have no meaning elsewhere, or belong to the coordinator alone. */
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
     * Runs the load, and finishes the run.
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
            run.host().status("starting " + group.count + " injectors");
            ServerAddress server = run.bench().address();
            String store = run.bench().store().nameToJoin();
            Map<String, String> given = given(plan.settings());
            group.start(shard -> new Frame.Part(version, given, new Shard(shard, group.count), server, store));
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
            // Before the others have ended, which takes some seconds for those whose Java is just starting.
            run.host().failure(String.valueOf(beforeTheStart.getMessage()), beforeTheStart);
            run.host().endWith(beforeTheStart.code, "");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        // Injectors that are ready must not begin, nor use the store when the run drops it.
        group.sayToAll(new Frame.Stop());
        run.host().status("");
        group.close();
        run.bench().close();
    }

    /** The settings that injectors get. Urls name their servers in full, since defaults come from the environment here. */
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
     * Lets all injectors begin at one instant: once they are ready they are told a future instant, and confirm that they are in time, while
     * the start can still be cancelled.
     *
     * @param here the offset of the server's clock from this process's
     * @return the instant, by the server's clock; empty if the process is being stopped
     * @throws Injectors.Failure if one of them fails, or does not confirm in time; the others must be stopped at once
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

    /** The load from its start to its results, from the injectors' reports. Used by one thread. */
    static final class RunningLoad {
        private static final Duration OVERTIME = Duration.ofMinutes(2);
        private static final Duration STOPPING = Duration.ofSeconds(4);
        private static final Duration CHECKING = Duration.ofMinutes(30);
        /** The number of batches in one frame. */
        private static final int ENTRIES_AT_ONCE = 10_000;

        private final LoadRun run;
        private final Injectors group;
        private final ClockOffset here;
        private final LoadRun.Load load;
        private final RunClock clock;
        private final MergedSeconds seconds;
        private final List<String> faults = new ArrayList<>();

        /**
         * A load before its start.
         *
         * @param here the offset of the server's clock from this process's
         * @param startNanos when, on the monotonic clock of this process
         * @param interrupted whether the process is asked to stop; checked repeatedly
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
            this.seconds = new MergedSeconds(group.count, searches, second -> ended.accept(nanosOf(second)));
            group.hearing = this::hear;
        }

        /** Receives reports until the load is over, and finishes the run. */
        void toEnd() throws InterruptedException {
            try (StatusLine unused =
                    new StatusLine(run.host()::status, run.plan().asked(), clock, load.searches())) {
                hearOfLoad();
            }
            for (int i = 0; i < group.count; i++) {
                seconds.end(i);
            }
            List<Frame.Ended> ended = group.told(Frame.Ended.class);
            // The load is over when the last injector has ended; one that has not may have been at work until now.
            double last =
                    ended.stream().mapToDouble(Frame.Ended::endSecond).max().orElse(0);
            long endNanos = ended.size() == group.count ? nanosOf(last) : Math.min(System.nanoTime(), clock.endNanos());
            RunMonitor.Seen seen = run.seen(endNanos);
            CheckedAnswers answers = checked(ended);
            // Remaining injectors must not use the store when the run looks there, and drops it.
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
                run.host().stopping(faults.get(0));
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

        /**
         * Injectors check the answers to their own searches, and need to know for that what the others fed; answers of a load that was cut
         * short are not checked.
         */
        private CheckedAnswers checked(List<Frame.Ended> ended) throws InterruptedException {
            if (ending() == Ending.COMPLETE) {
                run.host().status("checking answers");
                // All get the same frames, so that their size is not multiplied by the number of injectors.
                List<FeedLedger.Entry> entries = load.ledger().takeEntries().stream()
                        .map(entry -> entry.shifted(here.offsetNanos())
                                .widened(ended.get((int) (entry.batch() % group.count))
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
            // The CPUs of each machine count once, however many injectors it has.
            Map<String, Integer> cpus =
                    injectors.stream().collect(Collectors.toMap(InjectorResult::host, InjectorResult::cpus, Math::max));
            // For injectors with stores of their own.
            Optional<StoredEvents> stored =
                    ended.stream().flatMap(one -> one.stored().stream()).reduce(StoredEvents::plus);
            List<String> all = new ArrayList<>(faults);
            all.addAll(seen.faults());
            long cpuNanos = ended.stream().mapToLong(Frame.Ended::cpuNanos).sum();
            return new LoadOutcome(
                    new LoadOutcome.End(clock, endNanos, ending()),
                    load.searches(),
                    new GeneratorCpu(
                            cpuNanos, Math.max(1, cpus.values().stream().reduce(0, Integer::sum))),
                    new RunMonitor.Seen(seen.database(), seen.statements(), seen.hosts(), all, seen.notes()),
                    nobody,
                    List.of(),
                    new LoadOutcome.Fed(load.ledger(), run.plan().source().feed(), taker -> {}),
                    Optional.empty(),
                    Optional.of(new LoadOutcome.Injected(group.count, injectors, answers, stored)));
        }
    }

    /**
     * Adds up the measurements of injectors in the same second, in the order of the seconds: a second is complete when each injector has
     * reported a later one, or has ended. Histograms are added, so that the recorders hold what one process would have recorded. Reports
     * are added to their second at once, so that waiting seconds take the memory of one injector each, however many there are. Used by one
     * thread.
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
         * @param ended is told each second when the recorder contains it and nothing later
         */
        MergedSeconds(int injectors, LatencyRecorder merged, DoubleConsumer ended) {
            this.merged = merged;
            this.ended = ended;
            this.last = new long[injectors];
            Arrays.fill(last, Long.MIN_VALUE);
        }

        void take(int injector, Frame.Second second) {
            // Timers are late by some milliseconds.
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
     * All injectors of a run, as seen by their coordinator: processes of this machine, or of a command that reaches others. It communicates
     * with each over standard input and output, and notices within seconds if one ends, is silent, or sends anything but frames. Used by
     * one thread.
     */
    static final class Injectors implements AutoCloseable {
        private static final long LOOK_MILLIS = 50;
        private static final Duration ENDING = Duration.ofSeconds(4);

        private final Launch launch;
        private final String place;
        private final int count;
        private final BooleanSupplier stopped;
        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private final List<Injector> injectors = new ArrayList<>();
        /** What is done with all that they say. */
        private Hearing hearing = (injector, frame) -> {};

        private boolean stopping;

        /**
         * @param place where they are started, for people, with {@code %d} for the number: {@code on this machine}
         * @param stopped whether the process is being stopped; checked repeatedly
         */
        Injectors(Launch launch, String place, int count, BooleanSupplier stopped) {
            this.launch = launch;
            this.place = place;
            this.count = count;
            this.stopped = stopped;
        }

        /** Starts an injector, by its number from 0. */
        interface Launch {
            Process start(int index) throws IOException;
        }

        private interface Hearing {
            void hear(int injector, Frame frame) throws Failure;
        }

        /** An injector failed, which ends the run. */
        static final class Failure extends Exception {
            private static final long serialVersionUID = 1L;

            /** How the run ends where it has not begun. */
            final ExitCode code;

            Failure(String message, ExitCode code) {
                super(message);
                this.code = code;
            }
        }

        /** Something that an injector said, or that became of it, for the thread that coordinates them. */
        private interface Event {
            void happens() throws Failure;
        }

        /** The numbers of their processes on this machine, and of those that they have started. */
        Set<Long> processes() {
            return injectors.stream()
                    .map(injector -> injector.process.toHandle())
                    .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                    .map(ProcessHandle::pid)
                    .collect(Collectors.toSet());
        }

        void start(IntFunction<Frame> parts) throws Failure {
            for (int i = 0; i < count && !stopped.getAsBoolean(); i++) {
                byte[] part = parts.apply(i).line();
                try {
                    injectors.add(new Injector(i, launch.start(i), part));
                } catch (IOException | IllegalStateException refused) {
                    throw failure(i, "cannot be started: " + refused.getMessage(), ExitCode.INCONCLUSIVE);
                }
            }
        }

        /** Sends a frame to each of them; never blocks. */
        void sayToAll(Frame frame) {
            byte[] line = frame.line();
            for (Injector injector : injectors) {
                if (frame instanceof Frame.Start) {
                    injector.heardNanos = System.nanoTime();
                    injector.patience = Injector.SILENCE;
                }
                injector.say(line);
            }
        }

        /**
         * Waits until each of them has sent a frame of this kind.
         *
         * @param patience how long that may take
         * @param what they are doing, for messages: {@code begin}
         * @return whether all have; not if the process is being stopped
         * @throws Failure if one of them fails, with the reason
         */
        boolean hearUntil(Class<? extends Frame> kind, Duration patience, String what)
                throws Failure, InterruptedException {
            long start = System.nanoTime();
            for (int told = toldBefore(kind); told < count; told = toldBefore(kind)) {
                if (stopped.getAsBoolean()) {
                    return false;
                }
                takeNext();
                requireNoSilence();
                if (System.nanoTime() - start > patience.toNanos()) {
                    throw failure(told, "did not " + what + " within " + seconds(patience), ExitCode.INCONCLUSIVE);
                }
            }
            return true;
        }

        /** The number of the first one that has not sent such a frame. */
        private int toldBefore(Class<? extends Frame> kind) {
            return (int) injectors.stream()
                    .takeWhile(one -> one.told.containsKey(kind))
                    .count();
        }

        /** Their last frames of this kind, in their order. */
        <F extends Frame> List<F> told(Class<F> kind) {
            return injectors.stream()
                    .flatMap(one -> Optional.ofNullable(one.told.get(kind)).stream())
                    .map(kind::cast)
                    .toList();
        }

        private static String seconds(Duration duration) {
            return String.format(Locale.ROOT, "%.1f s", Math.max(0, duration.toMillis()) / 1000.0);
        }

        /**
         * Ends the remaining ones, and receives their last frames; whatever becomes of them.
         *
         * @param last the kind of their last frame
         */
        void stop(Class<? extends Frame> last, Duration patience) throws InterruptedException {
            stopping = true;
            sayToAll(new Frame.Stop());
            long until = System.nanoTime() + patience.toNanos();
            while (injectors.stream().anyMatch(one -> !one.gone && !one.told.containsKey(last))
                    && System.nanoTime() - until < 0) {
                try {
                    takeNext();
                } catch (Failure another) {
                    // The first failure is the one to report.
                }
            }
        }

        private void takeNext() throws Failure, InterruptedException {
            Event event = events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (event != null) {
                event.happens();
            }
        }

        private void requireNoSilence() throws Failure {
            for (Injector injector : injectors) {
                Duration silent = Duration.ofNanos(System.nanoTime() - injector.heardNanos);
                if (!injector.gone && !injector.ended && silent.compareTo(injector.patience) > 0) {
                    // Anything more from it would come too late: the others need not wait for it.
                    injector.process.destroyForcibly();
                    injector.gone = true;
                    throw failure(injector.number, "has said nothing for " + seconds(silent), ExitCode.INCONCLUSIVE);
                }
            }
        }

        Failure failure(int injector, String what, ExitCode code) {
            String where = String.format(Locale.ROOT, place, injector);
            return new Failure("injector " + (injector + 1) + " of " + count + " (" + where + ") " + what, code);
        }

        /** The remaining ones are told to end, which takes them a moment, and then ended; closing twice is harmless. */
        @Override
        public void close() {
            long until = System.nanoTime() + ENDING.toNanos();
            injectors.forEach(Injector::sayNoMore);
            injectors.forEach(injector -> injector.awaitEnd(Duration.ofNanos(Math.max(0, until - System.nanoTime()))));
            injectors.forEach(injector -> injector.process.destroyForcibly());
        }

        /**
         * One injector: its frames go into a queue that all share, and frames for it wait in a queue of its own, so that nobody waits for
         * an injector that hangs.
         */
        private final class Injector {
            /** An injector with a load is alive if it sends something every second. */
            private static final Duration SILENCE = Duration.ofSeconds(5);
            /** If many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
            private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);
            /** A process ends a moment after its output. */
            private static final Duration FATE = Duration.ofSeconds(6);

            private static final Duration LAST_WORDS = Duration.ofSeconds(1);
            private static final byte[] BEAT = new Frame.Heartbeat().line();

            private final int number;
            private final Process process;
            private final Thread errors;
            private final ScheduledExecutorService sender;

            private volatile long heardNanos = System.nanoTime();
            private volatile String lastError = "";
            /** Whether its end is still to be handled. */
            private volatile boolean ended;

            // Of the coordinator's thread alone.
            /** How long it may be silent: some seconds from the start of the load on. */
            private Duration patience = SILENCE_BEFORE_START;
            /** Its last frame of each kind. */
            private final Map<Class<?>, Frame> told = new HashMap<>();
            /** Whether nothing more is expected from it. */
            private boolean gone;

            /** Starts the communication: sends its part first, and then a sign of life every second. */
            Injector(int number, Process process, byte[] part) {
                this.number = number;
                this.process = process;
                String name = "siemload-injector-" + (number + 1);
                this.sender = Executors.newSingleThreadScheduledExecutor(DaemonThread.named(name + "-in"));
                say(part);
                var unused = sender.scheduleAtFixedRate(() -> write(BEAT), 1, 1, TimeUnit.SECONDS);
                this.errors = DaemonThread.start(name + "-errors", this::readErrors);
                DaemonThread.start(name + "-out", this::listen);
            }

            void say(byte[] line) {
                sender.execute(() -> write(line));
            }

            private void write(byte[] line) {
                try {
                    OutputStream input = process.getOutputStream();
                    input.write(line);
                    input.flush();
                } catch (IOException gone) {
                    // Nobody reads: its output has ended, too, which is noticed there.
                }
            }

            /** Ends its input, once everything is sent. */
            void sayNoMore() {
                if (!sender.isShutdown()) {
                    sender.execute(() -> {
                        try {
                            process.getOutputStream().close();
                        } catch (IOException gone) {
                            // It is closed, then.
                        }
                    });
                    sender.shutdown();
                }
            }

            void awaitEnd(Duration atMost) {
                Process unused = process.onExit()
                        .completeOnTimeout(process, atMost.toNanos(), TimeUnit.NANOSECONDS)
                        .join();
            }

            /** Its other output: the last line says why it ended. */
            private void readErrors() {
                try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        lastError = line.isBlank() ? lastError : line.strip();
                    }
                } catch (IOException ended) {
                    // What was read so far is all there is.
                }
            }

            private void listen() {
                String broken = "";
                try (BufferedReader stream = process.inputReader(StandardCharsets.UTF_8)) {
                    for (Optional<Frame> read = Frame.read(stream); read.isPresent(); read = Frame.read(stream)) {
                        heardNanos = System.nanoTime();
                        Frame frame = read.get();
                        if (!(frame instanceof Frame.Heartbeat)) {
                            events.add(() -> hasSaid(frame));
                        }
                    }
                } catch (IOException unreadable) {
                    broken = "cannot be understood: " + unreadable.getMessage();
                }
                ended = true;
                String why = broken;
                events.add(() -> isLost(why));
            }

            private void hasSaid(Frame frame) throws Failure {
                if (frame instanceof Frame.Failed failed) {
                    gone = true;
                    throw failure(number, "cannot go on: " + failed.message(), failed.code());
                }
                told.put(frame.getClass(), frame);
                hearing.hear(number, frame);
            }

            /** @param broken why nothing more is heard of it; empty where its output has ended: then that is known some seconds later */
            private void isLost(String broken) throws Failure {
                gone = true;
                if (!stopping && !told.containsKey(Frame.Checked.class)) {
                    awaitEnd(FATE);
                    String fate = process.isAlive()
                            ? "has closed its output"
                            : "has ended with exit code " + process.exitValue();
                    DaemonThread.awaitEnd(List.of(errors), LAST_WORDS);
                    String last = lastError.isEmpty() ? "" : "; it said last: " + lastError;
                    throw failure(number, (broken.isEmpty() ? fate : broken) + last, ExitCode.INCONCLUSIVE);
                }
            }
        }
    }
}
