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
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.event.ByteLines;

/**
 * The records of one file of either format, plain or gzip, one after the other: those of jsonlog begin with a brace, those of csvlog
 * with a time (documentation, 19.8.4 and 19.8.5). What is none is told to the listener, and read past: a file that begins or ends
 * within a record, as copies of a log that is being written do, loses that one alone. Not thread-safe.
 */
final class LogRecords implements Closeable {
    /** In bytes. A statement with all its values stands in one record; servers' own limits for a text are higher. */
    private static final int LONGEST = 16 << 20;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(LONGEST)
                            .build())
                    .build())
            .build();

    /** The columns of a csvlog by the keys that a jsonlog has for them: 23 since 9.0; what came later stands behind them. */
    private static final List<String> COLUMNS =
            List.of(("timestamp user dbname pid remote session_id line_num ps session_start vxid txid error_severity"
                            + " state_code message detail hint internal_query internal_position context statement"
                            + " cursor_position location application_name")
                    .split(" "));

    private static final int MOST_COLUMNS = 40;
    private static final Pattern BEGIN_OF_CSV =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} [^,\\s\"]{1,20},.*", Pattern.DOTALL);
    private static final Pattern SESSION_ID = Pattern.compile("[0-9a-f]+\\.[0-9a-f]+");
    private static final Pattern SEVERITY = Pattern.compile("[A-Z][A-Z0-9]*");

    private final ByteLines lines;
    private final LogTimes times;
    private final QueryLogListener listener;
    /** Of the line that was read last, from 1. */
    private long number;
    /** The line that was read last, where it is to be read once more. */
    private Optional<String> again = Optional.empty();

    private boolean broken;
    private boolean inForeignLines;

    private LogRecords(ByteLines lines, LogTimes times, QueryLogListener listener) {
        this.lines = lines;
        this.times = times;
        this.listener = listener;
    }

    static LogRecords open(Path file, LogTimes times, QueryLogListener listener) throws IOException {
        return new LogRecords(ByteLines.open(file, LONGEST), times, listener);
    }

    /** The next record; empty at the end. */
    Optional<LogRecord> next() throws IOException {
        for (Optional<String> line = line(); line.isPresent(); line = line()) {
            if (!line.get().isBlank()) {
                long first = number;
                Optional<LogRecord> record =
                        line.get().stripLeading().startsWith("{") ? json(first, line.get()) : csv(first, line.get());
                if (record.isPresent()) {
                    inForeignLines = false;
                    return record;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<LogRecord> json(long first, String line) {
        JsonNode json;
        try {
            json = JSON.readTree(line);
        } catch (JsonProcessingException noJson) {
            listener.unreadable(first, "the line is no JSON, or ends early");
            return Optional.empty();
        }
        Optional<LogRecord> record = json.path("session_id").asText("").isEmpty()
                ? Optional.empty()
                : record(first, key -> json.path(key).asText(""));
        if (record.isEmpty()) {
            listener.unreadable(first, "the line has not the keys of a jsonlog");
        }
        return record;
    }

    /** Its texts may have line ends: it has so many lines that each quote has a second one. */
    private Optional<LogRecord> csv(long first, String line) throws IOException {
        if (!BEGIN_OF_CSV.matcher(line).matches()) {
            return foreign(first, "no record begins here: the file begins within one, or is no csvlog");
        }
        inForeignLines = false;
        StringBuilder text = new StringBuilder(line);
        for (long quotes = quotes(line); quotes % 2 == 1; ) {
            Optional<String> more = line();
            boolean isNext =
                    more.filter(next -> BEGIN_OF_CSV.matcher(next).matches()).isPresent();
            if (more.isEmpty() || isNext || text.length() > LONGEST) {
                again = more;
                return foreign(first, "the record does not end");
            }
            text.append('\n').append(more.get());
            quotes += quotes(more.get());
        }
        Iterator<String[]> rows = CsvParser.reader(text).iterator();
        String[] row = rows.hasNext() ? rows.next() : new String[0];
        boolean isOne = row.length >= COLUMNS.size()
                && row.length <= MOST_COLUMNS
                && SESSION_ID.matcher(row[COLUMNS.indexOf("session_id")]).matches();
        Optional<LogRecord> record = isOne ? record(first, key -> row[COLUMNS.indexOf(key)]) : Optional.empty();
        return record.isPresent() ? record : foreign(first, "the record has not the columns of a csvlog");
    }

    /** Tells it once of several lines. */
    private Optional<LogRecord> foreign(long line, String reason) {
        if (!inForeignLines) {
            listener.unreadable(line, reason);
        }
        inForeignLines = true;
        return Optional.empty();
    }

    private static long quotes(String line) {
        return line.chars().filter(c -> c == '"').count();
    }

    private Optional<LogRecord> record(long line, UnaryOperator<String> value) {
        return SEVERITY.matcher(value.apply("error_severity")).matches()
                ? times.micros(value.apply("timestamp"))
                        .map(micros -> new LogRecord(
                                line,
                                micros,
                                value.apply("dbname"),
                                value.apply("session_id"),
                                value.apply("application_name"),
                                value.apply("user"),
                                value.apply("error_severity"),
                                value.apply("message"),
                                value.apply("detail"),
                                value.apply("statement")))
                : Optional.empty();
    }

    /** The next line that is not too long; empty at the end, which damaged gzip data have early. */
    private Optional<String> line() throws IOException {
        if (again.isPresent()) {
            Optional<String> line = again;
            again = Optional.empty();
            return line;
        }
        try {
            while (!broken && lines.next()) {
                number++;
                if (!lines.isTooLong()) {
                    return Optional.of(lines.text());
                }
                listener.unreadable(number, "the line is longer than 16 MiB");
            }
        } catch (EOFException | ZipException damaged) {
            broken = true;
            listener.unreadable(number + 1, "the gzip data is damaged or ends early here");
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
