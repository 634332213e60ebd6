package siemload.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import siemload.load.Injectors.Frame;

/** An injector that says and hears what a test wants; it ends when its input does, unless it is stopped or has ended before. */
final class FakeInjector extends Process {
    private static final int BUFFER = 1 << 20;

    private final PipedOutputStream says = new PipedOutputStream();
    private final PipedInputStream output;
    private final BufferedReader hears;
    private final PipedOutputStream input;
    private final CompletableFuture<Process> end = new CompletableFuture<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fake-heart");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Optional<Frame> lastWords = Optional.empty();
    private volatile boolean killed;
    private volatile boolean stopped;

    private volatile int code;

    FakeInjector() throws IOException {
        output = new PipedInputStream(says, BUFFER) {
            @Override
            public synchronized int read() throws IOException {
                try {
                    return super.read();
                } catch (IOException writerHasEnded) {
                    return -1; // the thread that wrote ended before the stream was closed, as a killed process does
                }
            }
        };
        PipedInputStream told = new PipedInputStream(BUFFER);
        hears = new BufferedReader(new InputStreamReader(told, StandardCharsets.UTF_8));
        input = new PipedOutputStream(told) {
            @Override
            public void close() throws IOException {
                super.close();
                if (!stopped && !end.isDone()) {
                    lastWords.ifPresent(FakeInjector.this::says);
                    ends(130);
                }
            }
        };
    }

    /** Starts such ones, which are added here by their numbers. */
    static Injectors.Launch into(List<FakeInjector> started) {
        return index -> {
            FakeInjector injector = new FakeInjector();
            started.add(injector);
            return injector;
        };
    }

    /** Says from now on that it lives, until it is stopped. */
    void lives() {
        var unused =
                heart.scheduleAtFixedRate(this::beat, 0, Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beat() {
        synchronized (says) {
            if (!stopped && !heart.isShutdown()) {
                says(new Frame.Heartbeat());
            }
        }
    }

    /** Says this, and ends, when its input does. */
    void endsWith(Frame last) {
        lastWords = Optional.of(last);
    }

    /** Says nothing more, hears nothing more, and does not end by itself. */
    void isStopped() {
        stopped = true;
    }

    void says(Frame frame) {
        say(() -> {
            says.write(frame.line());
            says.flush();
        });
    }

    /** Says something that is no frame, or a part of one, into which no sign of life may come. */
    void says(String text) {
        say(() -> {
            heart.shutdownNow();
            says.write(text.getBytes(StandardCharsets.UTF_8));
            says.flush();
        });
    }

    private interface Saying {
        void say() throws IOException;
    }

    private void say(Saying saying) {
        try {
            synchronized (says) {
                saying.say();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private Optional<Frame> next() {
        try {
            return Frame.read(hears);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Its output ends before anybody knows why. */
    void falls() {
        heart.shutdownNow();
        say(says::close);
    }

    /** Waits until somebody wants to know what became of it. */
    boolean isAskedForItsFate() throws InterruptedException {
        return asked.await(30, TimeUnit.SECONDS);
    }

    /** What became of it, by the system. */
    void isSaidToHaveEnded(int exitCode) {
        if (!end.isDone()) {
            code = exitCode;
            end.complete(this);
        }
    }

    /** Whether it is told this frame before its input ends. */
    boolean isTold(Class<? extends Frame> kind) {
        Optional<Frame> told = next();
        while (told.isPresent() && !kind.isInstance(told.orElseThrow())) {
            told = next();
        }
        return told.isPresent();
    }

    void ends(int exitCode) {
        isSaidToHaveEnded(exitCode);
        falls();
    }

    boolean isKilled() {
        return killed;
    }

    @Override
    public InputStream getInputStream() {
        return output;
    }

    @Override
    public OutputStream getOutputStream() {
        return input;
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public ProcessHandle toHandle() {
        return ProcessHandle.current();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        asked.countDown();
        return end.copy();
    }

    @Override
    public int waitFor() {
        return end.join().exitValue();
    }

    @Override
    public int exitValue() {
        if (!end.isDone()) {
            throw new IllegalThreadStateException("it runs");
        }
        return code;
    }

    @Override
    public void destroy() {
        heart.shutdownNow();
        killed = true;
        isSaidToHaveEnded(137);
    }
}
