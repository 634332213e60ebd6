package siemload.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.ReplicaResult;

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
    List<RecordedSearches.OfReplica> take() {
        return replicas.stream().map(Replica::take).toList();
    }

    /** Adds what another recorder with the same replicas has taken. */
    void add(List<RecordedSearches.OfReplica> more) {
        for (int i = 0; i < more.size(); i++) {
            replicas.get(i).add(more.get(i));
        }
    }

    /**
     * One second of a replica.
     *
     * @param replica its number, from 1
     */
    record Second(int replica, long searches, long failed, MicrosSummary responses, MicrosSummary lags) {}

    /** The same as {@link #take}, summed up. */
    List<Second> takeSeconds() {
        List<Second> seconds = new ArrayList<>();
        for (Replica replica : replicas) {
            RecordedSearches.OfReplica taken = replica.take();
            seconds.add(new Second(
                    replica.number,
                    taken.searches(),
                    taken.failed(),
                    MicrosSummary.of(taken.responses()),
                    MicrosSummary.of(taken.lags())));
        }
        return seconds;
    }

    /** What run.json holds, in their order. */
    public List<ReplicaResult> results() {
        return replicas.stream().map(Replica::result).toList();
    }

    /** The searches and the lag of one replica. */
    public final class Replica {
        private final int number;
        private final String url;
        private final LongAdder searches = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final MicrosHistogram responses = new MicrosHistogram();
        private final MicrosHistogram responsesOfWarmUp = new MicrosHistogram();
        private final MicrosHistogram lags = new MicrosHistogram();
        private long searchesTold;
        private long failedTold;

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

        /** What was failed is read first, so that no second has more failures than searches for long. */
        private RecordedSearches.OfReplica take() {
            long failedNow = failed.sum();
            long searchesNow = searches.sum();
            RecordedSearches.OfReplica taken = new RecordedSearches.OfReplica(
                    searchesNow - searchesTold, failedNow - failedTold, responses.takeInterval(), lags.takeInterval());
            searchesTold = searchesNow;
            failedTold = failedNow;
            return taken;
        }

        private void add(RecordedSearches.OfReplica more) {
            searches.add(more.searches());
            failed.add(more.failed());
            responses.add(more.responses());
            lags.add(more.lags());
        }

        private ReplicaResult result() {
            return new ReplicaResult(
                    number, url, "", searches.sum(), failed.sum(), responses.summary(), lags.summary());
        }
    }
}
