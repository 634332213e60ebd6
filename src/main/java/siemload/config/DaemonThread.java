package siemload.config;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ThreadFactory;

/** Makes threads that do not keep the process alive. Stateless. */
public final class DaemonThread {
    private DaemonThread() {}

    /** One that is not started yet. */
    public static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** One that is started. */
    public static Thread start(String name, Runnable task) {
        Thread thread = of(name, task);
        thread.start();
        return thread;
    }

    /** Waits for each thread to end, at most this long; an interruption ends the wait and is kept. */
    public static void awaitEnd(Collection<Thread> threads, Duration ofEach) {
        try {
            for (Thread thread : threads) {
                thread.join(ofEach.toMillis());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** All threads of an executor, which have the same name. */
    public static ThreadFactory named(String name) {
        return task -> of(name, task);
    }
}
