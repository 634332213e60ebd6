package siemload.database.postgresql.querylog;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;
import siemload.database.LoggedStatement;
import siemload.database.QueryLogListener;
import siemload.event.ByteLines;

/** The records of one file, one after the other. What is none is told to the listener, and read past. Not thread-safe. */
interface LogRecords extends Closeable {
    /** A statement with all its values stands in one record; the server's own limit for a text is a gigabyte. */
    int LONGEST_RECORD = 16 << 20;

    /** The next record; empty at the end. */
    Optional<LogRecord> next() throws IOException;

    /** Opens a file of either format: records of jsonlog begin with a brace, those of csvlog with a time. */
    static LogRecords open(Path file, LogTimes times, QueryLogListener listener) throws IOException {
        boolean isJson;
        try (NumberedLines lines = NumberedLines.open(file, new Deaf())) {
            Optional<NumberedLines.Line> line = lines.next();
            while (line.isPresent() && line.get().text().isBlank()) {
                line = lines.next();
            }
            isJson = line.isPresent() && line.get().text().stripLeading().startsWith("{");
        }
        NumberedLines lines = NumberedLines.open(file, listener);
        return isJson ? new JsonRecords(lines, times, listener) : new CsvRecords(lines, times, listener);
    }

    /** Hears what is read once more. */
    final class Deaf implements QueryLogListener {
        @Override
        public void executed(LoggedStatement statement) {}

        @Override
        public void leftOut(String reason, String text) {}

        @Override
        public void ended(String session) {}

        @Override
        public void unreadable(long line, String reason) {}
    }

    /** Lines with their numbers. Too long ones, and the end of damaged gzip data, are told to the listener. */
    final class NumberedLines implements Closeable {
        private final ByteLines lines;
        private final QueryLogListener listener;
        private long number;
        private boolean broken;

        private NumberedLines(ByteLines lines, QueryLogListener listener) {
            this.lines = lines;
            this.listener = listener;
        }

        /** @param number from 1 */
        record Line(long number, String text) {}

        static NumberedLines open(Path file, QueryLogListener listener) throws IOException {
            return new NumberedLines(ByteLines.open(file, LONGEST_RECORD), listener);
        }

        /** The next line; empty at the end. */
        Optional<Line> next() throws IOException {
            while (advance()) {
                number++;
                if (lines.isTooLong()) {
                    listener.unreadable(number, "the line is longer than 16 MiB");
                } else {
                    return Optional.of(new Line(number, lines.text()));
                }
            }
            return Optional.empty();
        }

        private boolean advance() throws IOException {
            if (broken) {
                return false;
            }
            try {
                return lines.next();
            } catch (EOFException | ZipException damaged) {
                broken = true;
                listener.unreadable(number + 1, "the gzip data is damaged or ends early here");
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
