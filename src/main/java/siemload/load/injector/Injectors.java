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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.DaemonThread;
import siemload.run.ExitCode;

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
    private boolean stopping;

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
    private record Event(Injector injector, Optional<Frame> frame, String broken) {}

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
            byte[] part = parts.apply(i).line();
            try {
                injectors.add(new Injector(i, launch.start(i), events, part));
            } catch (IOException | IllegalStateException refused) {
                throw failure(i, "cannot be started: " + refused.getMessage(), ExitCode.INCONCLUSIVE);
            }
        }
    }

    /** Says something to each of them; never waits. */
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

    /** The number of the first one that has not said such a thing. */
    private int toldBefore(Class<? extends Frame> kind) {
        return (int)
                injectors.stream().takeWhile(one -> one.told.containsKey(kind)).count();
    }

    /** What they have said of this kind last, in their order. */
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
     * Ends those that are left, and hears what they still have to say; whatever becomes of them.
     *
     * @param last what they say last
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
                // The first one is what has to be said.
            }
        }
    }

    private void takeNext() throws Failure, InterruptedException {
        Event event = events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (event == null) {
            return;
        }
        Injector injector = event.injector();
        Frame frame = event.frame().orElse(null);
        injector.gone |= frame == null || frame instanceof Frame.Failed;
        if (frame instanceof Frame.Failed failed) {
            ExitCode code = Arrays.stream(ExitCode.values())
                    .filter(known -> known.number() == failed.code())
                    .findFirst()
                    .orElse(ExitCode.BUG);
            throw failure(injector.number, "cannot go on: " + failed.message(), code);
        } else if (frame != null) {
            injector.told.put(frame.getClass(), frame);
            hearing.hear(injector.number, frame);
        } else if (!stopping && !injector.told.containsKey(Frame.Checked.class)) {
            throw failure(injector.number, injector.loss(event.broken()), ExitCode.INCONCLUSIVE);
        }
    }

    private void requireNoSilence() throws Failure {
        for (Injector injector : injectors) {
            Duration silent = Duration.ofNanos(System.nanoTime() - injector.heardNanos);
            if (!injector.gone && !injector.ended && silent.compareTo(injector.patience) > 0) {
                // Whatever it would still say comes too late: the others need not wait for it.
                injector.process.destroyForcibly();
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
        injectors.forEach(Injector::sayNoMore);
        injectors.forEach(injector -> injector.awaitEnd(Duration.ofNanos(Math.max(0, until - System.nanoTime()))));
        injectors.forEach(injector -> injector.process.destroyForcibly());
    }

    /**
     * One injector: what it says goes to a queue that all share, and what is said to it waits in one of its own, so that nobody
     * waits for an injector that hangs.
     */
    private static final class Injector {
        /** An injector that makes a load lives if it says something every second. */
        private static final Duration SILENCE = Duration.ofSeconds(5);
        /** Where many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
        private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);
        /** A process ends a moment after its output. */
        private static final Duration FATE = Duration.ofSeconds(6);

        private static final Duration LAST_WORDS = Duration.ofSeconds(1);
        private static final byte[] BEAT = new Frame.Heartbeat().line();

        private final int number;
        private final Process process;
        private final BlockingQueue<Event> events;
        private final Thread errors;
        private final ScheduledExecutorService sender;

        private volatile long heardNanos = System.nanoTime();
        private volatile String lastError = "";
        /** Whether its end waits to be heard. */
        private volatile boolean ended;

        // Of the coordinator's thread alone.
        /** How long it may be silent: some seconds from the start of the load on. */
        private Duration patience = SILENCE_BEFORE_START;
        /** What it has said last of each kind. */
        private final Map<Class<?>, Frame> told = new HashMap<>();
        /** Whether nothing more is to be heard of it. */
        private boolean gone;

        /** Starts to talk to an injector: tells it its part first, and then every second that somebody is there. */
        Injector(int number, Process process, BlockingQueue<Event> events, byte[] part) {
            this.number = number;
            this.process = process;
            this.events = events;
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

        /** Ends its input, once everything is said. */
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

        /** Why nothing more is heard of it, for people: waits some seconds until that is known. */
        String loss(String broken) {
            awaitEnd(FATE);
            String what = broken;
            if (broken.isEmpty()) {
                what = process.isAlive() ? "has closed its output" : "has ended with exit code " + process.exitValue();
            }
            DaemonThread.awaitEnd(List.of(errors), LAST_WORDS);
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
                        events.add(new Event(this, frame, ""));
                    }
                }
            } catch (IOException unreadable) {
                broken = "cannot be understood: " + unreadable.getMessage();
            }
            ended = true;
            events.add(new Event(this, Optional.empty(), broken));
        }
    }
}
