package siemload.measure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import siemload.results.Outcome;
import siemload.results.RunResult.ReplicaResult;

/**
 * Takes the searches of the measured phase once more, apart for each replica that answered them, and how far those were behind.
 * Thread-safe; nothing is taken where there are no replicas.
 */
public final class ReplicaRecorder {
    private final RunClock clock;
    private final Function<String, Tally> tallies;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();

    /** @param tallies by names, of which each replica has one */
    ReplicaRecorder(RunClock clock, Function<String, Tally> tallies) {
        this.clock = clock;
        this.tallies = tallies;
    }

    /** Makes replicas known, in their order; before the first search. */
    public void expect(List<String> urls) {
        urls.forEach(url -> replicas.add(new Replica(replicas.size() + 1, url)));
    }

    /** One of them, by its index from 0. */
    public Replica of(int index) {
        return replicas.get(index);
    }

    /** What run.json holds, in their order. */
    public List<ReplicaResult> results() {
        return replicas.stream().map(Replica::result).toList();
    }

    /** The searches and the lag of one replica. */
    public final class Replica {
        private final int number;
        private final String url;
        private final LongAdder failed;
        private final LongAdder searches;
        private final MicrosHistogram responses;
        private final MicrosHistogram responsesOfWarmUp = new MicrosHistogram();
        private final MicrosHistogram lags;

        private Replica(int number, String url) {
            Tally recorded = tallies.apply("replica " + number);
            this.number = number;
            this.url = url;
            this.failed = recorded.count("failed");
            this.searches = recorded.count("searches");
            this.responses = recorded.times("responses");
            this.lags = recorded.times("lags");
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
