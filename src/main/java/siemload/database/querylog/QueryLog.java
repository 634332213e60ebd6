package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.database.querylog.QueryLog.QueryLogListener.Client;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.database.querylog.StatementForms.Form;
import siemload.event.ByteLines;
import siemload.event.Utf8Sanitizer;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Reads csvlog and jsonlog as {@code log_min_duration_statement} writes them. A statement of the extended protocol is logged in up to three
 * steps: parsing and binding since the session's last statement belong to the next execution of the same text. A statement ends at the time
 * of its record. Not thread-safe.
 */
public final class QueryLog {
    /** The files it reads, and the settings that make the server write them, for people. */
    public static final String FORMATS =
            "csvlog or jsonlog of PostgreSQL, which log_destination = 'csvlog' and log_min_duration_statement = 0 write";

    private static final Pattern DURATION =
            Pattern.compile("duration: ([0-9]{1,12}(?:\\.[0-9]{1,6})?) ms(?: {1,2}(.*))?", Pattern.DOTALL);

    private static final Pattern STEP = Pattern.compile("(statement|(?:parse|bind|execute) .*?): (.*)", Pattern.DOTALL);

    /** The year whose offsets the zones' abbreviations stand for. */
    private static final Instant NEW_YEAR = Instant.parse("2024-01-01T00:00:00Z");

    /** How many sessions the log may have at once; those silent for the longest time are forgotten. */
    private static final int MOST_SESSIONS = 50_000;

    private static final int MOST_ZONES = 100;
    /** By how much records may be out of order, since several processes write them. */
    private static final long DISORDER_MICROS = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final QueryLogListener listener;
    private final StatementForms forms;
    private final Map<String, Prepared> prepared = new LatestUsed<>(MOST_SESSIONS);

    private final Map<String, ZoneOffset> zones = new LatestUsed<>(MOST_ZONES);
    private long latestMicros;
    /** By how much times are shifted since the clock went back, or files are not in order. */
    private long movedMicros;

    /**
     * Reads nothing yet.
     *
     * @param listener is told what is in the files
     * @param most whether statements that write are included
     */
    public QueryLog(QueryLogListener listener, Statement.Effect most) {
        this.listener = listener;
        this.forms = new StatementForms(most);
    }

    /** What a session has parsed or bound, and how long that took. */
    private record Prepared(String text, long micros) {}

