package siemload.run.procedure;

import siemload.results.StepRecord;
import siemload.scenario.Ingest.Deployment;

/**
 * The four deployments that the white paper "Nimble Storage for Splunk" (2015) names, by their volume a day and the servers that index
 * it. The numbers are the upper ends of what it says; of the last tier, "300GB to many TBs" and "several dozen indexers", they are ours.
 */
enum DeploymentTier {
    DEPARTMENTAL("departmental", 20, 1),
    SMALL_ENTERPRISE("small enterprise", 100, 3),
    MEDIUM_ENTERPRISE("medium enterprise", 300, 5),
    LARGE_ENTERPRISE("large enterprise", 5_000, 36);

    private static final double SECONDS_OF_DAY = 86_400;
    private static final double KILOBYTES_OF_GIGABYTE = 1_000_000;
    private static final double BYTES_OF_KILOBYTE = 1_000;

    private final String words;
    private final double gigabytesPerDay;
    private final int servers;

    DeploymentTier(String words, double gigabytesPerDay, int servers) {
        this.words = words;
        this.gigabytesPerDay = gigabytesPerDay;
        this.servers = servers;
    }

    /**
     * What one server was measured to do.
     *
     * @param kilobytesPerSecond of raw events, over all that it took
     * @param rawBytesPerEvent as IDEA JSON
     * @param diskBytesPerEvent of tables and indexes; 0 where the server does not tell
     */
    record Measured(double kilobytesPerSecond, double rawBytesPerEvent, double diskBytesPerEvent) {}

    /** What the tier asks of all its servers together, and how many like the measured one it takes. */
    StepRecord step(Measured one, Deployment deployment) {
        double average = gigabytesPerDay * KILOBYTES_OF_GIGABYTE / SECONDS_OF_DAY;
        double peak = average * deployment.peakFactor();
        double eventsOfKilobyte = BYTES_OF_KILOBYTE / one.rawBytesPerEvent();
        long needed = (long) Math.ceil(peak / one.kilobytesPerSecond());
        double days = deployment.retention().toSeconds() / SECONDS_OF_DAY;
        Step step = new Step("tier " + words)
                .fact("tier", words)
                .fact("tierServers", servers)
                .fact("reached", reached(needed))
                .figure("gigabytesPerDay", gigabytesPerDay)
                .figure("averageKilobytesPerSecond", average)
                .figure("averageEventsPerSecond", average * eventsOfKilobyte)
                .figure("peakKilobytesPerSecond", peak)
                .figure("peakEventsPerSecond", peak * eventsOfKilobyte)
                .figure("retainedDays", days)
                .figure("serversNeeded", needed);
        if (one.diskBytesPerEvent() > 0) {
            step.figure("diskGigabytes", gigabytesPerDay * days * one.diskBytesPerEvent() / one.rawBytesPerEvent());
        }
        return step.done();
    }

    private String reached(long needed) {
        if (needed == 1) {
            return "by this server alone";
        }
        if (needed <= servers) {
            return "by " + needed + " servers";
        }
        return servers == 1 ? "no" : "not by " + servers + " servers";
    }
}
