package siemload.run.procedure;

import siemload.results.LoggedJob.JobItem;

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
