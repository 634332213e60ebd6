package siemload.load;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.ServerAddress;
import siemload.database.Target.Transport;
import siemload.database.TargetException;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.Tally.SearchStatistics;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.LoggedInterval;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.InjectorResult;
import siemload.run.AnswerReview;
import siemload.run.Bench;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.LoadRun.Shard;
import siemload.run.RunGuard;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * This process as an injector, whose load is a part of a run: it joins the store of the run, and reports its measurements. Its instructions
 * come over one stream, and its reports go over the other, which is empty before the instructions. If the first one ends, or is silent for
 * some seconds, the coordinator is gone, and the injector ends at once. Thread-safe.
 */
public final class InjectorProcess implements LoadRun {
    /** A start must be this far ahead: a waiting thread has to wake up. */
    private static final long LEAST_LEAD_NANOS = Duration.ofMillis(20).toNanos();

    /** The coordinator sends something every second; a connection may break without an end of the stream. */
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
    /** Filled before {@link #check} is completed, and not read before that. */
    private final List<FeedLedger.Entry> fedByAll = new ArrayList<>();

    // Two threads: the sender blocks if nobody reads.
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

    private record Watched(Load load, RunMonitor.GcPauses pauses) {}

    /**
     * Reads the instructions of this process, and reports every second from now on that it is alive.
     *
     * @param version of this program
     * @throws ConfigException if none come, or from another version
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
            String both = "it is siemload " + version + ", and the run siemload " + part.version();
            throw process.failed(both + " (use the same everywhere)", ExitCode.INVALID_INPUT);
        }
        var unusedTelling =
                process.timer.scheduleAtFixedRate(() -> process.say(new Frame.Heartbeat()), 0, 1, TimeUnit.SECONDS);
        Runnable watching = () -> {
            if (System.nanoTime() - process.heardNanos > SILENCE.toNanos()) {
                process.stop();
            }
        };
        var unusedWatching = process.timer.scheduleAtFixedRate(watching, 1, 1, TimeUnit.SECONDS);
        DaemonThread.start(THREAD, process::listen);
        return process;
    }

    /** The settings of the run, by the names of properties. */
    public Map<String, String> settings() {
        return part.settings();
    }

    /** Gives its part to the run that is opened next. To be called once the process has the {@link #settings}. */
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

    public void failed(String message, Throwable cause) {
        ExitCode code = cause instanceof ConfigException ? ExitCode.INVALID_INPUT : ExitCode.BUG;
        code = cause instanceof TargetException ? ExitCode.TARGET_FAILED : code;
        say(new Frame.Failed(message, code));
    }

