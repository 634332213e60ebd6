package siemload.results;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

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

    /** A file that is written line by line, and whose end says whether all of it is there. */
    static PrintStream open(Path directory, RunFile file) throws IOException {
        return new PrintStream(Files.newOutputStream(file.in(directory)), false, StandardCharsets.UTF_8);
    }

    /** Closes such a file. @throws IOException if something could not be written */
    static void close(PrintStream output, RunFile file) throws IOException {
        boolean failed = output.checkError();
        output.close();
        if (failed) {
            throw new IOException(file.fileName() + " is not complete: no space left, or no right to write");
        }
    }

    /** Hears what is written of a run second by second, at the moment when it is written. Called by several threads. */
    public interface RunListener {
        RunListener NONE = new RunListener() {
            @Override
            public void row(RunFile table, Map<String, String> row) {}

            @Override
            public void interval(TimeMetric metric, LoggedInterval interval) {}
        };

        /** A row of a table, its cells by column. */
        void row(RunFile table, Map<String, String> row);

        /** An interval of a histogram log; its histogram is the listener's during the call only. */
        void interval(TimeMetric metric, LoggedInterval interval);
    }
}
