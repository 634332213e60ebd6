package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Writes what is measured second by second into the directory of a run, and tells whoever listens. Immutable.
 *
 * @param directory that exists
 * @param listener hears of each row and interval
 */
public record RunWriter(Path directory, RunListener listener) {

    /** A writer without a listener. */
    public static RunWriter to(Path directory) {
        return new RunWriter(directory, RunListener.NONE);
    }

    /** Opens a table. @throws IOException if it cannot be written */
    public TableWriter table(RunFile table) throws IOException {
        return new TableWriter(directory, table, listener);
    }

    /**
     * Opens a histogram log.
     *
     * @param startedAt the wall-clock time that intervals count from
     * @throws IOException if it cannot be written
     */
    public LatencyLogWriter latencyLog(TimeMetric metric, Instant startedAt) throws IOException {
        return LatencyLogWriter.open(directory, metric, startedAt, listener);
    }
}
