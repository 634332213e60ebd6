package siemload.load.injector;

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
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private final String place;
    private final int count;
    private final BooleanSupplier stopped;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Injector> injectors = new ArrayList<>();
    private Hearing hearing = (injector, frame) -> {};

    /**
     * @param place where they are started, for people, with {@code %d} for its number: {@code on this machine}
     * @param stopped whether the process is being stopped; asked again and again
     */
    Injectors(Launch launch, String place, int count, BooleanSupplier stopped) {
        this.launch = launch;
        this.place = place;
        this.count = count;
        this.stopped = stopped;
    }

    /** Those that a run asks for. */
    static Injectors of(RunPlan plan, RunProcesses processes, BooleanSupplier stopped) {
        Optional<String> via = plan.settings().find(Property.VIA);
        return new Injectors(
                index -> processes.startInjector(via.map(command -> command.replace("{n}", String.valueOf(index)))),
                via.isPresent() ? "by -Dvia with {n} = %d" : "on this machine",
                plan.injectors(),
                stopped);
    }

    /** Starts an injector, by its number from 0. */
    @FunctionalInterface
    interface Launch {
        Process start(int index) throws IOException;
    }

    /** Takes what an injector says, once that is noted. */
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
            injectors.get(i).outbox.add(Optional.of(parts.apply(i).line()));
        }
    }

    /** Says something to each of them; never waits. */
    void sayToAll(Frame frame) {
        Optional<byte[]> line = Optional.of(frame.line());
        injectors.forEach(injector -> {
            if (frame instanceof Frame.Start) {
                injector.begins();
            }
            injector.outbox.add(line);
        });
    }

    /** What is done with all that they say from now on. */
    void onFrame(Hearing then) {
        hearing = then;
    }

    /**
     * Hears what they say until each of them has said such a thing.
     *
     * @param patience how long that may take
     * @param what they are doing, for messages: {@code begin}
     * @return whether all have; not where the process is being stopped
     * @throws Failure if one of them fails, with what became of it
     */
    boolean hearUntil(Class<? extends Frame> kind, Duration patience, String what)
            throws Failure, InterruptedException {
        long start = System.nanoTime();
        for (OptionalInt missing = missing(kind); missing.isPresent(); missing = missing(kind)) {
            if (stopped.getAsBoolean()) {
                return false;
            }
            Event event = next();
            if (event != null) {
                take(event);
            }
            requireNoSilence();
            if (System.nanoTime() - start > patience.toNanos()) {
                throw failure(
                        missing.getAsInt(), "did not " + what + " within " + seconds(patience), ExitCode.INCONCLUSIVE);
            }
        }
        return true;
    }

    /** What they have said of this kind last, by their numbers. */
    <F extends Frame> Map<Integer, F> told(Class<F> kind) {
        Map<Integer, F> all = new TreeMap<>();
        for (Injector injector : injectors) {
            Frame frame = injector.told.get(kind);
            if (frame != null) {
                all.put(injector.number, kind.cast(frame));
            }
        }
        return all;
    }

    private OptionalInt missing(Class<? extends Frame> kind) {
        return IntStream.range(0, count)
                .filter(i -> i >= injectors.size() || !injectors.get(i).told.containsKey(kind))
                .findFirst();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", Math.max(0, duration.toMillis()) / 1000.0);
    }

    /**
     * Ends those that are left, and hears what they still have to say; whatever becomes of them.
     *
     * @param last what they say last
     */
    void stop(Class<? extends Frame> last, Duration patience) throws InterruptedException {
        sayToAll(new Frame.Stop());
        long until = System.nanoTime() + patience.toNanos();
        while (injectors.stream().anyMatch(one -> !one.gone && !one.told.containsKey(last))
                && System.nanoTime() - until < 0) {
            Event event = next();
            if (event != null && event.frame().isEmpty()) {
                injectors.get(event.injector()).gone = true;
            } else if (event != null) {
                try {
                    take(event);
                } catch (Failure another) {
                    // The first one is what has to be said.
                }
            }
        }
    }

    private @Nullable Event next() throws InterruptedException {
        return events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void take(Event event) throws Failure {
        int number = event.injector();
        Injector injector = injectors.get(number);
        if (event.frame().isEmpty()) {
            if (!injector.told.containsKey(Frame.Checked.class)) {
                injector.gone = true;
                throw failure(number, injector.loss(event.broken()), ExitCode.INCONCLUSIVE);
            }
        } else if (event.frame().orElseThrow() instanceof Frame.Failed failed) {
            injector.gone = true;
            ExitCode code = Arrays.stream(ExitCode.values())
                    .filter(known -> known.number() == failed.code())
                    .findFirst()
                    .orElse(ExitCode.BUG);
            throw failure(number, "cannot go on: " + failed.message(), code);
        } else {
            Frame frame = event.frame().orElseThrow();
            injector.told.put(frame.getClass(), frame);
            hearing.hear(number, frame);
        }
    }

    private void requireNoSilence() throws Failure {
        for (Injector injector : injectors) {
            Duration silent = Duration.ofNanos(System.nanoTime() - injector.heardNanos);
            if (!injector.ended && silent.compareTo(injector.patience) > 0) {
                // Whatever it would still say comes too late: the others need not wait for it.
                injector.kill();
                injector.gone = true;
                throw failure(injector.number, "has said nothing for " + seconds(silent), ExitCode.INCONCLUSIVE);
            }
        }
    }

    /** A failure of one of them, by its name. */
    Failure failure(int injector, String what, ExitCode code) {
        return new Failure(
                "injector " + (injector + 1) + " of " + count + " (" + String.format(Locale.ROOT, place, injector)
                        + ") " + what,
                code);
    }

    /** Those that are left are told to end, which takes them a moment, and then ended; closing twice is harmless. */
    @Override
    public void close() {
        long until = System.nanoTime() + ENDING.toNanos();
        injectors.forEach(injector -> injector.outbox.add(Optional.empty()));
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
        private static final Duration FATE = Duration.ofSeconds(6);

        private static final Duration HEARTBEAT = Duration.ofSeconds(1);
        private static final Optional<byte[]> BEAT = Optional.of(new Frame.Heartbeat().line());

        private final int number;
        private final Process process;
        private final BlockingQueue<Event> events;
        private final Thread errors;
        /** The lines that are to be said to it; empty, and last, that there is nothing more. */
        private final BlockingQueue<Optional<byte[]>> outbox = new LinkedBlockingQueue<>();

        private volatile long heardNanos = System.nanoTime();
        private volatile Duration patience = SILENCE_BEFORE_START;
        private volatile boolean ended;
        private volatile String lastError = "";

        /** What it has said last of each kind; of the coordinator's thread alone. */
        private final Map<Class<?>, Frame> told = new HashMap<>();
        /** Whether nothing more is to be heard of it; of the coordinator's thread alone. */
        private boolean gone;

        /** Starts to talk to an injector. */
        Injector(int number, Process process, BlockingQueue<Event> events) {
            this.number = number;
            this.process = process;
            this.events = events;
            String name = "siemload-injector-" + (number + 1);
            this.errors = DaemonThread.start(name + "-errors", this::readErrors);
            DaemonThread.start(name + "-in", this::send);
            DaemonThread.start(name + "-out", this::listen);
        }

        /** From now on it may be silent for no more than some seconds. */
        void begins() {
            heardNanos = System.nanoTime();
            patience = SILENCE;
        }

        void awaitEnd(Duration atMost) {
            Process unused = process.onExit()
                    .completeOnTimeout(process, atMost.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }

        /** Ends it at once. */
        void kill() {
            ended = true;
            process.destroyForcibly();
        }

        /** Why nothing more is heard of it, for people: waits some seconds until that is known. */
        String loss(String broken) {
            awaitEnd(FATE);
            String what = broken;
            if (broken.isEmpty()) {
                what = process.isAlive() ? "has closed its output" : "has ended with exit code " + process.exitValue();
            }
            DaemonThread.awaitEnd(List.of(errors), HEARTBEAT);
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

        private void listen() {
            String broken = "";
            try (BufferedReader stream = process.inputReader(StandardCharsets.UTF_8)) {
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
                    next = Objects.requireNonNullElse(outbox.poll(HEARTBEAT.toSeconds(), TimeUnit.SECONDS), BEAT);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (IOException gone) {
                // Nobody reads: its output has ended, too, which is noticed there.
            }
        }
    }
}
