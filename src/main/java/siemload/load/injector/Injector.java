package siemload.load.injector;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import siemload.config.DaemonThread;

/**
 * One injector, as it is seen from where it is coordinated: what it says goes to a queue that all share, and what is said to it
 * waits in one of its own, so that nobody waits for an injector that hangs. Thread-safe.
 */
final class Injector {
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
            for (Optional<Frame> frame = FrameLines.read(stream); frame.isPresent(); frame = FrameLines.read(stream)) {
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
