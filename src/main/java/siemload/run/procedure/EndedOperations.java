package siemload.run.procedure;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;

/**
 * What a procedure's searches, batches and transactions have come to so far, whichever of its steps asked for them: what is looked at for
 * harm. Recorded by any thread; intervals are ended by one.
 */
public final class EndedOperations {
    private static final int DIGITS = 3;

    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder times = new Recorder(DIGITS);

    /**
     * Does one of them, and counts it with its time. Of two transactions that met at one row one is rolled back, which is no failure:
     * that is how they are kept apart, and it is tried again.
     */
    <T> T counted(Supplier<T> work) {
        long start = System.nanoTime();
        try {
            T result = work.get();
            times.recordValue(Math.max(0, System.nanoTime() - start) / 1_000);
            ended.increment();
            return result;
        } catch (SearchException | TransactionException thrown) {
            boolean isConflict = thrown instanceof TransactionException transaction
                    && transaction.kind() == TransactionException.Kind.CONFLICT;
            if (!isConflict) {
                failed.increment();
                ended.increment();
            }
            throw thrown;
        }
    }

    /** How many there were so far. */
    public long endedSoFar() {
        return ended.sum();
    }

    /** How many of them failed. */
    public long failedSoFar() {
        return failed.sum();
    }

    /** Ends an interval. @return the times in microseconds of those that succeeded in it */
    public Histogram endInterval() {
        return times.getIntervalHistogram();
    }
}
