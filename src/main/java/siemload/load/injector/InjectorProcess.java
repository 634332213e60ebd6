package siemload.load.injector;

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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.Target.Transport;
import siemload.database.TargetException;
import siemload.measure.ClockOffset;
import siemload.measure.Tally.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.InjectorResult;
import siemload.run.AnswerReview;
import siemload.run.Bench;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.RunGuard;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * This process as an injector, whose load is a part of a run: it joins the store that the run has made, and hands over what it measured.
 * What it does is told over one stream, and what it measures goes over the other, which is empty until it has been told. When the first
 * one ends, or nothing comes over it for some seconds, nobody coordinates it any more, and it ends at once. Thread-safe.
 */
public final class InjectorProcess implements LoadRun {
    /** A start must be ahead by as much: a thread that waits for it has to wake up. */
    private static final long LEAST_LEAD_NANOS = Duration.ofMillis(20).toNanos();

    /** Who coordinates says something every second; a connection may break without an end of the stream. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private static final long SECONDS_TO_END = 10;
    private static final String THREAD = "siemload-link";

    private final RunHost host;
    private final BufferedReader input;
    private final OutputStream output;
    private final Frame.Part part;
    private final CompletableFuture<Long> start = new CompletableFuture<>();
    /** Whether answers are to be checked, or the process is to end. */
    private final CompletableFuture<Boolean> check = new CompletableFuture<>();
    /** Heard before {@link #check} is complete. */
    private final List<FeedLedger.Entry> fedByAll = new ArrayList<>();

