package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** What Linux tells of how it schedules a thread. Stateless. */
public final class ThreadPolicy {
    /** Of the thread that reads it. */
    static final Path FILE = Path.of("/proc/thread-self/stat");

    /** As nearly all threads are. */
    static final int FAIR = 0;

    static final int ROUND_ROBIN = 2;

    /** Among the fields behind the name of the thread, which may have blanks. */
    private static final int POLICY = 38;

    private ThreadPolicy() {}

    /** Whether this process may have threads that go before those of others; tried on a thread of its own. */
    static boolean mayBeRealTime() {
        return onThread(ThreadPolicy::isAllowed);
    }

    /** Asks on a new thread. */
    static <T> T onThread(Supplier<T> asked) {
        return CompletableFuture.supplyAsync(asked, task -> new Thread(task).start())
                .join();
    }

    /**
     * Fails where something does not schedule its threads as it is told to; as far as the system tells, and this user may.
     *
     * @param policyOf has a thread of its own tell its policy, when told to schedule it so
     */
    public static void requireScheduled(ToIntFunction<ThreadScheduling> policyOf) {
        assumeTrue(Files.isReadable(FILE), "there is no " + FILE);
        assertThat(policyOf.applyAsInt(ThreadScheduling.FAIR)).isEqualTo(here());
        assumeTrue(mayBeRealTime(), "this user may not");
        assertThat(policyOf.applyAsInt(ThreadScheduling.REAL_TIME)).isEqualTo(ROUND_ROBIN);
    }

    private static boolean isAllowed() {
        try {
            ThreadScheduling.REAL_TIME.applyToThisThread();
            return true;
        } catch (LastErrorException refused) {
            return false;
        }
    }

    /** That of the calling thread. */
    public static int here() {
        try {
            String stat = Files.readString(FILE);
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[POLICY]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
