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
 */
public record SearchResult(
        @JsonUnwrapped SearchKind kind,
        long count,
        long ok,
        long ko,
        Map<String, Long> errors,
        long rows,
        long bytes,
        @JsonUnwrapped SearchTimes times) {
    public SearchResult {
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    }

    /** The same searches with these times. */
    public SearchResult with(SearchTimes others) {
        return new SearchResult(kind, count, ok, ko, errors, rows, bytes, others);
    }

    /**
     * How long searches of one kind took.
     *
     * @param latenessMicros from the intended start until the load generator got round to the search
     * @param workerWaitMicros from the intended start until a worker took it, lateness included
     */
    public record SearchTimes(
            MicrosSummary responseTimeMicros,
            MicrosSummary serviceTimeMicros,
            MicrosSummary latenessMicros,
            MicrosSummary workerWaitMicros,
            MicrosSummary firstEventMicros,
            MicrosSummary lastEventMicros) {}
}
