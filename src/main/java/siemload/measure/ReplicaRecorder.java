package siemload.measure;

import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

/**
 * Takes the searches of the measured phase once more that one replica answered, and how far it was behind. Thread-safe.
 *
 * @param number from 1
 */
public record ReplicaRecorder(RunClock clock, int number, String url, Tally recorded) {

    /** Takes a search that has ended, in whatever phase. */
    public void finished(Sample sample) {
        if (clock.measures(sample.intendedStart())) {
            recorded.add("searches", 1);
            recorded.add("failed", sample.outcome() == Outcome.OK ? 0 : 1);
            if (sample.outcome() == Outcome.OK || sample.outcome().gaveUp()) {
                recorded.times("responses").recordNanos(sample.responseNanos());
            }
        }
    }

    /** Takes how far it was behind when somebody looked, in whatever phase. */
    public void behind(long nowNanos, long lagNanos) {
        if (clock.measures(nowNanos)) {
            recorded.times("lags").recordNanos(lagNanos);
        }
    }

    /** What run.json holds. */
    public ReplicaResult result() {
        return new ReplicaResult(
                number,
                url,
                recorded.sum("searches"),
                recorded.sum("failed"),
                recorded.times("responses").summary(),
                recorded.times("lags").summary());
    }
}
