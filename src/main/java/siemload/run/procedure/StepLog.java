package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import siemload.results.LoggedJob.JobItem;
import siemload.results.StepRecord;

/** The steps that were done so far, in their order. Thread-safe. */
public final class StepLog {
    /** A step is one search or one load: so many in a row that fail are no accident. */
    public static final int MOST_FAILURES_IN_A_ROW = 3;

    /** Takes the items of jobs as they end. Thread-safe. */
    @FunctionalInterface
    public interface ItemSink {
        /** Where nobody wants to know. */
        ItemSink NONE = (job, level, endNanos, item) -> {};

        /**
         * Takes one.
         *
         * @param job the number of its job in the run, 1 for the first
         * @param level how many items the job has
         * @param endNanos when it ended, on the monotonic clock
         */
        void add(int job, int level, long endNanos, JobItem item);
    }

    private final List<StepRecord> steps = new ArrayList<>();
    private final Runnable tooManyFailures;
    private final ItemSink items;
    private int failuresInARow;

    /** @param tooManyFailures what to do when that many steps in a row have failed */
    public StepLog(Runnable tooManyFailures) {
        this(tooManyFailures, ItemSink.NONE);
    }

    /**
     * A log of steps of which some are jobs.
     *
     * @param items takes the items of jobs
     */
    public StepLog(Runnable tooManyFailures, ItemSink items) {
        this.tooManyFailures = tooManyFailures;
        this.items = items;
    }

    /** Takes the items of steps that are jobs. */
    ItemSink items() {
        return items;
    }

    /** Adds a step that was done, or that failed. */
    public synchronized void add(StepRecord step) {
        steps.add(step);
        failuresInARow = step.failed() ? failuresInARow + 1 : 0;
        if (failuresInARow == MOST_FAILURES_IN_A_ROW) {
            tooManyFailures.run();
        }
    }

    /** All steps so far, in their order. */
    public synchronized List<StepRecord> steps() {
        return List.copyOf(steps);
    }
}
