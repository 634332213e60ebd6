package siemload.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import siemload.config.AbortCondition;
import siemload.config.DaemonThread;
import siemload.measure.AbortWatch;
import siemload.run.procedure.EndedOperations;

/** Looks once a second whether a procedure does harm, from {@link #start} until it is closed. Thread-safe. */
final class HarmWatch implements AutoCloseable {
    private final EndedOperations operations;
    private final AbortWatch watch;
    private final Consumer<String> harmful;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-harm"));

    /** @param harmful is told which condition holds, and what was seen; each second anew */
    HarmWatch(List<AbortCondition> conditions, EndedOperations operations, Consumer<String> harmful) {
        this.operations = operations;
        this.watch = new AbortWatch(conditions, () -> Duration.ZERO);
        this.harmful = harmful;
    }

    void start() {
        var unused = timer.scheduleAtFixedRate(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private void look() {
        watch.second(operations.endedSoFar(), operations.failedSoFar(), operations.endInterval())
                .ifPresent(harmful);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
