package siemload.procedure;

import java.util.ArrayList;
import java.util.List;
import siemload.measure.StepRecord;

/** The steps that were done so far, in their order. Thread-safe. */
public final class StepLog {
    private final List<StepRecord> steps = new ArrayList<>();

    /** Adds a step that was done, or that failed. */
    public synchronized void add(StepRecord step) {
        steps.add(step);
    }

    /** All of them. */
    public synchronized List<StepRecord> steps() {
        return List.copyOf(steps);
    }
}
