package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;
import siemload.results.StepRecord;

/**
 * How far a procedure has come: its steps in their order; its searches, batches and transactions, whichever step asked for them, which are
 * looked at for harm; and whether it should end at once. Then what is being waited for on the server is given up, and what was measured
 * before is kept. Thread-safe; intervals are ended by one thread.
 */
public final class StepLog {
    /** A step is one search or one load: so many in a row that fail are no accident. */
    public static final int MOST_FAILURES_IN_A_ROW = 3;

    private final List<StepRecord> steps = new ArrayList<>();
    private final Runnable tooManyFailures;
    private int failuresInARow;
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder times = new Recorder(3);
    private final List<Runnable> cancellations = new CopyOnWriteArrayList<>();
    private volatile boolean isInterrupted;

    /** @param tooManyFailures what to do when that many steps in a row have failed */
    public StepLog(Runnable tooManyFailures) {
        this.tooManyFailures = tooManyFailures;
    }

    public synchronized void add(StepRecord step) {
        steps.add(step);
        failuresInARow = step.failed() ? failuresInARow + 1 : 0;
        if (failuresInARow == MOST_FAILURES_IN_A_ROW) {
            tooManyFailures.run();
        }
    }

    public synchronized List<StepRecord> steps() {
        return List.copyOf(steps);
    }

    /**
     * Does a search, batch or transaction, and counts it with its time. Of two transactions that met at one row one is rolled back, which
     * is no failure: that is how they are kept apart, and it is tried again.
     */
    <T> T counted(Supplier<T> work) {
        long start = System.nanoTime();
        try {
            T result = work.get();
            times.recordValue(Math.max(0, System.nanoTime() - start) / 1_000);
            ended.increment();
            return result;
        } catch (SearchException | TransactionException thrown) {
            if (!(thrown instanceof TransactionException transaction
                    && transaction.kind() == TransactionException.Kind.CONFLICT)) {
                failed.increment();
                ended.increment();
            }
            throw thrown;
        }
    }

    /** How many searches, batches and transactions have ended so far. */
    public long endedSoFar() {
        return ended.sum();
    }

    public long failedSoFar() {
        return failed.sum();
    }

    /** Ends an interval. @return the times in microseconds of those that succeeded in it */
    public Histogram endInterval() {
        return times.getIntervalHistogram();
    }

    /** Ends the procedure. */
    public void interrupt() {
        isInterrupted = true;
        cancellations.forEach(Runnable::run);
    }

    /** Whether it should end. */
    public boolean isInterrupted() {
        return isInterrupted;
    }

    /** Adds what gives up something that is being waited for; done at once where the procedure should end already, twice at most. */
    void onInterrupt(Runnable cancellation) {
        cancellations.add(cancellation);
        if (isInterrupted) {
            cancellation.run();
        }
    }

    /** Does nothing, or ends the procedure where that is asked for: to be called between two steps. */
    void check() {
        if (isInterrupted) {
            throw new Interrupted();
        }
    }

    /** Ends a procedure whose end was asked for. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Interrupted() {
            super("the procedure was interrupted");
        }
    }
}
