package siemload.load.injector;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import siemload.config.DaemonThread;
import siemload.run.ExitCode;

/**
 * All injectors of a run. Whatever becomes of one is noticed here, within seconds: its end, its silence, words that are none.
 * Used by one thread.
 */
final class InjectorGroup implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final Duration ENDING = Duration.ofSeconds(4);

    private final InjectorHost place;
    private final int count;
    private final BooleanSupplier stopped;
    private final BlockingQueue<Injector.Event> events = new LinkedBlockingQueue<>();
    private final List<Injector> injectors = new ArrayList<>();
    /** Those that have done all there was to do. */
    private final Set<Integer> done = new HashSet<>();

    /** Those that nothing more is to be heard of. */
    private final Set<Integer> gone = new HashSet<>();

    /** @param stopped whether the process is being stopped; asked again and again */
    InjectorGroup(InjectorHost place, int count, BooleanSupplier stopped) {
        this.place = place;
        this.count = count;
        this.stopped = stopped;
    }

    /** Takes what an injector says. */
    @FunctionalInterface
    interface Hearing {
        void hear(int injector, Frame frame) throws InjectorFailure;
    }

    int size() {
        return count;
    }

    /** Starts all of them, and tells each its part. */
    void start(IntFunction<Frame> parts) throws InjectorFailure {
        for (int i = 0; i < count && !stopped.getAsBoolean(); i++) {
            try {
                injectors.add(Injector.over(i, place.start(i), events));
            } catch (IOException | IllegalStateException refused) {
                throw failure(i, "cannot be started: " + refused.getMessage(), ExitCode.INCONCLUSIVE);
            }
            say(i, parts.apply(i));
        }
    }

    void say(int injector, Frame frame) {
        injectors.get(injector).say(frame);
    }

    void sayToAll(Frame frame) {
        byte[] line = FrameLines.line(frame);
        injectors.forEach(injector -> injector.say(frame, line));
    }

    /**
     * Hears what they say until each of them has done something.
     *
     * @param isDone whether one of them has, by its number
     * @param patience how long that may take
     * @param what they are doing, for messages: {@code begin}
     * @return whether all have; not where the process is being stopped
     * @throws InjectorFailure if one of them fails, with what became of it
     */
    boolean hearUntil(IntPredicate isDone, Duration patience, String what, Hearing hearing)
            throws InjectorFailure, InterruptedException {
        long start = System.nanoTime();
        for (OptionalInt missing = firstBut(isDone); missing.isPresent(); missing = firstBut(isDone)) {
            if (stopped.getAsBoolean()) {
                return false;
            }
            Optional<Injector.Event> event = next();
            if (event.isPresent()) {
                take(event.orElseThrow(), hearing);
            }
            requireNoSilence();
            if (System.nanoTime() - start > patience.toNanos()) {
                throw failure(
                        missing.getAsInt(),
                        String.format(
                                Locale.ROOT,
                                "did not %s within %.1f s",
                                what,
                                Math.max(0, patience.toMillis()) / 1000.0),
                        ExitCode.INCONCLUSIVE);
            }
        }
        return true;
    }

    private OptionalInt firstBut(IntPredicate those) {
        return IntStream.range(0, count).filter(those.negate()).findFirst();
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
            Optional<Injector.Event> event = next();
            if (event.filter(said -> said.frame().isEmpty()).isPresent()) {
                // Why it is lost may take a while to be known, and nobody will be told.
                gone.add(event.orElseThrow().injector());
            } else if (event.isPresent()) {
                try {
                    take(event.orElseThrow(), hearing);
                } catch (InjectorFailure another) {
                    // The first one is what has to be said.
                }
            }
        }
    }

    private Optional<Injector.Event> next() throws InterruptedException {
        return Optional.ofNullable(events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void take(Injector.Event event, Hearing hearing) throws InjectorFailure {
        if (event.frame().isEmpty() && done.contains(event.injector())) {
            return;
        }
        if (event.frame().isEmpty()) {
            gone.add(event.injector());
            throw failure(event.injector(), event.loss().get(), ExitCode.INCONCLUSIVE);
        }
        if (event.frame().orElseThrow() instanceof Frame.Failed failed) {
            gone.add(event.injector());
            ExitCode code = Arrays.stream(ExitCode.values())
                    .filter(known -> known.number() == failed.code())
                    .findFirst()
                    .orElse(ExitCode.BUG);
            throw failure(event.injector(), "cannot go on: " + failed.message(), code);
        }
        hearing.hear(event.injector(), event.frame().orElseThrow());
    }

    private void requireNoSilence() throws InjectorFailure {
        for (int i = 0; i < injectors.size(); i++) {
            Optional<Duration> silence = injectors.get(i).tooSilentFor();
            if (silence.isPresent()) {
                // Whatever it would still say comes too late: the others need not wait for it.
                injectors.get(i).kill();
                gone.add(i);
                throw failure(
                        i,
                        String.format(
                                Locale.ROOT,
                                "has said nothing for %.1f s",
                                silence.orElseThrow().toMillis() / 1000.0),
                        ExitCode.INCONCLUSIVE);
            }
        }
    }

    /** One of them has done all that there was to do, and may end. */
    void done(int injector) {
        done.add(injector);
    }

    /** A failure of one of them, by its name. */
    InjectorFailure failure(int injector, String what, ExitCode code) {
        String where = injector < injectors.size() ? injectors.get(injector).place() : place.place();
        return new InjectorFailure("injector " + (injector + 1) + " of " + count + " (on " + where + ") " + what, code);
    }

    /** What became of one of them, for people: waits some seconds until that is known, and is empty where it is not. */
    Optional<String> fate(int injector) {
        return injectors.get(injector).fate();
    }

    /** Those that are left are told to end, which takes them a moment, and then ended; closing twice is harmless. */
    @Override
    public void close() {
        long until = System.nanoTime() + ENDING.toNanos();
        injectors.forEach(Injector::leave);
        injectors.forEach(injector -> injector.awaitEnd(Duration.ofNanos(Math.max(0, until - System.nanoTime()))));
        injectors.forEach(Injector::kill);
        place.close();
    }

    /**
     * One injector, as it is seen from where it is coordinated: what it says goes to a queue that all share, and what is said to it
     * waits in one of its own, so that nobody waits for an injector that hangs. Thread-safe.
     */
    private static final class Injector {
        /** An injector that makes a load lives if it says something every second. */
        private static final Duration SILENCE = Duration.ofSeconds(5);
        /** Where many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
        private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);

        /** A cluster tells what became of a pod a moment after its output has ended. */
        private static final long FATE_SECONDS = 6;

        private static final long HEARTBEAT_SECONDS = 1;
        private static final byte[] HEARTBEAT = FrameLines.line(new Frame.Heartbeat());

        private final int number;
        private final InjectorChannel channel;
        /** The lines that are to be said to it; empty, and last, that there is nothing more. */
        private final BlockingQueue<Optional<byte[]>> outbox = new LinkedBlockingQueue<>();

        private volatile long heardNanos = System.nanoTime();
        private volatile Duration patience = SILENCE_BEFORE_START;
        private volatile boolean runs;
        private volatile boolean ended;

        private Injector(int number, InjectorChannel channel) {
            this.number = number;
            this.channel = channel;
        }

        /**
         * Something that an injector said, or that became of it.
         *
         * @param injector its number, from 0
         * @param frame empty where nothing more comes
         * @param loss why that is, which may take seconds to be known: it is asked for by who takes the event, so that events are
         *     in the order in which injectors were lost
         */
        record Event(int injector, Optional<Frame> frame, Supplier<String> loss) {}

        /** Starts to talk to an injector. */
        static Injector over(int number, InjectorChannel channel, BlockingQueue<Event> events) {
            Injector injector = new Injector(number, channel);
            DaemonThread.start("siemload-injector-" + (number + 1) + "-in", injector::send);
            DaemonThread.start("siemload-injector-" + (number + 1) + "-out", () -> injector.listen(events));
            return injector;
        }

        /** Says something to it; never waits. */
        void say(Frame frame) {
            say(frame, FrameLines.line(frame));
        }

        /** The same whose line is known, and not changed any more: many are told the same. */
        void say(Frame frame, byte[] line) {
            if (frame instanceof Frame.Start) {
                heardNanos = System.nanoTime();
                patience = SILENCE;
            }
            outbox.add(Optional.of(line));
        }

        /** Where it is, for people. */
        String place() {
            return channel.place();
        }

        /** What became of it, for people; empty where that is not known soon. */
        Optional<String> fate() {
            return Optional.of(channel.fate()
                            .completeOnTimeout("", FATE_SECONDS, TimeUnit.SECONDS)
                            .join())
                    .filter(known -> !known.isEmpty());
        }

        /** How long it has been silent for too long; empty while it is not, before it runs, and when it has ended. */
        Optional<Duration> tooSilentFor() {
            Duration silent = Duration.ofNanos(System.nanoTime() - heardNanos);
            return ended || !runs || silent.compareTo(patience) <= 0 ? Optional.empty() : Optional.of(silent);
        }

        /** Tells it that nobody coordinates it any more; never waits. */
        void leave() {
            outbox.add(Optional.empty());
        }

        /** Waits until it has ended. */
        void awaitEnd(Duration atMost) {
            String unused = channel.fate()
                    .completeOnTimeout("", atMost.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        }

        /** Ends it at once. */
        void kill() {
            ended = true;
            channel.kill();
        }

        private void listen(BlockingQueue<Event> events) {
            InputStream output;
            try {
                output = channel.output();
            } catch (IOException neverRan) {
                lost(events, () -> withLastWords(String.valueOf(neverRan.getMessage())));
                return;
            }
            heardNanos = System.nanoTime();
            runs = true;
            try (InputStream stream = new BufferedInputStream(output)) {
                for (Optional<Frame> frame = FrameLines.read(stream);
                        frame.isPresent();
                        frame = FrameLines.read(stream)) {
                    heardNanos = System.nanoTime();
                    if (!(frame.orElseThrow() instanceof Frame.Heartbeat)) {
                        events.add(new Event(number, frame, () -> ""));
                    }
                }
                lost(events, () -> withLastWords(fate().orElse("has ended")));
            } catch (IOException broken) {
                lost(events, () -> withLastWords("cannot be understood: " + broken.getMessage()));
            } catch (RuntimeException bug) {
                lost(events, () -> withLastWords("cannot be understood: " + bug));
            }
        }

        private void lost(BlockingQueue<Event> events, Supplier<String> why) {
            ended = true;
            events.add(new Event(number, Optional.empty(), why));
        }

        private String withLastWords(String what) {
            String said = channel.diagnostics().strip();
            String last = said.substring(said.lastIndexOf('\n') + 1);
            return what + (last.isEmpty() ? "" : "; it said last: " + last);
        }

        /** What there is to say, and every second that somebody is there to say it. */
        private void send() {
            try (OutputStream stream = channel.input()) {
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
