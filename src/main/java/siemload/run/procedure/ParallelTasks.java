package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import siemload.config.DaemonThread;

/** Work that several threads do side by side, each task by a thread of its own. Thread-safe. */
final class ParallelTasks {
    private final List<CompletableFuture<Void>> all;

    ParallelTasks(String name, List<? extends Runnable> work) {
        this.all = work.stream()
                .map(one -> CompletableFuture.runAsync(one, task -> DaemonThread.start("siemload-" + name, task)))
                .toList();
    }

    /**
     * Does all of it at the same time and returns when the last one is done, also where one has failed.
     *
     * @throws RuntimeException what the first one failed with, in their order
     */
    static void run(String name, List<? extends Runnable> work) {
        new ParallelTasks(name, work).join().ifPresent(failed -> {
            throw failed;
        });
    }

    boolean haveFailed() {
        return all.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Waits for the end of all; what the first one failed with, in their order. */
    Optional<RuntimeException> join() {
        Optional<RuntimeException> first = Optional.empty();
        for (CompletableFuture<Void> one : all) {
            try {
                one.join();
            } catch (CompletionException failed) {
                first = first.or(() -> Optional.of(
                        failed.getCause() instanceof RuntimeException failure
                                ? failure
                                : new IllegalStateException(failed)));
            }
        }
        return first;
    }
}
