package siemload.measure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.QuotaResult;

/**
 * Takes which searches of the measured phase waited for the quota of their group, and for how long. Thread-safe; takes nothing at
 * all where no group has a quota.
 */
public final class QuotaRecorder {
    private final RunClock clock;
    private final Map<String, Group> groups = new ConcurrentSkipListMap<>();
    private final MicrosHistogram waitsBeside = new MicrosHistogram();
    private final MicrosHistogram waitsOfWarmUp = new MicrosHistogram();

    QuotaRecorder(RunClock clock) {
        this.clock = clock;
    }

    /** Makes a group known; before the first search. */
    public void expect(String name, int atOnce) {
        groups.put(name, new Group(name, atOnce));
    }

    /** The group with this name, which must be known. */
    public Group of(String name) {
        Group group = groups.get(name);
        if (group == null) {
            throw new IllegalArgumentException("no group with a quota is called " + name);
        }
        return group;
    }

    /** Takes a search of any group, with a quota or without; keeps those of the measured phase. */
    void record(Sample sample) {
        if (!groups.isEmpty() && sample.outcome() == Outcome.OK) {
            MicrosHistogram waits = clock.measures(sample.intendedStart()) ? waitsBeside : waitsOfWarmUp;
            waits.recordNanos(sample.taken() - sample.intendedStart() - sample.quotaNanos());
        }
    }

    /**
     * How long searches waited for a worker for other reasons than a quota: those are the load generator's own.
     *
     * @param all searches of the run
     */
    public MicrosSummary waitsBeside(SearchStatistics all) {
        return groups.isEmpty() ? all.workerWaits().summary() : waitsBeside.summary();
    }

    /** What run.json holds, sorted by name. */
    public List<QuotaResult> results() {
        return groups.values().stream().map(Group::result).toList();
    }

    /** The searches of one group. */
    public final class Group {
        private final String name;
        private final int atOnce;
        private final LongAdder letIn = new LongAdder();
        private final LongAccumulator mostRunning = new LongAccumulator(Long::max, 0);
        private final MicrosHistogram waits = new MicrosHistogram();

        private Group(String name, int atOnce) {
            this.name = name;
            this.atOnce = atOnce;
        }

        /** Notes that a search may run, as one of so many now. */
        public void letIn(long intendedStart, int running) {
            if (clock.measures(intendedStart)) {
                letIn.increment();
                mostRunning.accumulate(running);
            }
        }

        /** Notes how long a search has waited, whether or not it may run now. */
        public void waited(long intendedStart, long nanos) {
            if (clock.measures(intendedStart)) {
                waits.recordNanos(nanos);
            }
        }

        private QuotaResult result() {
            return new QuotaResult(name, atOnce, letIn.sum(), mostRunning.get(), waits.count(), waits.summary());
        }
    }
}
