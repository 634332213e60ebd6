package siemload.measure;

import java.util.concurrent.atomic.LongAdder;
import siemload.results.VisibilityResult;

/** Takes how long sampled fed events took to be found, and keeps those acknowledged in the measured phase. Thread-safe. */
public final class VisibilityRecorder {
    private final RunClock clock;
    private final MicrosHistogram visible = new MicrosHistogram();
    private final LongAdder seen = new LongAdder();
    private final LongAdder unseen = new LongAdder();

    public VisibilityRecorder(RunClock clock) {
        this.clock = clock;
    }

    /** Notes that an event acknowledged at the first instant was in the answer that came at the second. */
    public void seen(long acknowledgedNanos, long answeredNanos) {
        if (clock.measures(acknowledgedNanos)) {
            seen.increment();
            visible.recordNanos(answeredNanos - acknowledgedNanos);
        }
    }

    /** Notes that no probe found an event acknowledged at this instant before the run ended. */
    public void neverSeen(long acknowledgedNanos) {
        if (clock.measures(acknowledgedNanos)) {
            unseen.increment();
        }
    }

    /** What run.json holds. */
    public VisibilityResult result() {
        return new VisibilityResult(seen.sum() + unseen.sum(), seen.sum(), unseen.sum(), visible.summary());
    }
}
