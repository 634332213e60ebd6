package siemload.load;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.config.DaemonThread;
import siemload.database.ServerAddress;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.LoggedInterval;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunResult.InjectorResult;
import siemload.run.ExitCode;
import siemload.run.LoadOutcome.Ending;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * All injectors of a run, as seen by their coordinator: processes of this machine, or of a command that reaches others. It communicates
 * with each over standard input and output, and notices within seconds if one ends, is silent, or sends anything but frames. Used by
 * one thread.
 */
final class Injectors implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final Duration ENDING = Duration.ofSeconds(5);
    /** An injector with a load is alive if it sends something every second. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** If many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
    private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);

    private final String place;
    final int count;
    final BooleanSupplier stopped;
    /** Something that an injector said, or that became of it, for the thread that coordinates them. */
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    private final List<Injector> injectors = new CopyOnWriteArrayList<>();
    /**
     * Says what they are to be told, so that nobody waits for one that hangs: what is said to the others after that comes to them once the
     * hanging one is found silent, and ended.
     */
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-injectors-in"));
    /** What is done with all that they say. */
    BiConsumer<Integer, Frame> hearing = (injector, frame) -> {};

    private Duration longestSilence = SILENCE_BEFORE_START;
    private boolean stopping;

    /**
     * @param place where they are started, for people, with {@code %d} for the number: {@code on this machine}
     * @param stopped whether the process is being stopped; checked repeatedly
     */
    Injectors(String place, int count, BooleanSupplier stopped) {
        this.place = place;
        this.count = count;
        this.stopped = stopped;
        Runnable beats = () -> injectors.forEach(one -> one.say(new Frame.Heartbeat()));
        var unused = sender.scheduleAtFixedRate(beats, 1, 1, TimeUnit.SECONDS);
    }

    /** Starts an injector, by its number from 0. */
    interface Launch {
        Process start(int index) throws IOException;
    }

    /** An injector failed, which ends the run. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** How the run ends where it has not begun. */
        final ExitCode code;

        Failure(String message, ExitCode code) {
            super(message);
            this.code = code;
        }
    }

    /** The numbers of their processes on this machine, and of those that they have started. */
    Set<Long> processes() {
        return injectors.stream()
                .map(injector -> injector.process.toHandle())
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    void start(Launch launch, IntFunction<Frame> parts) {
        for (int i = 0; i < count && !stopped.getAsBoolean(); i++) {
            try {
                Injector started = new Injector(i, launch.start(i));
                // Its part is small, and comes before any sign of life.
                started.say(parts.apply(i));
                injectors.add(started);
            } catch (IOException | IllegalStateException refused) {
                throw failure(i, "cannot be started: " + refused.getMessage());
            }
        }
    }

    /** Sends a frame to each of them; never blocks. */
    void sayToAll(Frame frame) {
        if (frame instanceof Frame.Start) {
            longestSilence = SILENCE;
            injectors.forEach(one -> one.heardNanos = System.nanoTime());
        }
        byte[] line = frame.line();
        sender.execute(() -> injectors.forEach(one -> one.say(line)));
    }

    /**
     * Waits until each of them has sent a frame of this kind.
     *
     * @param patience how long that may take
     * @param what they are doing, for messages: {@code begin}
     * @throws Failure if one of them fails, with the reason; or if the process is being stopped
     */
    void hearUntil(Class<? extends Frame> kind, Duration patience, String what) throws InterruptedException {
        long start = System.nanoTime();
        while (told(kind).size() < count) {
            if (stopped.getAsBoolean()) {
                throw new Failure("stopped", ExitCode.INTERRUPTED);
            }
            takeNext();
            requireNoSilence();
            if (System.nanoTime() - start > patience.toNanos()) {
                int late = (int) injectors.stream()
                        .takeWhile(one -> one.told.containsKey(kind))
                        .count();
                throw failure(late, "did not " + what + " within " + seconds(patience));
            }
        }
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

    private void takeNext() throws InterruptedException {
        Runnable event = events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (event != null) {
            event.run();
        }
    }

    private void requireNoSilence() {
        for (Injector injector : injectors) {
            Duration silent = Duration.ofNanos(System.nanoTime() - injector.heardNanos);
            if (!injector.gone && !injector.ended && silent.compareTo(longestSilence) > 0) {
                // Anything more from it would come too late: the others need not wait for it.
                injector.process.destroyForcibly();
                injector.gone = true;
                throw failure(injector.number, "has said nothing for " + seconds(silent));
            }
        }
    }

    Failure failure(int injector, String what) {
        return failure(injector, what, ExitCode.INCONCLUSIVE);
    }

    private Failure failure(int injector, String what, ExitCode code) {
        String where = String.format(Locale.ROOT, place, injector);
        return new Failure("injector " + (injector + 1) + " of " + count + " (" + where + ") " + what, code);
    }

    /**
     * The remaining ones are told to end by the end of their input, and hand over what they have; those that do not end are ended. Closing
     * twice is harmless.
     */
    @Override
    public void close() {
        if (!stopping) {
            stopping = true;
            sender.execute(() -> injectors.forEach(one -> one.sayNoMore()));
            sender.shutdown();
        }
        long until = System.nanoTime() + ENDING.toNanos();
        while (!injectors.stream().allMatch(one -> one.gone) && System.nanoTime() - until < 0) {
            try {
                takeNext();
            } catch (Failure another) {
                // The first failure is the one to report.
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        injectors.forEach(injector -> injector.process.destroyForcibly());
    }

    /** One injector: what it says goes into a queue that all share. */
    private final class Injector extends Link {
        /** A process ends a moment after its output. */
        private static final long FATE_SECONDS = 6;

        private static final Duration LAST_WORDS = Duration.ofSeconds(1);

        private final int number;
        private final Process process;
        private final Thread errors;

        private volatile String lastError = "";
        /** Whether its end is still to be handled. */
        private volatile boolean ended;

        // Of the coordinator's thread alone.
        /** Its last frame of each kind. */
        private final Map<Class<?>, Frame> told = new HashMap<>();
        /** Whether nothing more is expected from it. */
        private boolean gone;

        Injector(int number, Process process) {
            super(process.inputReader(StandardCharsets.UTF_8), process.getOutputStream());
            this.number = number;
            this.process = process;
            String name = "siemload-injector-" + (number + 1);
            this.errors = DaemonThread.start(name + "-errors", this::readErrors);
            DaemonThread.start(name + "-out", this::listen);
        }

        /** Its other output: the last line says why it ended. */
        private void readErrors() {
            try (Stream<String> lines =
                    process.errorReader(StandardCharsets.UTF_8).lines()) {
                lines.filter(line -> !line.isBlank()).forEach(line -> lastError = line.strip());
            } catch (UncheckedIOException ended) {
                // What was read so far is all there is.
            }
        }

        private void listen() {
            String broken = listen(frame -> events.add(() -> hasSaid(frame)));
            ended = true;
            events.add(() -> isLost(broken));
        }

        private void hasSaid(Frame frame) {
            if (frame instanceof Frame.Failed failed) {
                throw failure(number, "cannot go on: " + failed.message(), failed.code());
            }
            told.put(frame.getClass(), frame);
            hearing.accept(number, frame);
        }

        /** @param broken why nothing more is heard of it; empty where its output has ended: then that is known some seconds later */
        private void isLost(String broken) {
            gone = true;
            if (!stopping && !told.containsKey(Frame.Checked.class)) {
                Process unused = process.onExit()
                        .completeOnTimeout(process, FATE_SECONDS, TimeUnit.SECONDS)
                        .join();
                String fate =
                        process.isAlive() ? "has closed its output" : "has ended with exit code " + process.exitValue();
                DaemonThread.awaitEnd(List.of(errors), LAST_WORDS);
                String last = lastError.isEmpty() ? "" : "; it said last: " + lastError;
                throw failure(number, (broken.isEmpty() ? fate : broken) + last);
            }
        }
    }

    /** One end of a connection over which frames go. Thread-safe; one thread listens. */
    static class Link {
        private final BufferedReader input;
        private final OutputStream output;
        /** When the other end has last said something. */
        volatile long heardNanos = System.nanoTime();

        Link(BufferedReader input, OutputStream output) {
            this.input = input;
            this.output = output;
        }

        /**
         * Passes on what the other end says, but for its signs of life, until it ends.
         *
         * @return why it cannot be understood; empty if it has ended
         */
        String listen(Consumer<Frame> hearer) {
            try {
                for (Optional<Frame> read = Frame.read(input); read.isPresent(); read = Frame.read(input)) {
                    heardNanos = System.nanoTime();
                    read.filter(said -> !(said instanceof Frame.Heartbeat)).ifPresent(hearer);
                }
                return "";
            } catch (IOException unreadable) {
                return "cannot be understood: " + unreadable.getMessage();
            }
        }

        void say(Frame frame) {
            say(frame.line());
        }

        synchronized void say(byte[] line) {
            try {
                output.write(line);
                output.flush();
            } catch (IOException gone) {
                // Nobody reads it: then the other direction has ended, too, which is noticed there.
            }
        }

        void sayNoMore() {
            try {
                output.close();
            } catch (IOException gone) {
                // It is closed, then.
            }
        }
    }

    /**
     * A message between an injector and its coordinator, each a line of JSON in UTF-8, in this order: {@link Part}, {@link Ready}, {@link
     * Start}, {@link Agreed}, {@link Second} after second, {@link Ended}, {@link Check} once or more, {@link Checked}; a {@link Heartbeat}
     * at any time. Immutable.
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "frame")
    sealed interface Frame {

        /**
         * Sent to an injector as the first frame: its part of the run. Its text shows no secret.
         *
         * @param version of siemload, which must be the injector's own
         * @param settings that were given, by the names of properties; the injector derives the others from them
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

        /** To an injector: when to begin, in nanoseconds since 1970 by the server's clock. */
        record Start(long serverNanos) implements Frame {}

        /** From an injector: it has the start time, and is in time for it. */
        record Agreed() implements Frame {}

        /**
         * From an injector: the measurements of one second.
         *
         * @param second its end, in seconds from the start of the measured phase, negative before it
         * @param entries the fate of its batches, with instants since the agreed start
         */
        record Second(double second, RecordedSearches measured, List<FeedLedger.Entry> entries) implements Frame {}

        /**
         * From an injector: its load is over, with what it did not report second by second.
         *
         * @param endSecond when, in seconds from the start of the measured phase
         * @param result of its part
         * @param stored the fate of its events, where it has a store of its own; empty, or one
         */
        record Ended(Ending ending, double endSecond, InjectorResult result, List<StoredEvents> stored)
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
                    .registerSubtypes(Objects.requireNonNull(Frame.class.getPermittedSubclasses(), "it is sealed"))
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .build();

            private Lines() {}
        }
    }
}
