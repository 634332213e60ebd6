package siemload.results;

/** A time that is measured of each search, of each batch of the feeder, or of some fed events; each has a histogram log of its own. */
public enum TimeMetric {
    RESPONSE_TIME,
    /** Which is the time to the last event, too. */
    SERVICE_TIME,
    /** From the intended start until the load generator got round to the search. */
    SEARCH_LATENESS,
    /** From the intended start until a worker took the search, search lateness included. */
    WORKER_WAIT,
    FIRST_EVENT,
    FEEDER_ACKNOWLEDGE,
    FEEDER_LATENESS,
    /** From the acknowledgement of a fed event until a probe found it. */
    VISIBILITY;

    /** Its log, which has its name. */
    public RunFile file() {
        return RunFile.valueOf(name());
    }
}
