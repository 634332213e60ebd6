package siemload.scenario.replay;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * What a query recording says of itself before its executions. Immutable.
 *
 * @param file it lies in
 * @param startedAt when the first statement began, by the clock of the server that logged it
 * @param executions how many there are, 1 or more
 * @param sessions how many sessions asked them, 1 or more
 * @param openAtOnce how many of these had begun and not ended at a time, at most; 1 or more
 * @param micros from the begin of the first execution to the end of the last one
 * @param queries the different statements, at least one
 */
public record QueryRecording(
        Path file,
        Instant startedAt,
        long executions,
        int sessions,
        int openAtOnce,
        long micros,
        List<RecordedQuery> queries) {
    /** More different statements than this no report could show. */
    public static final int MOST_QUERIES = 1_000;

    static final String FORMAT = "siemload query recording";
    static final int VERSION = 2;

    public QueryRecording {
        queries = List.copyOf(queries);
    }
}
