package siemload.load.injector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An injector that says and hears what a test wants; it ends when its input does, unless it is stopped or has ended before. */
final class FakeInjector implements InjectorChannel {
    private static final int BUFFER = 1 << 20;

    private final PipedOutputStream says = new PipedOutputStream();
    private final PipedInputStream output;
    private final PipedInputStream hears = new PipedInputStream(BUFFER);
    private final PipedOutputStream input;
    private final CompletableFuture<OptionalInt> exit = new CompletableFuture<>();
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fake-heart");
        thread.setDaemon(true);
        return thread;
    });
    private volatile String diagnostics = "";
    private volatile boolean killed;
    private volatile boolean stopped;

    FakeInjector() throws IOException {
        output = new PipedInputStream(says, BUFFER);
        input = new PipedOutputStream(hears) {
            @Override
            public void close() throws IOException {
                super.close();
                if (!stopped) {
                    exit.complete(OptionalInt.of(130));
                }
            }
        };
    }

    /** Says from now on that it lives, until it is stopped. */
    void lives() {
        var unused = heart.scheduleAtFixedRate(
                () -> {
                    if (!stopped) {
                        says(new Frame.Heartbeat());
                    }
                },
                0,
                Duration.ofSeconds(1).toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Says nothing more, hears nothing more, and does not end by itself. */
    void isStopped() {
        stopped = true;
    }

    void says(Frame frame) {
        try {
            synchronized (says) {
                FrameLines.write(says, frame);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Says something that is no frame, or a part of one. */
    void says(String text) {
        try {
            synchronized (says) {
                says.write(text.getBytes(StandardCharsets.UTF_8));
                says.flush();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** What it says on its errors. */
    void saysToPeople(String text) {
        diagnostics = text;
    }

    /** The next frame that it is told. */
    Frame hears() throws IOException {
        return FrameLines.read(hears).orElseThrow();
    }

    /** Whether it is told this frame before its input ends. */
    boolean isTold(Class<? extends Frame> kind) throws IOException {
        for (Optional<Frame> told = FrameLines.read(hears); told.isPresent(); told = FrameLines.read(hears)) {
            if (kind.isInstance(told.orElseThrow())) {
                return true;
            }
        }
        return false;
    }

    void ends(int code) {
        heart.shutdownNow();
        exit.complete(OptionalInt.of(code));
        try {
            synchronized (says) {
                says.close();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    boolean isKilled() {
        return killed;
    }

    @Override
    public InputStream output() {
        return output;
    }

    @Override
    public OutputStream input() {
        return input;
    }

    @Override
    public String diagnostics() {
        return diagnostics;
    }

    @Override
    public CompletableFuture<OptionalInt> exit() {
        return exit;
    }

    @Override
    public void kill() {
        heart.shutdownNow();
        killed = true;
        exit.complete(OptionalInt.empty());
    }
}
