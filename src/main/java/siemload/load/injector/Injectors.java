package siemload.load.injector;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.run.ExitCode;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;

/**
 * All injectors of a run, as their coordinator sees them: processes of this machine, or those of a command that reaches others. It
 * talks to each over its standard input and output, and notices within seconds what becomes of one: its end, its silence, words
 * that are no frame. Used by one thread.
 */
final class Injectors implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final Duration ENDING = Duration.ofSeconds(4);

    private final Launch launch;
    private final int count;
    private final BooleanSupplier stopped;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Injector> injectors = new ArrayList<>();
    /** Those that have done all there was to do. */
    private final Set<Integer> done = new HashSet<>();

    /** Those that nothing more is to be heard of. */
    private final Set<Integer> gone = new HashSet<>();

    /** @param stopped whether the process is being stopped; asked again and again */
    Injectors(Launch launch, int count, BooleanSupplier stopped) {
        this.launch = launch;
        this.count = count;
        this.stopped = stopped;
    }

    /** Those that a run asks for. */
    static Injectors of(RunPlan plan, RunProcesses processes, BooleanSupplier stopped) {
        Optional<String> via = plan.settings().find(Property.VIA);
        Launch launch = new Launch() {
            @Override
            public Process start(int index) throws IOException {
                return processes.startInjector(via.map(command -> command.replace("{n}", String.valueOf(index))));
            }

            @Override
            public String place(int index) {
                return via.isPresent() ? "by -Dvia with {n} = " + index : "on this machine";
            }
        };
        return new Injectors(launch, plan.injectors(), stopped);
    }

    /** How injectors are started, by their numbers from 0. */
    interface Launch {
        Process start(int index) throws IOException;

        /** Where that is, for people: {@code on this machine}. */
        String place(int index);
    }

    /** Takes what an injector says. */
    @FunctionalInterface
    interface Hearing {
        void hear(int injector, Frame frame) throws Failure;
    }

    /** An injector did not do its part, which ends the run. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        private final ExitCode code;

        /** @param code how the run ends where it has not begun */
        Failure(String message, ExitCode code) {
            super(message);
            this.code = code;
        }

        ExitCode code() {
            return code;
        }
    }

    /**
     * Something that an injector said, or that became of it.
     *
     * @param frame empty where nothing more comes
     * @param broken why that is, unless the injector has ended
     */
    private record Event(int injector, Optional<Frame> frame, String broken) {}

    int size() {
        return count;
    }

    /** The numbers of their processes on this machine, and of those that they have started. */
    Set<Long> processes() {
        return injectors.stream()
                .map(injector -> injector.process.toHandle())
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    /** Starts all of them, and tells each its part. */
    void start(IntFunction<Frame> parts) throws Failure {
        for (int i = 0; i < count && !stopped.getAsBoolean(); i++) {
            try {
                injectors.add(new Injector(i, launch.start(i), events));
            } catch (IOException | IllegalStateException refused) {
                throw failure(i, "cannot be started: " + refused.getMessage(), ExitCode.INCONCLUSIVE);
            }
            injectors.get(i).say(parts.apply(i).line());
        }
    }

    void sayToAll(Frame frame) {
        byte[] line = frame.line();
        injectors.forEach(injector -> {
            if (frame instanceof Frame.Start) {
                injector.begins();
            }
            injector.say(line);
        });
    }

    /**
     * Hears what they say until each of them has done something.
     *
     * @param isDone whether one of them has, by its number
     * @param patience how long that may take
     * @param what they are doing, for messages: {@code begin}
     * @return whether all have; not where the process is being stopped
     * @throws Failure if one of them fails, with what became of it
     */
    boolean hearUntil(IntPredicate isDone, Duration patience, String what, Hearing hearing)
            throws Failure, InterruptedException {
        long start = System.nanoTime();
        for (OptionalInt missing = firstBut(isDone); missing.isPresent(); missing = firstBut(isDone)) {
            if (stopped.getAsBoolean()) {
                return false;
            }
            Optional<Event> event = next();
            if (event.isPresent()) {
                take(event.orElseThrow(), hearing);
            }
            requireNoSilence();
            if (System.nanoTime() - start > patience.toNanos()) {
                throw failure(
                        missing.getAsInt(), "did not " + what + " within " + seconds(patience), ExitCode.INCONCLUSIVE);
            }
        }
        return true;
    }

    private OptionalInt firstBut(IntPredicate those) {
        return IntStream.range(0, count).filter(those.negate()).findFirst();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", Math.max(0, duration.toMillis()) / 1000.0);
    }

    /**
     * Ends those that are left, and hears what they still have to say; whatever becomes of them.
     *
     * @param isDone whether one of them has said all, by its number
     */
    void stop(IntPredicate isDone, Duration patience, Hearing hearing) throws InterruptedException {
        sayToAll(new Frame.Stop());
        long start = System.nanoTime();
        while (firstBut(isDone.or(gone::contains)).isPresent() && System.nanoTime() - start < patience.toNanos()) {
            Optional<Event> event = next();
            if (event.filter(said -> said.frame().isEmpty()).isPresent()) {
                gone.add(event.orElseThrow().injector());
            } else if (event.isPresent()) {
                try {
                    take(event.orElseThrow(), hearing);
                } catch (Failure another) {
                    // The first one is what has to be said.
                }
            }
        }
    }

    private Optional<Event> next() throws InterruptedException {
        return Optional.ofNullable(events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void take(Event event, Hearing hearing) throws Failure {
        int number = event.injector();
        if (event.frame().isEmpty()) {
            if (!done.contains(number)) {
                gone.add(number);
                throw failure(number, injectors.get(number).loss(event.broken()), ExitCode.INCONCLUSIVE);
            }
        } else if (event.frame().orElseThrow() instanceof Frame.Failed failed) {
            gone.add(number);
            ExitCode code = Arrays.stream(ExitCode.values())
                    .filter(known -> known.number() == failed.code())
                    .findFirst()
                    .orElse(ExitCode.BUG);
            throw failure(number, "cannot go on: " + failed.message(), code);
        } else {
            hearing.hear(number, event.frame().orElseThrow());
        }
    }

    private void requireNoSilence() throws Failure {
        for (int i = 0; i < injectors.size(); i++) {
            Optional<Duration> silence = injectors.get(i).tooSilentFor();
            if (silence.isPresent()) {
                // Whatever it would still say comes too late: the others need not wait for it.
                injectors.get(i).kill();
                gone.add(i);
                throw failure(i, "has said nothing for " + seconds(silence.orElseThrow()), ExitCode.INCONCLUSIVE);
            }
        }
    }

    /** One of them has done all that there was to do, and may end. */
    void done(int injector) {
        done.add(injector);
    }

    /** A failure of one of them, by its name. */
    Failure failure(int injector, String what, ExitCode code) {
        return new Failure(
                "injector " + (injector + 1) + " of " + count + " (" + launch.place(injector) + ") " + what, code);
    }

    /** Those that are left are told to end, which takes them a moment, and then ended; closing twice is harmless. */
    @Override
    public void close() {
        long until = System.nanoTime() + ENDING.toNanos();
        injectors.forEach(Injector::leave);
        injectors.forEach(injector -> injector.awaitEnd(Duration.ofNanos(Math.max(0, until - System.nanoTime()))));
        injectors.forEach(Injector::kill);
    }

    /**
     * One injector: what it says goes to a queue that all share, and what is said to it waits in one of its own, so that nobody
     * waits for an injector that hangs. Thread-safe.
     */
    private static final class Injector {
        /** An injector that makes a load lives if it says something every second. */
        private static final Duration SILENCE = Duration.ofSeconds(5);
        /** Where many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
        private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);

        /** A process ends a moment after its output. */
        private static final long FATE_SECONDS = 6;

        private static final long HEARTBEAT_SECONDS = 1;
        private static final byte[] HEARTBEAT = new Frame.Heartbeat().line();

        private final int number;
        private final Process process;
        private final Thread errors;
        /** The lines that are to be said to it; empty, and last, that there is nothing more. */
        private final BlockingQueue<Optional<byte[]>> outbox = new LinkedBlockingQueue<>();

        private volatile long heardNanos = System.nanoTime();
        private volatile Duration patience = SILENCE_BEFORE_START;
        private volatile boolean ended;
        private volatile String lastError = "";

        /** Starts to talk to an injector. */
        Injector(int number, Process process, BlockingQueue<Event> events) {
            this.number = number;
            this.process = process;
            String name = "siemload-injector-" + (number + 1);
            this.errors = DaemonThread.start(name + "-errors", this::readErrors);
            DaemonThread.start(name + "-in", this::send);
            DaemonThread.start(name + "-out", () -> listen(events));
        }

        /** Says something to it; never waits. */
        void say(byte[] line) {
            outbox.add(Optional.of(line));
        }

        /** From now on it may be silent for no more than some seconds. */
        void begins() {
            heardNanos = System.nanoTime();
            patience = SILENCE;
        }

        /** How long it has been silent for too long; empty while it is not, and when it has ended. */
        Optional<Duration> tooSilentFor() {
            Duration silent = Duration.ofNanos(System.nanoTime() - heardNanos);
            return ended || silent.compareTo(patience) <= 0 ? Optional.empty() : Optional.of(silent);
        }

        /** Tells it that nobody coordinates it any more; never waits. */
        void leave() {
            outbox.add(Optional.empty());
        }

        /** Waits until it has ended. */
        void awaitEnd(Duration atMost) {
            CompletableFuture<Process> end = process.onExit();
            Process unused = end.completeOnTimeout(process, atMost.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }

        /** Ends it at once. */
        void kill() {
            ended = true;
            process.destroyForcibly();
        }

        /** Why nothing more is heard of it, for people: waits some seconds until that is known. */
        String loss(String broken) {
            awaitEnd(Duration.ofSeconds(FATE_SECONDS));
            String what = broken;
            if (broken.isEmpty()) {
                what = process.isAlive() ? "has closed its output" : "has ended with exit code " + process.exitValue();
            }
            DaemonThread.awaitEnd(List.of(errors), Duration.ofSeconds(HEARTBEAT_SECONDS));
            return what + (lastError.isEmpty() ? "" : "; it said last: " + lastError);
        }

        /** What it says besides: the last line says why it ended. */
        private void readErrors() {
            try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    lastError = line.isBlank() ? lastError : line.strip();
                }
            } catch (IOException ended) {
                // What was read is all there is.
            }
        }

        private void listen(BlockingQueue<Event> events) {
            String broken = "";
            try (InputStream stream = new BufferedInputStream(process.getInputStream())) {
                for (Optional<Frame> frame = Frame.read(stream); frame.isPresent(); frame = Frame.read(stream)) {
                    heardNanos = System.nanoTime();
                    if (!(frame.orElseThrow() instanceof Frame.Heartbeat)) {
                        events.add(new Event(number, frame, ""));
                    }
                }
            } catch (IOException unreadable) {
                broken = "cannot be understood: " + unreadable.getMessage();
            }
            ended = true;
            events.add(new Event(number, Optional.empty(), broken));
        }

        /** What there is to say, and every second that somebody is there to say it. */
        private void send() {
            try (OutputStream stream = process.getOutputStream()) {
                Optional<byte[]> next = outbox.take();
                while (next.isPresent()) {
                    stream.write(next.orElseThrow());
                    stream.flush();
                    next = Objects.requireNonNullElse(
                            outbox.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS), Optional.of(HEARTBEAT));
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (IOException gone) {
                // Nobody reads: its output has ended, too, which is noticed there.
            }
        }
    }
}
