package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import siemload.config.DaemonThread;
import siemload.database.DayRemoval;
import siemload.database.TargetException;
import siemload.query.Window;
import siemload.run.DayDrop;
import siemload.run.answers.DroppedDay;

/** Removes the oldest day at its instant, over a connection and a thread of its own. Thread-safe. */
final class RetentionRun {
    private static final Duration OVERTIME = Duration.ofSeconds(30);

    private final DayRemoval removal;
    private final Window day;
    private final long dueNanos;
    private final Thread thread = DaemonThread.of("siemload-retention", this::run);
    private volatile boolean open = true;
    private volatile @Nullable DayDrop drop;

    /** @param day from midnight to midnight */
    RetentionRun(DayRemoval removal, Window day, long dueNanos) {
        this.removal = removal;
        this.day = day;
        this.dueNanos = dueNanos;
    }

    void start() {
        thread.start();
    }

    private void run() {
        for (long left = dueNanos - System.nanoTime(); left > 0 && open; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        if (!open) {
            return;
        }
        long start = System.nanoTime();
        drop = DayDrop.failed(DroppedDay.unknown(day, start), "it had not ended when the run did");
        try {
            DayRemoval.Removed removed = removal.remove(day);
            drop = DayDrop.of(new DroppedDay(day, start, System.nanoTime()), removed);
        } catch (TargetException refused) {
            drop = DayDrop.failed(DroppedDay.unknown(day, start), String.valueOf(refused.getMessage()));
        }
    }

    /** Begins with it no more; waits for one that is under way, for some time. Empty if none was begun. */
    Optional<DayDrop> close() {
        open = false;
        LockSupport.unpark(thread);
        DaemonThread.awaitEnd(List.of(thread), OVERTIME);
        return Optional.ofNullable(drop);
    }
}
