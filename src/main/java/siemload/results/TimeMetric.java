package siemload.results;

/** A time that is measured of each search, or of each batch of the feeder; each has a histogram log of its own. */
public enum TimeMetric {
    RESPONSE_TIME(RunFile.RESPONSE_TIME),
    /** Which is the time to the last event, too. */
    SERVICE_TIME(RunFile.SERVICE_TIME),
    /** From the intended start until the load generator got round to the search. */
    SEARCH_LATENESS(RunFile.SEARCH_LATENESS),
    /** From the intended start until a worker took the search, search lateness included. */
    WORKER_WAIT(RunFile.WORKER_WAIT),
    FIRST_EVENT(RunFile.FIRST_EVENT),
    FEEDER_ACKNOWLEDGE(RunFile.FEEDER_ACKNOWLEDGE),
    FEEDER_LATENESS(RunFile.FEEDER_LATENESS);

    private final RunFile file;

    TimeMetric(RunFile file) {
        this.file = file;
    }

    public RunFile file() {
        return file;
    }
}
