package siemload.config;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;

/** Makes threads that do not keep the process alive. Stateless. */
public final class DaemonThread {
    private DaemonThread() {}

    /** Returns a thread that is not started yet. */
    public static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a started thread. */
    public static Thread start(String name, Runnable task) {
        Thread thread = of(name, task);
        thread.start();
        return thread;
    }

    /** Starts all tasks at once, each on a thread of its own. */
    public static CompletableFuture<Void> start(String name, List<? extends Runnable> tasks) {
        return CompletableFuture.allOf(tasks.stream()
                .map(one -> CompletableFuture.runAsync(one, task -> start(name, task)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Waits for the end of all tasks, even if one has failed. @throws RuntimeException the exception of the first task that failed */
    public static <T> T await(CompletableFuture<T> tasks) {
        try {
            return tasks.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        }
    }

    /** Waits for each thread to end, at most {@code ofEach}. An interrupt ends the wait, and the waiting thread stays interrupted. */
    public static void awaitEnd(Collection<Thread> threads, Duration ofEach) {
        try {
            for (Thread thread : threads) {
                thread.join(ofEach.toMillis());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a factory for the threads of an executor, which all have this name. */
    public static ThreadFactory named(String name) {
        return task -> of(name, task);
    }
}
