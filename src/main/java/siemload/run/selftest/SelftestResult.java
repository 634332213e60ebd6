package siemload.run.selftest;

import java.time.Instant;
import java.util.List;

/**
 * What the self-test found, as {@code selftest.json} holds it. Immutable.
 *
 * @param formatVersion 1
 * @param when when it began
 * @param java the version of the virtual machine
 * @param cpus logical processors
 * @param passed whether all checks did
 * @param stopwatches searches whose times others have measured, too; empty where they could not be measured
 */
public record SelftestResult(
        int formatVersion,
        Instant when,
        String java,
        int cpus,
        boolean passed,
        List<Check> checks,
        List<Stopwatch> stopwatches) {
    public static final int FORMAT_VERSION = 1;
    /** What a check has measured whose run has failed. */
    static final String NO_RUN = "none";

    public SelftestResult {
        checks = List.copyOf(checks);
        stopwatches = List.copyOf(stopwatches);
    }

    /** What was found. */
    public record Findings(List<Check> checks, List<Stopwatch> stopwatches) {
        public Findings {
            checks = List.copyOf(checks);
            stopwatches = List.copyOf(stopwatches);
        }
    }

    /** The result of these findings. */
    public static SelftestResult of(Instant when, String java, int cpus, Findings found) {
        boolean passed = found.checks().stream().allMatch(Check::passed);
        return new SelftestResult(FORMAT_VERSION, when, java, cpus, passed, found.checks(), found.stopwatches());
    }

    /** Whether a run of the self-test has failed, so that nothing is known of what it was to measure. */
    public boolean lacksRuns() {
        return checks.stream().anyMatch(check -> check.measured().equals(NO_RUN));
    }

    /**
     * The mean time of a search by several stopwatches, which took turns on one server.
     *
     * @param search its name
     * @param client the other program with its version; empty where there is none
     * @param meanMicros the service time that siemload measured
     * @param serverMicros the server's own time over the same searches; 0 where it does not tell
     * @param clientMicros what the other program measured; 0 where there is none
     * @param clientServerMicros the server's own time over the searches of the other program; 0 where the server does not count it
     * @param toServer by how much siemload's time is longer than the server's
     * @param toClient by how much it is longer than the other program's, both in relation to the server's own time where that is
     *     known: the server may have been slower while one of them asked
     */
    public record Stopwatch(
            String search,
            String client,
            double meanMicros,
            double serverMicros,
            double clientMicros,
            double clientServerMicros,
            Ratio toServer,
            Ratio toClient) {}

    /**
     * By how much siemload's time is longer than another one: the geometric mean over rounds with its 95 % interval.
     *
     * @param value 0 where there is none
     * @param low 0 where one round says nothing of it
     * @param high the largest number there is where one round says nothing of it
     */
    public record Ratio(double value, double low, double high) {
        boolean isKnown() {
            return value > 0;
        }
    }

    /**
     * One thing that must be so.
     *
     * @param expected what it must be, in words
     * @param measured what it was, in words
     * @param why what a failure means; empty where it passed
     */
    public record Check(String name, String expected, String measured, boolean passed, String why) {}
}
