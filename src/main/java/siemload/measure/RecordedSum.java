package siemload.measure;

import siemload.scenario.rate.ConstantRate;

/**
 * What several recorders have taken, added up: exact, in whatever order they come. It takes no more room than one of them. Used by one
 * thread.
 */
public final class RecordedSum {
    private static final RunClock ANY = RunClock.openEnded(0);

    private final LatencyRecorder searches = new LatencyRecorder(ANY);
    private final FeederRecorder feeder = new FeederRecorder(ANY, new ConstantRate(1));

    /** Adds what a recorder of searches has taken, with the same replicas as the others. */
    public void add(RecordedSearches more) {
        searches.add(more);
    }

    /** Adds what a recorder of a feeder has taken. */
    public void add(RecordedFeeder more) {
        feeder.add(more);
    }

    /** The sum of what came since the last call. */
    public RecordedSearches searches() {
        return searches.takeRecorded();
    }

    /** Likewise of the feeder. */
    public RecordedFeeder feeder() {
        return feeder.takeRecorded();
    }
}