    /** Ends the process, and does not return. */
    private IllegalStateException failed(String message, ExitCode code) {
        say(new Frame.Failed(message, code));
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
            String late = String.format(Locale.ROOT, "it learned of the start %.0f ms before it, too late", lead / 1e6);
            throw failed(late, ExitCode.INCONCLUSIVE);
        }
        say(new Frame.Agreed());
        Runnable begun = () -> startLatenessNanos = Math.max(0, System.nanoTime() - begin);
        var unused = timer.schedule(begun, begin - System.nanoTime(), TimeUnit.NANOSECONDS);
        return begin;
    }

    @Override
    public LongConsumer watch(Load made) {
        watched = Optional.of(new Watched(made, new RunMonitor.GcPauses(made.clock())));
        return nowNanos -> {
            if (nowNanos - made.clock().startNanos() >= 0) {
                List<FeedLedger.Entry> entries = made.ledger().takeEntries().stream()
                        .map(entry -> entry.shifted(clockAtStart.offsetNanos()))
                        .toList();
                say(new Frame.Second(
                        made.clock().second(nowNanos), made.searches().takeRecorded(), entries));
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
            // If it has a store of its own, only it can look there for what it fed.
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

    /** If the server does not answer any more, its clock no longer matters. */
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
            // As if the coordinator were gone.
        }
        stop();
    }

    /** In good order, unless it hangs. */
    private void stop() {
        if (!stopping.getAndSet(true)) {
            check.complete(false);
            DaemonThread.start(THREAD, () -> host.exit(ExitCode.INTERRUPTED));
            var unused = timer.schedule(() -> host.halt(ExitCode.INTERRUPTED), SECONDS_TO_END, TimeUnit.SECONDS);
        }
    }

    /** If nobody reads it, the other stream has ended, too. */
    private void say(Frame frame) {
        synchronized (output) {
            try {
                output.write(frame.line());
                output.flush();
            } catch (IOException gone) {
                // The listening thread ends the process.
            }
        }
    }

    /**
     * A message between an injector and its coordinator, each a line of JSON in UTF-8, in this order: {@link Part}, {@link Ready}, {@link
     * Start}, {@link Agreed}, {@link Second} after second, {@link Ended}, {@link Check} once or more, {@link Checked}; a {@link Heartbeat}
     * at any time. An instant is nanoseconds since 1970 by the server's clock. Immutable.
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "frame")
    sealed interface Frame {

        /**
         * To an injector, as the first frame: its part of the run. Its text shows no secret.
         *
         * @param version of siemload, which must be the injector's own
         * @param settings that were given, by the names of properties, from which the others follow as here
         * @param store the name by which the store of the run is joined
         */
        record Part(String version, Map<String, String> settings, Shard shard, ServerAddress server, String store)
                implements Frame {
            @Override
            public String toString() {
                return "Part[" + shard + "]";
            }
        }

        /** From an injector: it is ready, with the offset of the server's clock from its own. */
        record Ready(ClockOffset clock) implements Frame {}

        /** To an injector: when to begin. */
        record Start(long serverNanos) implements Frame {}

        /** From an injector: it has the start time, and is in time for it. */
        record Agreed() implements Frame {}

        /**
         * From an injector: the measurements of one second.
         *
         * @param second its end, in seconds from the start of the measured phase, negative before it
         * @param entries the fate of its batches, with instants of the server's clock
         */
        record Second(double second, RecordedSearches measured, List<FeedLedger.Entry> entries) implements Frame {}

        /**
         * From an injector: its load is over, with what it did not report second by second.
         *
         * @param endSecond when, in seconds from the start of the measured phase
         * @param clock the offset of the server's clock from its own during the whole load
         * @param cpuNanos CPU time of its process in the measured phase
         * @param result for people; its shares of the whole are not known yet, and are 0
         * @param stored the fate of its events, where it has a store of its own; empty, or one
         */
        record Ended(
                LoadOutcome.Ending ending,
                double endSecond,
                ClockOffset clock,
                long cpuNanos,
                InjectorResult result,
                List<StoredEvents> stored)
                implements Frame {}

        /**
         * To an injector: the fate of batches that it or others fed, in parts, to check its answers; about its own it knows more.
         *
         * @param entries with the earliest instant at which each may have been sent, and the latest at which it may have been acknowledged,
         *     since clocks are known only to some microseconds
         * @param last whether it knows of all batches now
         */
        record Check(List<FeedLedger.Entry> entries, boolean last) implements Frame {}

        /** From an injector: the result of its check. Wrong answers have instants since the start of the load. */
        record Checked(CheckedAnswers answers) implements Frame {}

        /** To an injector: end now, and report what there is. */
        record Stop() implements Frame {}

        /**
         * From an injector: it cannot continue.
         *
         * @param code the exit code of its process
         */
        record Failed(String message, ExitCode code) implements Frame {}

        /** From either, every second: it is alive. */
        record Heartbeat() implements Frame {}

        /** The line of the frame, with the line feed. */
        default byte[] line() {
            try {
                return (Lines.JSON.writerFor(Frame.class).writeValueAsString(this) + "\n")
                        .getBytes(StandardCharsets.UTF_8);
            } catch (JsonProcessingException bug) {
                throw new IllegalStateException("a frame has no text", bug);
            }
        }

        /**
         * The next frame; empty at the end of the stream.
         *
         * @throws BrokenFileException for anything else, with its beginning
         * @throws IOException if the stream breaks
         */
        static Optional<Frame> read(BufferedReader stream) throws IOException {
            StringBuilder line = new StringBuilder();
            int next = stream.read();
            while (next >= 0 && next != '\n' && line.length() <= Lines.LONGEST) {
                line.append((char) next);
                next = stream.read();
            }
            if (next < 0 && line.isEmpty()) {
                return Optional.empty();
            }
            try {
                if (next != '\n') {
                    throw new IllegalArgumentException("not a whole line of at most " + Lines.LONGEST + " characters");
                }
                return Optional.of(Objects.requireNonNull(Lines.JSON.readValue(line.toString(), Frame.class)));
            } catch (JsonProcessingException | RuntimeException broken) {
                // Without control sequences of terminals.
                String shown = line.substring(0, Math.min(Lines.SHOWN, line.length()));
                throw new BrokenFileException("what it said is not a frame: " + shown, broken);
            }
        }

        /**
         * How frames become lines. A histogram is exact in its own bytes, in which its many empty counts take no room.
         */
        final class Lines {
            /** More than any frame needs: histograms of some dozen kinds of search, or ten thousand batches. */
            private static final int LONGEST = 64 << 20;

            private static final int SHOWN = 80;
            private static final ObjectMapper JSON = JsonMapper.builder()
                    .addModule(new SimpleModule()
                            .addSerializer(new StdDelegatingSerializer(
                                    Histogram.class, new StdConverter<Histogram, byte[]>() {
                                        @Override
                                        public byte[] convert(Histogram times) {
                                            ByteBuffer bytes = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
                                            return Arrays.copyOf(bytes.array(), times.encodeIntoByteBuffer(bytes));
                                        }
                                    }))
                            .addDeserializer(
                                    Histogram.class,
                                    new StdDelegatingDeserializer<>(new StdConverter<byte[], Histogram>() {
                                        @Override
                                        public Histogram convert(byte[] bytes) {
                                            return LoggedInterval.requirePossible(
                                                    Histogram.decodeFromByteBuffer(ByteBuffer.wrap(bytes), 0));
                                        }
                                    })))
                    .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
                    .registerSubtypes(Stream.of(
                                    Objects.requireNonNull(Frame.class.getPermittedSubclasses(), "it is sealed"))
                            .map(kind ->
                                    new NamedType(kind, kind.getSimpleName().toLowerCase(Locale.ROOT)))
                            .toArray(NamedType[]::new))
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .build();

            private Lines() {}
        }
    }
}
