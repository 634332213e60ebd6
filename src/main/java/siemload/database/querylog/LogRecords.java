package siemload.database.querylog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The records of one file, one after the other. What is none is told to the listener, and read past. Not thread-safe. */
interface LogRecords extends Closeable {
    /** The next record; empty at the end. */
    Optional<LogRecord> next() throws IOException;

    /** Opens a file of either format: records of jsonlog begin with a brace, those of csvlog with a time. */
    static LogRecords open(Path file, LogTimes times, QueryLogListener listener) throws IOException {
        boolean isJson;
        try (NumberedLines lines = NumberedLines.open(file, QueryLogListener.DEAF)) {
            Optional<NumberedLines.Line> line = lines.next();
            while (line.isPresent() && line.get().text().isBlank()) {
                line = lines.next();
            }
            isJson = line.isPresent() && line.get().text().stripLeading().startsWith("{");
        }
        NumberedLines lines = NumberedLines.open(file, listener);
        return isJson ? new JsonRecords(lines, times, listener) : new CsvRecords(lines, times, listener);
    }
}
