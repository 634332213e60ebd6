package siemload.measure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import siemload.measure.Tally.Recorded;
import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

/**
 * Takes the searches of the measured phase once more, apart for each replica that answered them, and how far those were behind.
 * Thread-safe; nothing is taken where there are no replicas.
 */
public final class ReplicaRecorder {
    private final RunClock clock;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();

    ReplicaRecorder(RunClock clock) {
        this.clock = clock;
    }

    /** Makes replicas known, in their order; before the first search. */
    public void expect(List<String> urls) {
        urls.forEach(url -> replicas.add(new Replica(replicas.size() + 1, url)));
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return replicas.isEmpty();
    }

    /** One of them, by its index from 0. */
    public Replica of(int index) {
        return replicas.get(index);
    }

    /** What was taken of each since the last call, in their order; for one reader only. */
    List<Recorded> take() {
        return replicas.stream().map(replica -> replica.recorded.take()).toList();
    }

    /** Adds what another recorder with the same replicas has taken. */
    void add(List<Recorded> more) {
        for (int i = 0; i < more.size(); i++) {
            if (i == replicas.size()) {
                expect(List.of(""));
            }
            replicas.get(i).recorded.add(more.get(i));
        }
    }

    /** What run.json holds, in their order. */
    public List<ReplicaResult> results() {
        return replicas.stream().map(Replica::result).toList();
    }

    /** The searches and the lag of one replica. */
    public final class Replica {
        private final int number;
        private final String url;
        private final Tally recorded = new Tally();
        /** Read before the searches, so that no second has more failures than those. */
        private final LongAdder failed = recorded.count("failed");

        private final LongAdder searches = recorded.count("searches");
        private final MicrosHistogram responses = recorded.times("responses");
        private final MicrosHistogram responsesOfWarmUp = new MicrosHistogram();
        private final MicrosHistogram lags = recorded.times("lags");

        private Replica(int number, String url) {
            this.number = number;
            this.url = url;
        }

        /** Takes a search that has ended, in whatever phase. */
        public void finished(Sample sample) {
            boolean measures = clock.measures(sample.intendedStart());
            if (sample.outcome() == Outcome.OK || sample.outcome().gaveUp()) {
                (measures ? responses : responsesOfWarmUp).recordNanos(sample.responseNanos());
            }
            if (measures) {
                searches.increment();
                if (sample.outcome() != Outcome.OK) {
                    failed.increment();
                }
            }
        }

        /** Takes how far it was behind when somebody looked, in whatever phase. */
        public void behind(long nowNanos, long lagNanos) {
            if (clock.measures(nowNanos)) {
                lags.recordNanos(lagNanos);
            }
        }

        private ReplicaResult result() {
            return new ReplicaResult(
                    number, url, "", searches.sum(), failed.sum(), responses.summary(), lags.summary());
        }
    }
}
