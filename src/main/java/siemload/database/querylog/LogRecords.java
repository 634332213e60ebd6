package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.event.ByteLines;

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

    /**
     * The lines of a query log, plain or gzip, with their numbers. Too long ones, and the end of damaged gzip data, are told to the
     * listener, and read past. Not thread-safe.
     */
    final class NumberedLines implements Closeable {
        /** In bytes. A statement with all its values stands in one record; servers' own limits for a text are higher. */
        public static final int LONGEST = 16 << 20;

        private final ByteLines lines;
        private final QueryLogListener listener;
        private long number;
        private boolean broken;

        private NumberedLines(ByteLines lines, QueryLogListener listener) {
            this.lines = lines;
            this.listener = listener;
        }

        /**
         * One of them.
         *
         * @param number from 1
         */
        public record Line(long number, String text) {}

        /** Opens a file. */
        public static NumberedLines open(Path file, QueryLogListener listener) throws IOException {
            return new NumberedLines(ByteLines.open(file, LONGEST), listener);
        }

        /** The next line; empty at the end. */
        public Optional<Line> next() throws IOException {
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

    /** The records of a jsonlog (documentation, 19.8.5), one a line. A line that is none is told and read past. Not thread-safe. */
    record JsonRecords(NumberedLines lines, LogTimes times, QueryLogListener listener) implements LogRecords {
        private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxStringLength(NumberedLines.LONGEST)
                                .build())
                        .build())
                .build();

        @Override
        public Optional<LogRecord> next() throws IOException {
            for (Optional<NumberedLines.Line> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (line.get().text().isBlank()) {
                    continue;
                }
                Optional<LogRecord> record = record(line.get());
                if (record.isPresent()) {
                    return record;
                }
            }
            return Optional.empty();
        }

        private Optional<LogRecord> record(NumberedLines.Line line) {
            JsonNode json;
            try {
                json = JSON.readTree(line.text());
            } catch (JsonProcessingException broken) {
                listener.unreadable(line.number(), "the line is no JSON, or ends early");
                return Optional.empty();
            }
            Optional<Long> micros = times.micros(text(json, "timestamp"));
            if (micros.isEmpty()
                    || text(json, "session_id").isEmpty()
                    || text(json, "error_severity").isEmpty()) {
                listener.unreadable(line.number(), "the line has not the keys of a jsonlog");
                return Optional.empty();
            }
            return Optional.of(new LogRecord(
                    line.number(),
                    micros.get(),
                    text(json, "dbname"),
                    text(json, "session_id"),
                    text(json, "application_name"),
                    text(json, "user"),
                    text(json, "error_severity"),
                    text(json, "message"),
                    text(json, "detail"),
                    text(json, "statement")));
        }

        private static String text(JsonNode json, String key) {
            return json.path(key).asText("");
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    /**
     * The records of a csvlog (documentation, 19.8.4), whose texts may have line ends. A file that begins or ends within a record, as
     * copies of a log that is being written do, loses that one alone: where quotes do not match, reading goes on at the next line that
     * begins as records do. Not thread-safe.
     */
    final class CsvRecords implements LogRecords {
        /** 23 since 9.0, 24 since 13, 26 since 14; what comes later stands behind them. */
        private static final int FEWEST_COLUMNS = 23;

        private static final int MOST_COLUMNS = 40;
        private static final int USER = 1;
        private static final int DATABASE = 2;
        private static final int SESSION = 5;
        private static final int SEVERITY = 11;
        private static final int MESSAGE = 13;
        private static final int DETAIL = 14;
        private static final int STATEMENT = 19;
        private static final int PROGRAM = 22;

        private static final Pattern BEGIN = Pattern.compile(
                "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} [^,\\s\"]{1,20},.*", Pattern.DOTALL);
        private static final Pattern SESSION_ID = Pattern.compile("[0-9a-f]+\\.[0-9a-f]+");

        private final NumberedLines lines;
        private final LogTimes times;
        private final QueryLogListener listener;
        /** Lines that were read, and belong to no record so far. */
        private final Deque<NumberedLines.Line> held = new ArrayDeque<>();

        /** How many of them the record has that was put together last. */
        private int taken;

        private boolean inForeignLines;

        CsvRecords(NumberedLines lines, LogTimes times, QueryLogListener listener) {
            this.lines = lines;
            this.times = times;
            this.listener = listener;
        }

        @Override
        public Optional<LogRecord> next() throws IOException {
            while (skipToBegin()) {
                Optional<String> written = whole();
                NumberedLines.Line first = held.element();
                if (written.isEmpty()) {
                    unreadable(first, "the record does not end");
                    continue;
                }
                Optional<LogRecord> record = record(first.number(), written.get());
                if (record.isPresent()) {
                    removeTaken();
                    return record;
                }
                unreadable(first, "the record has not the columns of a csvlog");
            }
            return Optional.empty();
        }

        /** Tells it once, and gives up the first of the lines that are held: another record may begin in one of the others. */
        private void unreadable(NumberedLines.Line first, String reason) {
            listener.unreadable(first.number(), reason);
            inForeignLines = true;
            held.remove();
        }

        /** Moves on to a line that begins as a record does; false at the end. */
        private boolean skipToBegin() throws IOException {
            while (true) {
                if (held.isEmpty()) {
                    Optional<NumberedLines.Line> more = lines.next();
                    if (more.isEmpty()) {
                        return false;
                    }
                    held.add(more.get());
                }
                NumberedLines.Line first = held.element();
                if (BEGIN.matcher(first.text()).matches()) {
                    inForeignLines = false;
                    return true;
                }
                if (!inForeignLines && !first.text().isBlank()) {
                    listener.unreadable(
                            first.number(), "no record begins here: the file begins within one, or is no csvlog");
                    inForeignLines = true;
                }
                held.remove();
            }
        }

        /**
         * The text of the record that begins with the first line: so many lines that each quote has a second one. All lines that were
         * read for it are held. Empty where it does not end.
         */
        private Optional<String> whole() throws IOException {
            StringBuilder text = new StringBuilder();
            List<NumberedLines.Line> fresh = new ArrayList<>();
            Iterator<NumberedLines.Line> known = held.iterator();
            long quotes = 0;
            taken = 0;
            boolean ended = false;
            while (!ended && text.length() <= NumberedLines.LONGEST) {
                Optional<NumberedLines.Line> line = known.hasNext() ? Optional.of(known.next()) : read(fresh);
                if (line.isEmpty()) {
                    break;
                }
                String written = line.get().text();
                text.append(taken == 0 ? "" : "\n").append(written);
                quotes += CsvRow.quotes(written);
                taken++;
                ended = quotes % 2 == 0;
            }
            held.addAll(fresh);
            return ended ? Optional.of(text.toString()) : Optional.empty();
        }

        private Optional<NumberedLines.Line> read(List<NumberedLines.Line> fresh) throws IOException {
            Optional<NumberedLines.Line> line = lines.next();
            line.ifPresent(fresh::add);
            return line;
        }

        private void removeTaken() {
            for (int i = 0; i < taken; i++) {
                held.remove();
            }
        }

        private Optional<LogRecord> record(long line, String written) {
            String[] row = CsvRow.columns(written);
            if (row.length < FEWEST_COLUMNS
                    || row.length > MOST_COLUMNS
                    || !SESSION_ID.matcher(row[SESSION]).matches()
                    || !row[SEVERITY].matches("[A-Z][A-Z0-9]*")) {
                return Optional.empty();
            }
            return times.micros(row[0])
                    .map(micros -> new LogRecord(
                            line,
                            micros,
                            row[DATABASE],
                            row[SESSION],
                            row[PROGRAM],
                            row[USER],
                            row[SEVERITY],
                            row[MESSAGE],
                            row[DETAIL],
                            row[STATEMENT]));
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }

        /** A row of CSV as PostgreSQL writes it, whose texts may have line ends: it has so many lines that each quote has a second one. Stateless. */
        private static final class CsvRow {
            private CsvRow() {}

            /** How many quotes a line has. */
            static long quotes(String line) {
                return line.chars().filter(c -> c == '"').count();
            }

            /** The columns of a row; none of an empty text. */
            static String[] columns(String row) {
                Iterator<String[]> rows;
                try {
                    rows = CsvParser.reader(row).iterator();
                } catch (IOException impossible) {
                    throw new IllegalStateException("a text can always be read", impossible);
                }
                return rows.hasNext() ? rows.next() : new String[0];
            }
        }
    }
}
