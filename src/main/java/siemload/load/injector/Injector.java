package siemload.load.injector;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One injector, as it is seen from where it is coordinated: what it says goes to a queue that all share, and what is said to it
 * waits in one of its own, so that nobody waits for an injector that hangs. Thread-safe.
 */
final class Injector {
    /** An injector that makes a load lives if it says something every second. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** Where many processes, or containers, start at once, each may get no CPU for a while; nothing is measured yet. */
    private static final Duration SILENCE_BEFORE_START = Duration.ofMinutes(2);

    private static final long EXIT_SECONDS = 2;

    private final int number;
    private final InjectorChannel channel;
    /** What is to be said to it; empty, and last, that there is nothing more. */
    private final BlockingQueue<Optional<Frame>> outbox = new LinkedBlockingQueue<>();

    private volatile long heardNanos = System.nanoTime();
    private volatile Duration patience = SILENCE_BEFORE_START;
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
     * @param loss why that is
     */
    record Event(int injector, Optional<Frame> frame, String loss) {}

    /** Starts to talk to an injector. */
    static Injector over(int number, InjectorChannel channel, BlockingQueue<Event> events) {
        Injector injector = new Injector(number, channel);
        daemon("siemload-injector-" + (number + 1) + "-in", injector::send);
        daemon("siemload-injector-" + (number + 1) + "-out", () -> injector.listen(events));
        return injector;
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Says something to it; never waits. */
    void say(Frame frame) {
        if (frame instanceof Frame.Start) {
            heardNanos = System.nanoTime();
            patience = SILENCE;
        }
        outbox.add(Optional.of(frame));
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
        OptionalInt unused = channel.exit()
                .completeOnTimeout(OptionalInt.empty(), atMost.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    /** Ends it at once. */
    void kill() {
        ended = true;
        channel.kill();
    }

    private void listen(BlockingQueue<Event> events) {
        try (InputStream stream = new BufferedInputStream(channel.output())) {
            for (Optional<Frame> frame = FrameLines.read(stream); frame.isPresent(); frame = FrameLines.read(stream)) {
                heardNanos = System.nanoTime();
                if (!(frame.orElseThrow() instanceof Frame.Heartbeat)) {
                    events.add(new Event(number, frame, ""));
                }
            }
            lost(events, "has ended" + exit());
        } catch (IOException broken) {
            lost(events, "cannot be understood: " + broken.getMessage());
        } catch (RuntimeException bug) {
            lost(events, "cannot be understood: " + bug);
        }
    }

    private void lost(BlockingQueue<Event> events, String why) {
        ended = true;
        String said = channel.diagnostics().strip();
        String last = said.substring(said.lastIndexOf('\n') + 1);
        events.add(new Event(number, Optional.empty(), why + (last.isEmpty() ? "" : "; it said last: " + last)));
    }

    private String exit() {
        OptionalInt code = channel.exit()
                .completeOnTimeout(OptionalInt.empty(), EXIT_SECONDS, TimeUnit.SECONDS)
                .join();
        return code.isPresent() ? " with exit code " + code.getAsInt() : "";
    }

    private void send() {
        try (OutputStream stream = channel.input()) {
            for (Optional<Frame> next = outbox.take(); next.isPresent(); next = outbox.take()) {
                FrameLines.write(stream, next.orElseThrow());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException gone) {
            // Nobody reads: its output has ended, too, which is noticed there.
        }
    }
}
