package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One search by page class and order.
 *
 * @param count the searches that ended
 * @param ok those that were answered
 * @param ko those that failed
 * @param errors the failures by class and code
 * @param bytes of events read, without the wire protocol's own
 * @param latenessMicros from the intended start until the load generator got round to the search
 * @param workerWaitMicros from the intended start until a worker took it, lateness included
 */
public record SearchResult(
        @JsonUnwrapped SearchKind kind,
        long count,
        long ok,
        long ko,
        Map<String, Long> errors,
        long rows,
        long bytes,
        MicrosSummary responseTimeMicros,
        MicrosSummary serviceTimeMicros,
        MicrosSummary latenessMicros,
        MicrosSummary workerWaitMicros,
        MicrosSummary firstEventMicros,
        MicrosSummary lastEventMicros) {
    public SearchResult {
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    }

    /** The same searches with these times, by the names that they have here. */
    public SearchResult with(Map<String, MicrosSummary> times) {
        return ResultValue.with(this, times);
    }
}
