package siemload.database.server;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import siemload.config.DaemonThread;

/** The threads that stop the searches of a run: at their deadline, or where somebody asks for it. */
public final class Watchers {
    /** Two, so that one request to an unreachable server does not hold up the others. */
    private static final int THREADS = 2;

    private Watchers() {}

    /** Starts them; whoever asks shuts them down. */
    public static ScheduledThreadPoolExecutor start() {
        ScheduledThreadPoolExecutor watchers =
                new ScheduledThreadPoolExecutor(THREADS, DaemonThread.named("siemload-watcher"));
        watchers.setRemoveOnCancelPolicy(true);
        return watchers;
    }
}
