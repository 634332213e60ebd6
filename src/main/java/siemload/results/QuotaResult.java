package siemload.results;

/**
 * What the users of one group waited for the quota that they share, in the measured phase. Immutable.
 *
 * @param group its name
 * @param atOnce how many of their searches may run at once
 * @param letIn how many searches ran, at once or after they had waited
 * @param mostRunning how many of them ran at once at most
 * @param waited how many searches waited, those included that were still waiting when the run gave them up
 * @param waitMicros how long those waited; their response times hold it
 */
public record QuotaResult(
        String group, int atOnce, long letIn, long mostRunning, long waited, MicrosSummary waitMicros) {}