    // Two threads: who says something waits where nobody reads.
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, DaemonThread.named(THREAD));
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile Optional<Bench> bench = Optional.empty();
    private volatile Optional<Watched> watched = Optional.empty();
    private volatile ClockOffset clockAtStart = new ClockOffset(0, 0);
    private volatile long startLatenessNanos;
    private volatile long heardNanos = System.nanoTime();

    private InjectorProcess(RunHost host, BufferedReader input, OutputStream output, Frame.Part part) {
        this.host = host;
        this.input = input;
        this.output = output;
        this.part = part;
    }

    /** The load that is being made. */
    private record Watched(Load load, RunMonitor.GcPauses pauses) {}

    /**
     * Reads what this process is to do, and says from now on every second that it lives.
     *
     * @param version of this program
     * @throws ConfigException if nobody tells, or another version does
     */
    public static InjectorProcess open(RunHost host, InputStream input, OutputStream output, String version)
            throws IOException {
        BufferedReader buffered = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        Frame first = Frame.read(buffered)
                .orElseThrow(
                        () -> new BrokenFileException(
                                "an injector is started by ./siemload run --injectors, which gives it its part over standard input; there was none"));
        if (!(first instanceof Frame.Part part)) {
            throw new BrokenFileException("an injector expects its part first, but got " + first);
        }
        InjectorProcess process = new InjectorProcess(host, buffered, output, part);
        if (!part.version().equals(version)) {
            throw process.failed(
                    "it is siemload " + version + ", and the run siemload " + part.version()
                            + " (use the same everywhere)",
                    ExitCode.INVALID_INPUT);
        }
        var unusedTelling =
                process.timer.scheduleAtFixedRate(() -> process.say(new Frame.Heartbeat()), 0, 1, TimeUnit.SECONDS);
        var unusedWatching = process.timer.scheduleAtFixedRate(
                () -> {
                    if (System.nanoTime() - process.heardNanos > SILENCE.toNanos()) {
                        process.stop();
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
        DaemonThread.start(THREAD, process::listen);
        return process;
    }

    /** The settings of the run, by the names of properties. */
    public Map<String, String> settings() {
        return part.settings();
    }

    /** Makes the run that is opened next its part. To be called when the process has the {@link #settings}. */
    public void join() {
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status).with(part.shard());
        RunGuard.join(plan, part.server(), part.store(), joined -> {
            bench = Optional.of(joined);
            return this;
        });
    }

    @Override
    public Bench bench() {
        return bench.orElseThrow();
    }

    /** Says why it cannot go on. */
    public void failed(String message, Throwable cause) {
        ExitCode unlessOfTarget = cause instanceof ConfigException ? ExitCode.INVALID_INPUT : ExitCode.BUG;
        ExitCode code = cause instanceof TargetException ? ExitCode.TARGET_FAILED : unlessOfTarget;
        say(new Frame.Failed(message, code.number()));
    }

    /** Ends the process, and does not come back. */
    private IllegalStateException failed(String message, ExitCode code) {
        say(new Frame.Failed(message, code.number()));
        host.exit(code);
        return new IllegalStateException(message);
    }

    @Override
    public long awaitStart(long nowNanos) {
        clockAtStart = bench().clock();
        say(new Frame.Ready(clockAtStart));
        long begin = clockAtStart.nanos(start.join());
        long lead = begin - System.nanoTime();
        if (lead < LEAST_LEAD_NANOS) {
            throw failed(
                    String.format(Locale.ROOT, "it learned of the start %.0f ms before it, too late", lead / 1e6),
                    ExitCode.INCONCLUSIVE);
        }
        say(new Frame.Agreed());
        var unused = timer.schedule(
                () -> startLatenessNanos = Math.max(0, System.nanoTime() - begin),
                begin - System.nanoTime(),
                TimeUnit.NANOSECONDS);
        return begin;
    }

    @Override
    public LongConsumer watch(Load made) {
        watched = Optional.of(new Watched(made, new RunMonitor.GcPauses(made.clock())));
        return nowNanos -> {
            if (nowNanos - made.clock().startNanos() >= 0) {
                say(new Frame.Second(
                        made.clock().second(nowNanos),
                        made.searches().takeRecorded(),
                        made.ledger().takeEntries().stream()
                                .map(entry -> entry.shifted(clockAtStart.offsetNanos()))
                                .toList()));
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
        try {
            ClockOffset clock = clockUntilNow(made.load());
            // Who has a store for itself is the only one who can look there for what it fed.
            List<StoredEvents> stored = bench().target().transport().equals(Transport.IN_PROCESS)
                    ? List.of(AnswerReview.lookFor(measured.fed(), bench().store()))
                    : List.of();
            say(new Frame.Ended(
                    measured.end().ending(),
                    made.load().clock().second(measured.end().nanos()),
                    clock,
                    measured.generator().nanos(),
                    result(measured, clock),
                    stored));
            if (check.join() && !made.load().interrupted().getAsBoolean()) {
                // What the others fed, by this process's clock.
                fedByAll.stream()
                        .filter(entry -> !part.shard().has(entry.batch()))
                        .map(entry -> entry.shifted(-clockAtStart.offsetNanos()).widened(clock.uncertaintyNanos()))
                        .forEach(made.load().ledger()::add);
                say(new Frame.Checked(checked(measured, made.load())));
            }
        } finally {
            made.pauses().close();
            bench().close();
        }
    }

    /** Where the server does not answer any more, its clock is no longer what matters. */
    private ClockOffset clockUntilNow(Load made) {
        try {
            return made.interrupted().getAsBoolean() ? clockAtStart : clockAtStart.until(bench().clock());
        } catch (TargetException | SearchException gone) {
            return clockAtStart;
        }
    }

    private CheckedAnswers checked(LoadOutcome measured, Load made) {
        CheckedAnswers answers = measured.end().ending() == LoadOutcome.Ending.COMPLETE
                ? AnswerReview.againstEvents(host, plan().source(), measured, made.interrupted())
                : CheckedAnswers.none(measured.kept());
        return answers.shifted(-made.clock().startNanos());
    }

    private InjectorResult result(LoadOutcome measured, ClockOffset clock) {
        SearchStatistics all = measured.searches().merged(key -> true);
        String machine = "unknown";
        try {
            machine = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            // It has no name, then.
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
        try {
            for (Optional<Frame> said = Frame.read(input); said.isPresent(); said = Frame.read(input)) {
                heardNanos = System.nanoTime();
                if (said.get() instanceof Frame.Start told) {
                    start.complete(told.serverNanos());
                } else if (said.get() instanceof Frame.Check told) {
                    fedByAll.addAll(told.entries());
                    if (told.last()) {
                        check.complete(true);
                    }
                } else if (said.get() instanceof Frame.Stop) {
                    stop();
                }
            }
        } catch (IOException broken) {
            // As if nobody were there any more.
        }
        stop();
    }

    /** In good order, but for one that hangs. */
    private void stop() {
        if (!stopping.getAndSet(true)) {
            check.complete(false);
            DaemonThread.start(THREAD, () -> host.exit(ExitCode.INTERRUPTED));
            var unused = timer.schedule(() -> host.halt(ExitCode.INTERRUPTED), SECONDS_TO_END, TimeUnit.SECONDS);
        }
    }

    /** Where nobody hears it, the other stream has ended, too. */
    private void say(Frame frame) {
        synchronized (output) {
            try {
                output.write(frame.line());
                output.flush();
            } catch (IOException gone) {
                // The thread that listens ends the process.
            }
        }
    }
}
