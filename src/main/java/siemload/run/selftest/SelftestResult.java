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
 */
public record SelftestResult(
        int formatVersion, Instant when, String java, int cpus, boolean passed, List<Check> checks) {
    public static final int FORMAT_VERSION = 1;
    /** What a check has measured whose run has failed. */
    static final String NO_RUN = "none";

    public SelftestResult {
        checks = List.copyOf(checks);
    }

    public static SelftestResult of(Instant when, String java, int cpus, List<Check> checks) {
        return new SelftestResult(
                FORMAT_VERSION, when, java, cpus, checks.stream().allMatch(Check::passed), checks);
    }

    /** Whether a run of the self-test has failed, so that nothing is known of what it was to measure. */
    public boolean lacksRuns() {
        return checks.stream().anyMatch(check -> check.measured().equals(NO_RUN));
    }

    /**
     * One thing that must be so.
     *
     * @param expected what it must be, in words
     * @param measured what it was, in words
     * @param why what a failure means; empty where it passed
     */
    public record Check(String name, String expected, String measured, boolean passed, String why) {
        /** A check that says why only if it did not pass. */
        static Check of(String name, String expected, String measured, boolean passed, String whyNot) {
            return new Check(name, expected, measured, passed, passed ? "" : whyNot);
        }
    }
}
