package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import siemload.results.StepRecord;

/** The steps that were done so far, in their order. Thread-safe. */
public final class StepLog {
    /** A step is one search or one load: so many in a row that fail are no accident. */
    public static final int MOST_FAILURES_IN_A_ROW = 3;

    private final List<StepRecord> steps = new ArrayList<>();
    private final Runnable tooManyFailures;
    private int failuresInARow;

    /** @param tooManyFailures what to do when that many steps in a row have failed */
    public StepLog(Runnable tooManyFailures) {
        this.tooManyFailures = tooManyFailures;
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
