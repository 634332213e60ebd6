package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import siemload.config.DaemonThread;

/** Work that several threads do side by side, each task by a thread of its own. Thread-safe. */
final class ParallelTasks {
    private final String name;
    private final List<CompletableFuture<Void>> all;

    private ParallelTasks(String name, List<? extends Runnable> work) {
        this.name = name;
        this.all = work.stream()
                .map(one -> CompletableFuture.runAsync(one, task -> DaemonThread.start("siemload-" + name, task)))
                .toList();
    }

    /** Starts all of it at the same time. */
    static ParallelTasks start(String name, List<? extends Runnable> work) {
        return new ParallelTasks(name, work);
    }

    /**
     * Does all of it at the same time and returns when the last one is done, also where one has failed.
     *
     * @throws RuntimeException what the first one failed with, in their order
     */
    static void run(String name, List<? extends Runnable> work) {
        start(name, work).join().ifPresent(failed -> {
            throw failed;
        });
    }

    /** Whether one of them has failed. */
    boolean haveFailed() {
        return all.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Waits for the end of all; what the first one failed with, in their order. */
    Optional<RuntimeException> join() {
        return all.stream()
                .map(one -> one.handle((none, thrown) -> Optional.ofNullable(thrown))
                        .join())
                .toList()
                .stream()
                .flatMap(Optional::stream)
                .findFirst()
                .map(thrown -> thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown)
                .map(cause -> cause instanceof RuntimeException failure
                        ? failure
                        : new IllegalStateException(name + " failed", cause));
    }
}
