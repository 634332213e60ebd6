package siemload.run;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.ptr.IntByReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.Settings;

/**
 * How the threads that search and feed get processors which they share with others, such as a database on the same machine.
 * Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7)</a>
 */
public enum ThreadScheduling {
    /** As all programs do: in turns with everybody. */
    FAIR {
        @Override
        public void applyToThisThread() {
            // It is so anyway.
        }
    },
    /** Before all that are fair, as soon as they have something to do; on Linux, for users who may. */
    REAL_TIME {
        @Override
        public void applyToThisThread() {
            SystemCalls.sched_setscheduler(
                    THIS_THREAD, ROUND_ROBIN | RESET_ON_FORK, new IntByReference(LOWEST_PRIORITY));
        }
    };

    private static final int THIS_THREAD = 0;
    private static final int ROUND_ROBIN = 2;
    /** Threads and processes that such a thread starts are fair again. */
    private static final int RESET_ON_FORK = 0x40000000;

    private static final int LOWEST_PRIORITY = 1;

    /** Functions of the C library. */
    private static final class SystemCalls {
        static {
            Native.register(SystemCalls.class, "c");
        }

        static native int sched_setscheduler(int thread, int policy, IntByReference priority) throws LastErrorException;
    }

    /** As the settings say. */
    public static ThreadScheduling of(Settings settings) {
        return settings.value(Property.REAL_TIME) ? REAL_TIME : FAIR;
    }

    /**
     * Schedules the calling thread so from now on.
     *
     * @throws LastErrorException if the system refuses that, which it does not where {@link #require} has passed
     */
    public abstract void applyToThisThread();

    /** @throws ConfigException if threads of this run cannot be scheduled as its settings ask for */
    static void require(RunPlan plan) {
        if (of(plan.settings()) == REAL_TIME) {
            refusal(plan).ifPresent(why -> {
                throw new ConfigException(plan.settings().origin(Property.REAL_TIME), why + " (leave it out)");
            });
        }
    }

    private static Optional<String> refusal(RunPlan plan) {
        if (plan.isProcedure()) {
            return Optional.of("scenario " + plan.scenario().name() + " is a procedure, in which nothing is due by"
                    + " the clock");
        }
        return plan.settings().onKubernetes()
                ? Optional.of("pods have no right to threads that go before those of others")
                : refusal();
    }

    /** Tries it on a thread of its own. */
    private static Optional<String> refusal() {
        if (!Files.isDirectory(Path.of("/proc/self/task"))) {
            return Optional.of("threads go before those of others on Linux alone");
        }
        return CompletableFuture.supplyAsync(
                        ThreadScheduling::tryHere, task -> DaemonThread.start("siemload-scheduling", task))
                .join();
    }

    private static Optional<String> tryHere() {
        try {
            REAL_TIME.applyToThisThread();
            return Optional.empty();
        } catch (LastErrorException refused) {
            return Optional.of("this user may not let threads go before those of others: " + refused.getMessage()
                    + "; root may, and whom root lets by `ulimit -r 1`");
        } catch (LinkageError unloadable) {
            return Optional.of("the C library cannot be called from Java, which is needed to let threads go before"
                    + " those of others: " + unloadable.getMessage());
        }
    }
}
