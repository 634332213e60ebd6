package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the HdrHistogram logs of a run. Stateless. */
public final class LatencyLogReader {
    private static final String KNOWN_VERSION = "#[Histogram log format version 1.";

    private LatencyLogReader() {}

    /**
     * Reads all intervals, in the order in which they were written; one at a time is held in memory.
     *
     * @throws BrokenFileException if a line is no interval, or the log is of another format version; with file and line
     * @throws IOException if it cannot be read; {@link java.nio.file.NoSuchFileException} if it is not there
     */
    public static void read(Path directory, TimeMetric metric, Consumer<LoggedInterval> reader) throws IOException {
        Path file = metric.file().in(directory);
        boolean known = false;
        try (ResultLines lines = ResultLines.open(file, metric.file().fileName())) {
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (LoggedInterval.isHead(line.get())) {
                    known |= line.get().startsWith(KNOWN_VERSION);
                } else {
                    reader.accept(lines.interval(line.get()));
                }
            }
        }
        if (!known) {
            throw new BrokenFileException(metric.file().fileName() + ":1: not a histogram log of format version 1");
        }
    }
}
