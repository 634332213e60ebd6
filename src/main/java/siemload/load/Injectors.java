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
 * All injectors of a run, as their coordinator sees them: processes on this machine, or started by a command that reaches other machines.
 * The coordinator communicates with each of them over standard input and output. Within seconds, the coordinator notices an injector that
 * ends, is silent, or sends anything except frames. Used by one thread.
 */
final class Injectors implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final Duration ENDING = Duration.ofSeconds(5);
    /** The longest silence of an injector with a load, which sends a frame every second. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** The longest silence before the load: if many processes or containers start at once, some may get no CPU for a while. */
    private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);

    /** The largest number of characters in a frame: a frame with dozens of histograms or ten thousand batches has fewer. */
    private static final int LONGEST_FRAME = 64 << 20;
    /** Converts frames to lines. A histogram is sent in its own binary form, which is exact and takes no room for empty counts. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(new StdDelegatingSerializer(Histogram.class, new StdConverter<Histogram, byte[]>() {
                        @Override
                        public byte[] convert(Histogram times) {
                            ByteBuffer bytes = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
                            return Arrays.copyOf(bytes.array(), times.encodeIntoByteBuffer(bytes));
                        }
                    }))
                    .addDeserializer(
                            Histogram.class, new StdDelegatingDeserializer<>(new StdConverter<byte[], Histogram>() {
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

    private final String place;
    final int count;
    final BooleanSupplier stopped;
    /** Frames and failures of injectors, to be handled by the thread that coordinates the injectors. */
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    private final List<Injector> injectors = new CopyOnWriteArrayList<>();
    /**
     * Sends frames to the injectors, so that the coordinator need not wait for an injector that hangs. The other injectors receive later
     * frames once the hanging one has been found silent and has been ended.
     */
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-injectors-in"));
    /** Called with each frame of an injector, except failures and signs of life. */
    BiConsumer<Integer, Frame> hearing = (injector, frame) -> {};

    private Duration longestSilence = SILENCE_BEFORE_START;
    private boolean stopping;

    /**
     * @param place where injectors run, for messages, with {@code %d} for an injector's number: {@code on this machine}
     * @param stopped whether the process is being stopped; checked repeatedly
     */
    Injectors(String place, int count, BooleanSupplier stopped) {
        this.place = place;
        this.count = count;
        this.stopped = stopped;
        Runnable beats = () -> injectors.forEach(one -> one.say(new Frame.Heartbeat()));
        var unused = sender.scheduleAtFixedRate(beats, 1, 1, TimeUnit.SECONDS);
    }

    /** Starts the injector with this number, counted from 0. */
    interface Launch {
        Process start(int index) throws IOException;
    }

    /** The failure of an injector, which ends the run. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** The exit code of the run if the load has not begun. */
        final ExitCode code;

        Failure(String message, ExitCode code) {
            super(message);
            this.code = code;
        }
    }

    /** Returns the ids of the injectors' processes on this machine, and of all processes that they have started. */
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
                // This thread sends the part, which is small and must come before any sign of life.
                started.say(parts.apply(i));
                injectors.add(started);
            } catch (IOException | IllegalStateException refused) {
                throw failure(i, "cannot be started: " + refused.getMessage());
            }
        }
    }

    /** Sends a frame to each injector; never blocks. */
    void sayToAll(Frame frame) {
        if (frame instanceof Frame.Start) {
            longestSilence = SILENCE;
            injectors.forEach(one -> one.heardNanos = System.nanoTime());
        }
        byte[] line = frame.line();
        sender.execute(() -> injectors.forEach(one -> one.say(line)));
    }

    /**
     * Waits until each injector has sent a frame of this kind.
     *
     * @param what the task of the injectors, as a verb for messages: {@code end}
     * @throws Failure if an injector fails, with the reason, or if the process is being stopped
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

    /** Returns the last frame of this kind of each injector that has sent one, in the order of the injectors. */
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
                // Later frames of this injector would come too late; the other injectors need not wait for them.
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
     * Ends the remaining injectors. Closing their input tells the injectors to send their last frames and to end; those that do not end
     * within some seconds are killed. Closing twice is harmless.
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

    /** One injector. The frames of all injectors go into one queue. */
    private final class Injector extends Link {
        /** The time to wait for the end of a process, which comes a moment after the end of its output. */
        private static final long FATE_SECONDS = 6;

        private static final Duration LAST_WORDS = Duration.ofSeconds(1);

        private final int number;
        private final Process process;
        private final Thread errors;

        private volatile String lastError = "";
        /** Whether the injector's output has ended. */
        private volatile boolean ended;

        // The next fields are used only by the coordinator's thread:
        /** The last frame of each kind from the injector. */
        private final Map<Class<?>, Frame> told = new HashMap<>();
        /** Whether nothing more is expected from the injector. */
        private boolean gone;

        Injector(int number, Process process) {
            super(process.inputReader(StandardCharsets.UTF_8), process.getOutputStream());
            this.number = number;
            this.process = process;
            String name = "siemload-injector-" + (number + 1);
            this.errors = DaemonThread.start(name + "-errors", this::readErrors);
            DaemonThread.start(name + "-out", this::listen);
        }

        /** Reads the injector's standard error: the last line says why the injector ended. */
        private void readErrors() {
            try (Stream<String> lines =
                    process.errorReader(StandardCharsets.UTF_8).lines()) {
                lines.filter(line -> !line.isBlank()).forEach(line -> lastError = line.strip());
            } catch (UncheckedIOException ended) {
                // No more lines can be read.
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

        /** @param broken the reason why the injector's output cannot be understood; empty if the output has ended */
        private void isLost(String broken) {
            gone = true;
            if (!stopping && !told.containsKey(Frame.Checked.class)) {
                Process unused = process.onExit()
                        .completeOnTimeout(process, FATE_SECONDS, TimeUnit.SECONDS)
                        .join();
                String fate =
                        process.isAlive() ? "has closed its output" : "has ended with exit code " + process.exitValue();
                DaemonThread.awaitEnd(List.of(errors), LAST_WORDS);
                String last = lastError.isEmpty() ? "" : "; the last line of its error output: " + lastError;
                throw failure(number, (broken.isEmpty() ? fate : broken) + last);
            }
        }
    }

    /** One end of a connection for frames. Thread-safe, with one thread that listens. */
    static class Link {
        private final BufferedReader input;
        private final OutputStream output;
        /** The instant at which the other end last sent a frame. */
        volatile long heardNanos = System.nanoTime();

        Link(BufferedReader input, OutputStream output) {
            this.input = input;
            this.output = output;
        }

        /** Passes on all frames except signs of life until the stream ends; returns why it cannot be understood, or an empty text. */
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
                // Nobody reads the output: then the input has ended as well, and its listener notices that end.
            }
        }

        void sayNoMore() {
            try {
                output.close();
            } catch (IOException gone) {
                // The output is closed already.
            }
        }
    }

    /**
     * A message between an injector and its coordinator: a line of JSON in UTF-8. Frames come in this order: {@link Part}, {@link Ready},
     * {@link Start}, {@link Agreed}, {@link Second} once a second, {@link Ended}, {@link Check} once or more, {@link Checked}; a {@link
     * Heartbeat} comes at any time. Immutable.
     */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "frame")
    sealed interface Frame {

        /**
         * Sent to an injector as the first frame: its part of the run. {@code toString} shows no secret.
         *
         * @param version the version of siemload, which the injector must have as well
         * @param settings the settings that were given, by the names of properties; the injector derives all others from these
         * @param store the name with which an injector joins the store of the run
         */
        record Part(String version, Map<String, String> settings, Shard shard, ServerAddress server, String store)
                implements Frame {
            @Override
            public String toString() {
                return "Part[" + shard + "]";
            }
        }

        /** Says that an injector is ready, with the offset of the server's clock from the injector's clock. */
        record Ready(ClockOffset clock) implements Frame {}

        /** Tells an injector when to begin, in nanoseconds since 1970 by the server's clock. */
        record Start(long serverNanos) implements Frame {}

        /** Says that an injector has received the start time early enough. */
        record Agreed() implements Frame {}

        /**
         * Brings an injector's measurements of one second.
         *
         * @param second the end of the second, in seconds from the start of the measured phase; negative before that start
         * @param entries the fate of the injector's batches, with instants since the agreed start
         */
        record Second(double second, RecordedSearches measured, List<FeedLedger.Entry> entries) implements Frame {}

        /**
         * Says that an injector's load is over, with the results that were not reported second by second.
         *
         * @param endSecond when the injector's load ended, in seconds from the start of the measured phase
         * @param stored one element, the fate of the injector's events, if the injector has its own store; otherwise empty
         */
        record Ended(Ending ending, double endSecond, InjectorResult result, List<StoredEvents> stored)
                implements Frame {}

        /**
         * Brings the fate of all fed batches, in one or more frames, to check answers. An injector knows more about its own batches.
         *
         * @param entries each with the earliest instant at which the batch may have been sent, and the latest at which it may have been
         *     acknowledged: clock offsets are uncertain by some microseconds
         */
        record Check(List<FeedLedger.Entry> entries, boolean last) implements Frame {}

        /** Brings the result of an injector's check of answers. Wrong answers have instants since the start of the load. */
        record Checked(CheckedAnswers answers) implements Frame {}

        /** Says that an injector cannot continue, with the exit code of its process. */
        record Failed(String message, ExitCode code) implements Frame {}

        /** Says every second, from either side, that the sender is alive. */
        record Heartbeat() implements Frame {}

        /** Returns the line of the frame, with its line feed. */
        default byte[] line() {
            try {
                return (JSON.writerFor(Frame.class).writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
            } catch (JsonProcessingException bug) {
                throw new IllegalStateException("a frame has no text", bug);
            }
        }

        /** Reads the next frame, if the stream has one. @throws BrokenFileException with the beginning of a line that is no frame */
        static Optional<Frame> read(BufferedReader stream) throws IOException {
            StringBuilder line = new StringBuilder();
            int next = stream.read();
            while (next >= 0 && next != '\n' && line.length() <= LONGEST_FRAME) {
                line.append((char) next);
                next = stream.read();
            }
            if (next < 0 && line.isEmpty()) {
                return Optional.empty();
            }
            try {
                if (next != '\n') {
                    throw new IllegalArgumentException("not a whole line of at most " + LONGEST_FRAME + " characters");
                }
                return Optional.of(Objects.requireNonNull(JSON.readValue(line.toString(), Frame.class)));
            } catch (JsonProcessingException | RuntimeException broken) {
                String shown = line.substring(0, Math.min(80, line.length()));
                throw new BrokenFileException("it sent this instead of a frame: " + shown, broken);
            }
        }
    }
}
