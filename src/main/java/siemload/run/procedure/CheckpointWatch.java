package siemload.run.procedure;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import siemload.config.DaemonThread;
import siemload.database.CheckpointCounters;
import siemload.database.CheckpointReading;
import siemload.database.SearchException;
import siemload.results.StepRecord;

/**
 * Looks once a second whether the server has completed a checkpoint, and what was written since the one before. What the server
 * does not tell is left out. Thread-safe.
 */
final class CheckpointWatch implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Optional<CheckpointCounters> counters;
    private final List<StepRecord> steps = new ArrayList<>();
    private final Thread thread = DaemonThread.of("siemload-checkpoints", this::run);
    private Optional<Seen> last = Optional.empty();
    private volatile boolean open = true;

    /** @param completedAt when that many checkpoints were seen first */
    private record Seen(CheckpointReading reading, long completedAt) {}

    /** Begins to watch, where the server tells anything. */
    CheckpointWatch(Optional<CheckpointCounters> counters) {
        this.counters = counters;
        thread.start();
    }

    /** Ends watching; what was written since the last checkpoint comes last. */
    List<StepRecord> finish() {
        open = false;
        LockSupport.unpark(thread);
        DaemonThread.awaitEnd(List.of(thread), Duration.ofSeconds(5));
        synchronized (this) {
            return List.copyOf(steps);
        }
    }

    private void run() {
        counters.ifPresent(source -> {
            while (open) {
                look(source, false);
                LockSupport.parkNanos(SECOND);
            }
            look(source, true);
            source.close();
        });
    }

    private void look(CheckpointCounters source, boolean atEnd) {
        CheckpointReading now;
        try {
            now = source.read(); // Without the monitor: a server that does not answer must not keep finish() waiting.
        } catch (SearchException unread) {
            return; // The server is being restarted, or will be missed by everybody else, too.
        }
        note(now, atEnd);
    }

    private synchronized void note(CheckpointReading now, boolean atEnd) {
        long nanos = System.nanoTime();
        Optional<CheckpointReading> before = last.map(Seen::reading);
        boolean startedAnew = before.filter(now::isAnewSince).isPresent();
        if (before.isEmpty() || startedAnew) {
            last = Optional.of(new Seen(now, nanos));
            return;
        }
        Seen known = last.orElseThrow();
        if (now.completed() > known.reading().completed()) {
            Step step = written(new Step("checkpoint"), known.reading(), now)
                    .fact("number", now.completed())
                    .fact("time", Instant.now().truncatedTo(ChronoUnit.SECONDS))
                    .figure("secondsSinceLast", (nanos - known.completedAt()) / (double) SECOND);
            if (now.seconds().isPresent() && known.reading().seconds().isPresent()) {
                step.figure(
                        "seconds",
                        now.seconds().getAsDouble() - known.reading().seconds().getAsDouble());
            }
            steps.add(step.done());
            last = Optional.of(new Seen(now, nanos));
        } else if (atEnd) {
            steps.add(written(new Step("after the last checkpoint"), known.reading(), now)
                    .figure("secondsSinceLast", (nanos - known.completedAt()) / (double) SECOND)
                    .done());
        }
    }

    private static Step written(Step step, CheckpointReading before, CheckpointReading now) {
        add(step, "blocksByCheckpoint", before.byCheckpoints(), now.byCheckpoints());
        add(step, "blocksByWriter", before.byWriter(), now.byWriter());
        add(step, "blocksBySessions", before.bySessions(), now.bySessions());
        return step;
    }

    private static void add(Step step, String figure, OptionalLong before, OptionalLong now) {
        if (before.isPresent() && now.isPresent()) {
            step.figure(figure, now.getAsLong() - before.getAsLong());
        }
    }

    @Override
    public void close() {
        List<StepRecord> unused = finish();
    }
}
