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
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.event.ByteLines;

/**
 * The records of one file of either format, plain or gzip, one after the other: those of jsonlog begin with a brace, those of csvlog
 * with a time (documentation, 19.8.4 and 19.8.5). What is none is told, and read past: a file that begins or ends
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
    private final ObjLongConsumer<String> unreadable;
    /** Of the line that was read last, from 1. */
    private long number;
    /** The line that was read last, where it is to be read once more. */
    private Optional<String> again = Optional.empty();

    private boolean broken;
    private boolean inForeignLines;

    private LogRecords(ByteLines lines, ObjLongConsumer<String> unreadable) {
        this.lines = lines;
        this.unreadable = unreadable;
    }

    /**
     * One record of a log. Immutable.
     *
     * @param micros when it was written, since 1970
     * @param texts by the keys of a jsonlog; empty for what it has not
     */
    record LogRecord(long micros, UnaryOperator<String> texts) {
        String text(String key) {
            return texts.apply(key);
        }
    }

    /** @param unreadable hears why the record that begins on a line cannot be read, and the line's number from 1 */
    static LogRecords open(Path file, ObjLongConsumer<String> unreadable) throws IOException {
        return new LogRecords(ByteLines.open(file, LONGEST), unreadable);
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
        try {
            JsonNode json = JSON.readTree(line);
            Optional<LogRecord> record = record(key -> json.path(key).asText(""));
            if (record.isEmpty()) {
                unreadable.accept("the line has not the keys of a jsonlog", first);
            }
            return record;
        } catch (JsonProcessingException noJson) {
            unreadable.accept("the line is no JSON, or ends early", first);
            return Optional.empty();
        }
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
        Optional<LogRecord> record = row.length < COLUMNS.size() || row.length > MOST_COLUMNS
                ? Optional.empty()
                : record(key -> row[COLUMNS.indexOf(key)]);
        return record.isPresent() ? record : foreign(first, "the record has not the columns of a csvlog");
    }

    /** Tells it once of several lines. */
    private Optional<LogRecord> foreign(long line, String reason) {
        if (!inForeignLines) {
            unreadable.accept(reason, line);
        }
        inForeignLines = true;
        return Optional.empty();
    }

    private static long quotes(String line) {
        return line.chars().filter(c -> c == '"').count();
    }

    private static Optional<LogRecord> record(UnaryOperator<String> texts) {
        return SEVERITY.matcher(texts.apply("error_severity")).matches()
                        && SESSION_ID.matcher(texts.apply("session_id")).matches()
                ? LogTimes.micros(texts.apply("timestamp")).map(micros -> new LogRecord(micros, texts))
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
                unreadable.accept("the line is longer than 16 MiB", number);
            }
        } catch (EOFException | ZipException damaged) {
            broken = true;
            unreadable.accept("the gzip data is damaged or ends early here", number + 1);
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /**
     * Times as logs write them: {@code 2024-03-01 12:00:00.123 CET}, where the zone is an abbreviation or an offset. Of an abbreviation that
     * several zones have, Europe's is taken and then America's; one that none has counts as UTC. Only differences of times matter here, and
     * they are right either way where the log keeps to one zone with its summer time. Stateless.
     */
    private static final class LogTimes {
        private static final Pattern TIME =
                Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?) ?([^\\s,\"]{1,20})");

        private static final Map<String, Integer> ZONES = zones();

        /** Microseconds since 1970; empty where the text is no time. */
        static Optional<Long> micros(String text) {
            Matcher time = TIME.matcher(text);
            if (!time.matches()) {
                return Optional.empty();
            }
            try {
                Instant local = Instant.parse(time.group(1) + "T" + time.group(2) + "Z");
                return Optional.of(
                        ChronoUnit.MICROS.between(Instant.EPOCH, local) - offsetSeconds(time.group(3)) * 1_000_000L);
            } catch (DateTimeException none) {
                return Optional.empty();
            }
        }

        private static int offsetSeconds(String zone) {
            return zone.matches("<?[+-].*")
                    ? ZoneOffset.of(zone.replaceAll("[<>]", "")).getTotalSeconds()
                    : ZONES.getOrDefault(zone, 0);
        }

        private static Map<String, Integer> zones() {
            Map<String, Integer> offsets = new HashMap<>(Map.of("UTC", 0, "GMT", 0));
            String[] ids = TimeZone.getAvailableIDs();
            Arrays.sort(ids);
            for (String preferred : List.of("Europe/", "America/", "")) {
                for (String id : ids) {
                    if (id.startsWith(preferred)) {
                        TimeZone zone = TimeZone.getTimeZone(id);
                        int raw = zone.getRawOffset() / 1_000;
                        offsets.putIfAbsent(zone.getDisplayName(false, TimeZone.SHORT, Locale.ENGLISH), raw);
                        if (zone.getDSTSavings() > 0) {
                            offsets.putIfAbsent(
                                    zone.getDisplayName(true, TimeZone.SHORT, Locale.ENGLISH),
                                    raw + zone.getDSTSavings() / 1_000);
                        }
                    }
                }
            }
            return Map.copyOf(offsets);
        }
    }
}
