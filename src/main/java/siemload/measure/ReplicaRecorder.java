package siemload.measure;

import java.util.concurrent.atomic.LongAdder;
import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

/** Takes the searches of the measured phase once more that one replica answered, and how far it was behind. Thread-safe. */
public final class ReplicaRecorder {
    private final RunClock clock;
    private final int number;
    private final String url;
    private final LongAdder searches;
    private final LongAdder failed;
    private final MicrosHistogram responses;
    private final MicrosHistogram lags;

    /** @param number from 1 */
    ReplicaRecorder(RunClock clock, int number, String url, Tally recorded) {
        this.clock = clock;
        this.number = number;
        this.url = url;
        this.searches = recorded.count("searches");
        this.failed = recorded.count("failed");
        this.responses = recorded.times("responses");
        this.lags = recorded.times("lags");
    }

    /** Takes a search that has ended, in whatever phase. */
    public void finished(Sample sample) {
        if (clock.measures(sample.intendedStart())) {
            searches.increment();
            failed.add(sample.outcome() == Outcome.OK ? 0 : 1);
            if (sample.outcome() == Outcome.OK || sample.outcome().gaveUp()) {
                responses.recordNanos(sample.responseNanos());
            }
        }
    }

    /** Takes how far it was behind when somebody looked, in whatever phase. */
    public void behind(long nowNanos, long lagNanos) {
        if (clock.measures(nowNanos)) {
            lags.recordNanos(lagNanos);
        }
    }

    /** What run.json holds. */
    public ReplicaResult result() {
        return new ReplicaResult(number, url, searches.sum(), failed.sum(), responses.summary(), lags.summary());
    }
}
