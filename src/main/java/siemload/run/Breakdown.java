package siemload.run;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import siemload.config.DaemonThread;

/**
 * Ends the process after a failure on a thread that no other thread waits for. If memory or threads run out, a worker, the feeder or a user
 * would end silently, and all other threads would wait forever. Everything needed for ending is created at the start. Thread-safe.
 */
public final class Breakdown implements Thread.UncaughtExceptionHandler {
    private static final int SECONDS_TO_GIVE_EVERYTHING_BACK = 10;
    private static final byte[] WITHOUT_MEMORY_FOR_MORE =
            "out of memory (give Java more, or use fewer workers)\n".getBytes(StandardCharsets.UTF_8);

    private final RunHost host;
    private final AtomicBoolean happened = new AtomicBoolean();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final FileOutputStream errors = new FileOutputStream(FileDescriptor.err);
    private volatile ExitCode code = ExitCode.BUG;

    private Breakdown(RunHost host) {
        this.host = host;
    }

    /** Makes a failure on a thread of this process end the process with a message; further calls have no effect. */
    public static void watch(RunHost host) {
        if (Thread.getDefaultUncaughtExceptionHandler() instanceof Breakdown) {
            return;
        }
        Breakdown breakdown = new Breakdown(host);
        DaemonThread.start("siemload-breakdown", () -> breakdown.end(0, host::exit));
        // This halts Java if releasing everything hangs for lack of memory; the server's guard then stops the server.
        DaemonThread.start("siemload-breakdown-late", () -> breakdown.end(SECONDS_TO_GIVE_EVERYTHING_BACK, host::halt));
        // Gatling's plugin asks for a heap dump, which would be written to the checkout; HeapDumpPath still gives one.
        HotSpotDiagnosticMXBean java = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        if (java != null && java.getVMOption("HeapDumpPath").getValue().isEmpty()) {
            java.setVMOption("HeapDumpOnOutOfMemoryError", "false");
        }
        Thread.setDefaultUncaughtExceptionHandler(breakdown);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        boolean isMain = thread.getName().equals("main");
        if (failure instanceof Error || thread.getName().startsWith("siemload") || isMain) {
            happened(failure);
            if (isMain) {
                try {
                    // Once its main thread has ended, Java ends as if it had succeeded, and the exit code set here
                    // would come too late.
                    Thread.currentThread().join();
                } catch (InterruptedException hurried) {
                    // after an interrupt, the main thread ends by itself
                }
            }
        } else {
            System.getLogger(Breakdown.class.getName())
                    .log(System.Logger.Level.WARNING, "thread " + thread.getName() + " has ended", failure);
        }
    }

    /** Wraps a task so that its failures end the process: timers would swallow such failures. */
    public static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                if (Thread.getDefaultUncaughtExceptionHandler() instanceof Breakdown watching) {
                    watching.happened(failure);
                }
                throw failure;
            }
        };
    }

    /** Returns whether the process is ending because of a failure. */
    static boolean hasHappened() {
        return Thread.getDefaultUncaughtExceptionHandler() instanceof Breakdown watching && watching.happened.get();
    }

    private void happened(Throwable failure) {
        if (!happened.compareAndSet(false, true)) {
            return;
        }
        try {
            code = failure instanceof OutOfMemoryError ? ExitCode.INVALID_INPUT : ExitCode.BUG;
            code = RunGuard.report(host, failure);
        } catch (OutOfMemoryError again) {
            try {
                errors.write(WITHOUT_MEMORY_FOR_MORE);
            } catch (IOException | OutOfMemoryError nobodyHears) {
                // the exit code also shows the failure
            }
        } finally {
            ending.countDown();
        }
    }

    private void end(int secondsLater, Consumer<ExitCode> end) {
        try {
            ending.await();
            TimeUnit.SECONDS.sleep(secondsLater);
        } catch (InterruptedException hurried) {
            // after an interrupt, the process ends at once
        }
        end.accept(code);
    }
}
