package siemload.results;

import java.util.List;

/**
 * The removal of the oldest day while users searched and events arrived, and what it cost them. Immutable.
 *
 * @param day which one, in UTC: {@code 2016-06-06}
 * @param means {@code partition} where it went with its partition, {@code rows} where each row was deleted; empty where it failed
 * @param failure why; empty where it did not
 * @param fromSecond when it began, from the start of the measured phase
 * @param tookMicros how long it took, until it was durable
 * @param waitedMicros how long of that it waited for locks of others
 * @param spans the seconds before, during and after it
 */
public record RetentionResult(
        String day,
        String means,
        String failure,
        double fromSecond,
        long tookMicros,
        long waitedMicros,
        List<RetentionSpan> spans) {
    public RetentionResult {
        spans = List.copyOf(spans);
    }

    /**
     * What ended in some seconds of a run.
     *
     * @param name {@code before}, {@code during} or {@code after}
     * @param seconds how many
     * @param searches how many had an answer in them
     */
    public record RetentionSpan(
            String name,
            int seconds,
            long searches,
            MicrosSummary responseTimeMicros,
            MicrosSummary feederLatenessMicros) {}
}
