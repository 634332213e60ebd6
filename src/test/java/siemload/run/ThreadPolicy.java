package siemload.run;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** What Linux tells of how it schedules a thread. Stateless. */
public final class ThreadPolicy {
    /** Of the thread that reads it. */
    public static final Path FILE = Path.of("/proc/thread-self/stat");

    /** As nearly all threads are. */
    public static final int FAIR = 0;

    public static final int ROUND_ROBIN = 2;

    /** Among the fields behind the name of the thread, which may have blanks. */
    private static final int POLICY = 38;

    private ThreadPolicy() {}

    /** Whether this process may have threads that go before those of others; tried on a thread of its own. */
    public static boolean mayBeRealTime() {
        return CompletableFuture.supplyAsync(ThreadPolicy::isAllowed, task -> new Thread(task).start())
                .join();
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
