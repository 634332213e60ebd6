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

    /** What a user asked before a search. */
    public enum Asked {
        /** A new search. */
        FIRST,
        /** A search with one condition less, of whose answer the user has just seen a row. */
        FOLLOW_UP,
        /** The same search, for another page or for its count. */
        SAME
    }

    /**
     * What a search took where nothing like it was asked before, and where it followed one that it narrowed: first pages and whole
     * results of the measured phase, in every order. Immutable.
     *
     * @param name of the search
     * @param firsts how many were asked first
     * @param firstMicros response times of those that were asked first
     * @param followUps how many followed
     * @param followUpMicros response times of those that followed
     */
    public record FollowUpTimes(
            String name, long firsts, MicrosSummary firstMicros, long followUps, MicrosSummary followUpMicros) {}
}