    /**
     * Reads a file, plain or gzip. Its sessions continue in the next one; memory does not grow with it.
     *
     * @return how many records could be read, of any kind
     * @throws IOException if the file cannot be read
     */
    public long read(Path file) throws IOException {
        try (ByteLines lines = ByteLines.open(file, LogFile.LONGEST)) {
            return new LogFile(lines).read();
        } catch (IOException unreadable) {
            throw new IOException(file + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /**
     * One record of a log. Immutable.
     *
     * @param micros when it was written, since 1970
     * @param texts by the keys of a jsonlog; empty for missing ones
     */
    private record LogRecord(long micros, UnaryOperator<String> texts) {
        String text(String key) {
            return texts.apply(key);
        }

        Client client() {
            return new Client(text("session_id"), text("dbname"), text("application_name"), text("user"));
        }
    }

    private void read(LogRecord record) {
        Matcher duration = DURATION.matcher(record.text("message"));
        if (duration.matches()) {
            long micros = new BigDecimal(duration.group(1)).movePointRight(3).longValue();
            if (duration.group(2) == null) {
                listener.leftOut("is a time without its statement (log_min_duration_statement = 0 logs both)", "");
            } else {
                step(record, micros, duration.group(2));
            }
        } else if (record.text("message").startsWith("disconnection: ")) {
            prepared.remove(record.text("session_id"));
            listener.ended(record.text("session_id"));
        } else if (record.text("error_severity").equals("ERROR")
                || (record.text("error_severity").matches("FATAL|PANIC")
                        && !record.text("statement").isEmpty())) {
            prepared.remove(record.text("session_id"));
            listener.leftOut("failed", record.text("statement"));
        }
    }

    private void step(LogRecord record, long micros, String written) {
        Matcher step = STEP.matcher(written);
        if (!step.matches()) {
            listener.leftOut("is not a statement", written);
        } else if (step.group(1).startsWith("execute fetch from ")) {
            listener.leftOut("asks for more rows of a statement that is counted", step.group(2));
        } else {
            String sql = step.group(2);
            String session = record.text("session_id");
            Prepared before = prepared.remove(session);
            long all = micros + (before != null && sql.equals(before.text) ? before.micros : 0);
            if (step.group(1).startsWith("parse ") || step.group(1).startsWith("bind ")) {
                prepared.put(session, new Prepared(sql, all));
            } else {
                executed(record, all, sql);
            }
        }
    }

    private void executed(LogRecord record, long micros, String sql) {
        String detail = record.text("detail");
        Form form = Utf8Sanitizer.of(sql + detail).indexOf('\uFFFD') < 0
                ? forms.of(sql, detail)
                : new Form.LeftOut("has bytes that are no UTF-8");
        if (form instanceof Form.Asked asked) {
            listener.executed(new LoggedStatement(
                    record.client(), record.micros(), micros, asked.text(), asked.values(), asked.effect()));
        } else if (form instanceof Form.LeftOut out) {
            listener.leftOut(out.reason(), sql);
        }
    }

    /**
     * The records of one file of either format, plain or gzip, one after the other: those of jsonlog begin with a brace, those of csvlog
     * with a time (documentation, 19.8.4 and 19.8.5). Anything else is reported and skipped: a file that begins or ends within a record,
     * like a copy of a log that is being written, loses only that one. Not thread-safe.
     */
    private final class LogFile {
        /** In bytes. A statement with all its values is in one record; servers' own limits for a text are higher. */
        private static final int LONGEST = 16 << 20;

        /** The columns of a csvlog by their keys in a jsonlog: 23 since 9.0; later ones are appended. */
        private static final List<String> COLUMNS = List.of(
                ("timestamp user dbname pid remote session_id line_num ps session_start vxid txid error_severity"
                                + " state_code message detail hint internal_query internal_position context statement"
                                + " cursor_position location application_name")
                        .split(" "));

        private static final Pattern BEGIN_OF_CSV = Pattern.compile(
                "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} [^,\\s\"]{1,20},.*", Pattern.DOTALL);
        private static final Pattern SEVERITY = Pattern.compile("[A-Z][A-Z0-9]*");

        private final ByteLines lines;
        /** The number of the last line read, from 1. */
        private long number;
        /** The last line read, where it is to be read again. */
        private Optional<String> again = Optional.empty();

        private boolean broken;

        LogFile(ByteLines lines) {
            this.lines = lines;
        }

        /** @return how many records could be read */
        long read() throws IOException {
            long count = 0;
            for (Optional<String> line = line(); line.isPresent(); line = line()) {
                String text = line.get();
                if (!text.isBlank()) {
                    Optional<LogRecord> record = text.stripLeading().startsWith("{") ? json(text) : csv(number, text);
                    record.ifPresent(QueryLog.this::read);
                    count += record.isPresent() ? 1 : 0;
                }
            }
            return count;
        }

        private Optional<LogRecord> json(String line) {
            try {
                JsonNode json = JSON.readTree(line);
                Optional<LogRecord> record =
                        record(number, key -> json.path(key).asText(""));
                return record.isPresent() ? record : none(number, "the line has not the keys of a jsonlog");
            } catch (JsonProcessingException noJson) {
                return none(number, "the line is no JSON, or ends early");
            }
        }

        /** Its texts may contain line feeds: a record ends where each quote is closed. */
        private Optional<LogRecord> csv(long first, String line) throws IOException {
            if (!BEGIN_OF_CSV.matcher(line).matches()) {
                return none(first, "no record begins here: the file begins within one, or is not a csvlog");
            }
            StringBuilder text = new StringBuilder(line);
            for (long quotes = quotes(line); quotes % 2 == 1; ) {
                Optional<String> more = line();
                boolean isNext = more.filter(next -> BEGIN_OF_CSV.matcher(next).matches())
                        .isPresent();
                if (more.isEmpty() || isNext || text.length() > LONGEST) {
                    again = more;
                    return none(first, "the record does not end");
                }
                text.append('\n').append(more.get());
                quotes += quotes(more.get());
            }
            Iterator<String[]> rows = CsvParser.reader(text).iterator();
            String[] row = rows.hasNext() ? rows.next() : new String[0];
            Optional<LogRecord> record =
                    row.length < COLUMNS.size() ? Optional.empty() : record(first, key -> row[COLUMNS.indexOf(key)]);
            return record.isPresent() ? record : none(first, "the record has not the columns of a csvlog");
        }

        private Optional<LogRecord> none(long line, String reason) {
            listener.unreadable(line, reason);
            return Optional.empty();
        }

        private static long quotes(String line) {
            return line.chars().filter(c -> c == '"').count();
        }

        private Optional<LogRecord> record(long first, UnaryOperator<String> texts) {
            return SEVERITY.matcher(texts.apply("error_severity")).matches()
                            && texts.apply("session_id").contains(".")
                    ? QueryLog.this
                            .micros(texts.apply("timestamp"))
                            .map(micros -> new LogRecord(onwards(first, micros), texts))
                    : Optional.empty();
        }

        /** As if a second had passed where the clock goes back, so that all other distances stay. */
        private long onwards(long first, long micros) {
            long back = latestMicros - micros - movedMicros;
            if (back > DISORDER_MICROS) {
                listener.wentBack(first, back / 1_000_000);
                movedMicros += back + DISORDER_MICROS;
            }
            latestMicros = Math.max(latestMicros, micros + movedMicros);
            return micros + movedMicros;
        }

        /** The next line that is not too long; empty at the end, which damaged gzip data reach early. */
        private Optional<String> line() throws IOException {
            Optional<String> line = again;
            again = Optional.empty();
            try {
                while (line.isEmpty() && !broken && lines.next()) {
                    number++;
                    if (lines.isTooLong()) {
                        listener.unreadable(number, "the line is longer than 16 MiB");
                    } else {
                        line = Optional.of(lines.text());
                    }
                }
            } catch (EOFException | ZipException damaged) {
                broken = true;
                listener.unreadable(number + 1, "the gzip data is damaged or ends early here");
            }
            return line;
        }
    }

    /**
     * Microseconds since 1970 of {@code 2024-03-01 12:00:00.123 CET}, where the zone is an offset, or an abbreviation that Java knows; any other
     * counts as UTC, since differences of times matter here. Empty where it is no time.
     */
    private Optional<Long> micros(String time) {
        String[] parts = time.split(" ", 3);
        try {
            return parts.length < 3
                    ? Optional.empty()
                    : Optional.of(ChronoUnit.MICROS.between(
                            Instant.EPOCH,
                            LocalDateTime.parse(parts[0] + "T" + parts[1])
                                    .toInstant(zones.computeIfAbsent(parts[2], QueryLog::offset))));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    private static ZoneOffset offset(String zone) {
        if (zone.matches("[+-].*")) {
            return ZoneOffset.of(zone);
        }
        Date there = new SimpleDateFormat("yyyy z", Locale.ENGLISH).parse("2024 " + zone, new ParsePosition(0));
        return there == null
                ? ZoneOffset.UTC
                : ZoneOffset.ofTotalSeconds(
                        (int) Duration.between(there.toInstant(), NEW_YEAR).toSeconds());
    }

    /** Remembers this many entries: the one that was unused for the longest time makes room. Not thread-safe. */
    public static final class LatestUsed<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        private final int most;

        /** @param most entries that are remembered, at least 1 */
        public LatestUsed(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }

    /** Is told what is in a log of queries, in its order. Called by one thread. */
    public interface QueryLogListener {
        /**
         * Who sent a statement; each part but the session is empty where the log does not say.
         *
         * @param session identifies it among the others of the log
         * @param program the client's application name
         */
        record Client(String session, String database, String program, String user) {}

        /**
         * One execution of a statement, from the log of a database. Immutable.
         *
         * @param endMicros when it ended, since 1970 by the clock of the server, as precisely as logged
         * @param durationMicros how long the server worked on it, parsing and planning included where they are logged
         * @param text its parameters are called {@code p1}, {@code p2} and so on; the same for all executions that differ only in values
         * @param values of its parameters, in the order of {@link StatementText#parameters}
         * @param effect as far as the text shows it
         */
        record LoggedStatement(
                Client client,
                long endMicros,
                long durationMicros,
                StatementText text,
                List<String> values,
                Statement.Effect effect) {
            public LoggedStatement {
                values = List.copyOf(values);
            }
        }

        /** A statement was executed that can be replayed. */
        void executed(LoggedStatement statement);

        /**
         * Something was executed that is not replayed.
         *
         * @param reason one of few phrases that can be counted: {@code is no query (BEGIN)}
         * @param text of it, as it was logged
         */
        void leftOut(String reason, String text);

        void ended(String session);

        /**
         * The clock went back, or files are not in order: later times are shifted.
         *
         * @param line where the first such record begins, from 1
         */
        void wentBack(long line, long seconds);

        /**
         * A record cannot be read; reading continued after it.
         *
         * @param line where it begins, from 1
         */
        void unreadable(long line, String reason);
    }
}
