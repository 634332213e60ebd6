package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import siemload.config.DaemonThread;

/** Work that several threads do side by side. Stateless. */
final class ParallelTasks {
    private ParallelTasks() {}

    /**
     * Does all of it at the same time and returns when the last one is done, also where one has failed.
     *
     * @throws RuntimeException what the first one failed with, in their order
     */
    static void run(String name, List<? extends Runnable> work) {
        ExecutorService threads = Executors.newFixedThreadPool(work.size(), DaemonThread.named("siemload-" + name));
        Optional<RuntimeException> failure = Optional.empty();
        try {
            List<Future<?>> all = new ArrayList<>();
            work.forEach(one -> all.add(threads.submit(one)));
            for (Future<?> one : all) {
                Optional<RuntimeException> failed = failureOf(name, one);
                failure = failure.isPresent() ? failure : failed;
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdown();
        }
        failure.ifPresent(first -> {
            throw first;
        });
    }

    private static Optional<RuntimeException> failureOf(String name, Future<?> one) throws InterruptedException {
        try {
            one.get();
            return Optional.empty();
        } catch (ExecutionException failed) {
            return Optional.of(
                    failed.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException(name + " failed", failed));
        }
    }
}
