package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
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
 * Reads csvlog, jsonlog and stderr logs as {@code log_min_duration_statement} writes them. A statement of the extended protocol is logged in
 * several steps: parsing and binding since the session's last statement belong to the next execution of the same text, and so do the
 * portions that are fetched right after it. A statement ends at the time of its record. Not thread-safe.
 */
public final class QueryLog {
    /** The files it reads, and the settings that make the server write them, for people. */
    public static final String FORMATS =
            "csvlog, jsonlog or stderr of PostgreSQL, with log_min_duration_statement = 0 and lc_messages = 'C'";

    private static final Pattern DURATION =
            Pattern.compile("duration: ([0-9]{1,12}(?:\\.[0-9]{1,6})?) ms(?: {1,2}(.*))?", Pattern.DOTALL);

    private static final Pattern STEP = Pattern.compile("(statement|(?:parse|bind|execute) .*?): (.*)", Pattern.DOTALL);

    /** How many sessions the log may have at once; those silent for the longest time are forgotten. */
    private static final int MOST_SESSIONS = 50_000;

    private static final int MOST_CURSORS = 500;
    /** By how much records may be out of order, since several processes write them. */
    private static final long DISORDER_MICROS = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final QueryLogListener listener;
    private final StatementForms forms;
    private final Map<String, Session> sessions = latestUsed(MOST_SESSIONS);
    /** The last execution of those sessions that may fetch more of its rows. */
    private final Map<String, Cursor> cursors = new LinkedHashMap<>();

    private final Map<String, ZoneOffset> zones = latestUsed(100);
    private Path file = Path.of("");
    /** In bytes, of any logged value of the file; negative as long as nobody has asked. */
    private long longestValue;

    private boolean isCoarse;
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
    private static final class Session {
        private String text = "";
        private long micros;
        /** Whether a backslash in its strings is more than a character. */
        private boolean escapes;
    }

    private record Cursor(String sql, LoggedStatement statement) {}

    /**
     * Reads a file, plain or gzip. Its sessions continue in the next one; memory does not grow with it.
     *
     * @return how many records could be read, of any kind
     * @throws IOException if the file cannot be read
     */
    public long read(Path log) throws IOException {
        file = log;
        longestValue = -1;
        long count = 0;
        try (ByteLines lines = ByteLines.open(log, LogFile.LONGEST)) {
            LogFile records = new LogFile(lines, listener::unreadable);
            for (Optional<LogRecord> next = records.next(); next.isPresent(); next = records.next()) {
                read(next.get());
                count++;
            }
        } catch (IOException unreadable) {
            throw new IOException(log + ": " + unreadable.getMessage(), unreadable);
        }
        List.copyOf(cursors.keySet()).forEach(this::ended);
        return count;
    }

    private void read(LogRecord record) throws IOException {
        long end = micros(record);
        String id = record.text("session_id");
        Session session = sessions.computeIfAbsent(id, unused -> new Session());
        String message = record.text("message");
        Matcher duration = DURATION.matcher(message);
        if (duration.matches()) {
            long micros = new BigDecimal(duration.group(1)).movePointRight(3).longValue();
            if (duration.group(2) == null) {
                listener.leftOut("is a time without its statement (log_min_duration_statement = 0 logs both)", "");
            } else {
                step(record, end, session, micros, duration.group(2));
            }
        } else if (message.startsWith("disconnection: ") || message.startsWith("connection received: ")) {
            sessions.remove(id);
            ended(id);
            listener.ended(id);
        } else if (message.startsWith("nonstandard use of ")) {
            session.escapes = true;
        } else if (record.text("error_severity")
                .matches(record.text("statement").isEmpty() ? "ERROR" : "ERROR|FATAL|PANIC")) {
            session.text = "";
            listener.leftOut("failed", record.text("statement"));
        }
    }

    private void step(LogRecord record, long end, Session session, long micros, String written) throws IOException {
        String id = record.text("session_id");
        Matcher step = STEP.matcher(written);
        if (!step.matches()) {
            listener.leftOut("is not a statement", written);
            return;
        }
        String sql = step.group(2);
        if (step.group(1).startsWith("execute fetch from ")) {
            Cursor open = cursors.get(id);
            if (open != null && open.sql.equals(sql)) {
                cursors.put(id, new Cursor(sql, open.statement.longer(micros)));
            } else {
                listener.leftOut("asks for more rows of a statement that is counted", sql);
            }
            return;
        }
        ended(id);
        long all = micros + (sql.equals(session.text) ? session.micros : 0);
        session.text = step.group(1).startsWith("parse ") || step.group(1).startsWith("bind ") ? sql : "";
        session.micros = all;
        if (session.text.isEmpty()) {
            Form form = form(session, sql, record.text("detail"));
            if (form instanceof Form.LeftOut out) {
                listener.leftOut(out.reason(), sql);
            } else if (form instanceof Form.Asked asked) {
                Client by = new Client(id, record.text("dbname"), record.text("application_name"), record.text("user"));
                LoggedStatement statement =
                        new LoggedStatement(by, end, all, asked.text(), asked.values(), asked.effect());
                cursors.put(id, new Cursor(sql, statement));
                if (!step.group(1).contains("/")) {
                    ended(id);
                } else if (cursors.size() > MOST_CURSORS) {
                    ended(cursors.keySet().iterator().next());
                }
            }
        }
    }

    /** No more rows are fetched. */
    private void ended(String session) {
        Cursor last = cursors.remove(session);
        if (last != null) {
            listener.executed(last.statement);
        }
    }

    private Form form(Session session, String sql, String detail) throws IOException {
        if (Utf8Sanitizer.of(sql + detail).indexOf('\uFFFD') >= 0) {
            return new Form.LeftOut("has bytes that are no UTF-8");
        } else if (session.escapes && sql.indexOf('\\') >= 0) {
            return new Form.LeftOut("has a backslash, and its session standard_conforming_strings = off");
        }
        Form form = forms.of(sql, detail);
        if (!detail.isEmpty() && form instanceof Form.Asked asked) {
            for (String value : asked.values()) {
                if (value.endsWith(StatementForms.CUT) && mayBeCut(value)) {
                    return StatementForms.NOT_LOGGED;
                }
            }
        }
        return form;
    }

    /**
     * Whether a value may have been cut by log_parameter_max_length: then no value of its log has more bytes, but for up to three of a
     * character that was not split. The file is read once more for that; if it speaks of the parameter, that may have changed.
     */
    private boolean mayBeCut(String value) throws IOException {
        if (longestValue < 0) {
            longestValue = longestValue();
        }
        return longestValue <= value.getBytes(StandardCharsets.UTF_8).length + 3;
    }

    private long longestValue() throws IOException {
        long longest = 0;
        try (ByteLines lines = ByteLines.open(file, LogFile.LONGEST)) {
            LogFile records = new LogFile(lines, (line, why) -> {});
            for (Optional<LogRecord> next = records.next(); next.isPresent(); next = records.next()) {
                if (next.get().text("message").contains("log_parameter_max_length")) {
                    return 0;
                }
                for (String logged :
                        StatementForms.logged(next.get().text("detail")).values()) {
                    longest = Math.max(longest, logged.getBytes(StandardCharsets.UTF_8).length);
                }
            }
        }
        return longest;
    }

    /** Since 1970, as if a second had passed where the clock goes back, so that all other distances stay. */
    private long micros(LogRecord record) {
        if (!isCoarse && !record.text("timestamp").contains(".")) {
            isCoarse = true;
            listener.doubtful(record.line, "times are whole seconds (%m in log_line_prefix has milliseconds)");
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, record.time.toInstant(offset(record)));
        long back = latestMicros - micros - movedMicros;
        if (back > DISORDER_MICROS) {
            listener.doubtful(
                    record.line, "the clock goes back by " + back / 1_000_000 + " s; later times are moved on");
            movedMicros += back + DISORDER_MICROS;
        }
        latestMicros = Math.max(latestMicros, micros + movedMicros);
        return micros + movedMicros;
    }

    /** Differences of times are right where they are those of one zone with its summer time, such as Ireland's: GMT and IST. */
    private ZoneOffset offset(LogRecord record) {
        return zones.computeIfAbsent(record.zone, zone -> {
            Optional<String> known = StatementForms.words("zones").stream()
                    .filter(one -> one.startsWith(zone + "+") || one.startsWith(zone + "-"))
                    .findFirst();
            if (zone.equals("IST") ? zones.containsKey("GMT") : zone.equals("GMT") && zones.containsKey("IST")) {
                return ZoneOffset.ofHours(1);
            } else if (known.isEmpty() && Character.isLetter(zone.charAt(0))) {
                listener.doubtful(record.line, "the zone " + zone + " is not known here, and counts as UTC");
            }
            return known.map(one -> ZoneOffset.of(one.substring(zone.length())))
                    .orElseGet(() -> Character.isLetter(zone.charAt(0)) ? ZoneOffset.UTC : ZoneOffset.of(zone));
        });
    }

    /** One record of a log, from this line on, counted from 1: its texts by the keys of a jsonlog, empty for missing ones. */
    private record LogRecord(long line, LocalDateTime time, String zone, UnaryOperator<String> texts) {
        String text(String key) {
            return texts.apply(key);
        }
    }

    /**
     * The records of one file, plain or gzip, one after the other (documentation, 19.8): those of jsonlog begin with a brace, those of
     * csvlog with a time and two names, and those of stderr with the log_line_prefix. Anything else is reported and skipped: a file that
     * begins or ends within a record, like a copy of a log that is being written, loses only that one. Not thread-safe.
     */
    private static final class LogFile {
        /** In bytes. A statement with all its values is in one record; servers' own limits for a text are higher. */
        private static final int LONGEST = 16 << 20;

        /** The columns of a csvlog by their keys in a jsonlog: 23 since 9.0; later ones are appended. */
        private static final List<String> COLUMNS = List.copyOf(StatementForms.words("columns"));

        private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?+"
                + " (?:[A-Za-z]{1,9}|[-+](?:0\\d|1[0-7])(?:[0-5]\\d)?+)";

        private static final Pattern WHEN = Pattern.compile(TIME);
        private static final String NAME = "(?:\"(?:[^\"]|\"\")*+\")?+,";
        private static final Pattern BEGIN_OF_CSV =
                Pattern.compile(TIME + "," + NAME + NAME + "\\d+,.*", Pattern.DOTALL);

        /** A line of stderr; a state before its text where log_error_verbosity is verbose. */
        private static final Pattern PLAIN = Pattern.compile(
                "(?<prefix>[^\\t].{0,300}?)(?<severity>[A-Z]{3,9}):  (?:[0-9A-Z]{5}: )?+(?<text>.*)", Pattern.DOTALL);

        /** The usual parts of a log_line_prefix: {@code %c}, else {@code [%p]}; {@code %u@%d} or {@code user=%u,db=%d,app=%a}. */
        private static final Pattern SESSION = Pattern.compile("\\b[0-9a-f]{8}\\.[0-9a-f]+\\b");

        private static final Pattern PROCESS = Pattern.compile("\\[(\\d+)(?:]|-\\d+](?!.*\\[\\d+]))");
        private static final Pattern USER_AT = Pattern.compile("([^\\s:,]+)@[^\\s:,@/]+");
        private static final Pattern AT_DATABASE = Pattern.compile("[^\\s:,]+@([^\\s:,@/]+)");
        private static final String VALUE = "=([^\\s,;:|\\])>]*)";
        private static final Pattern USER = Pattern.compile("\\buser" + VALUE);
        private static final Pattern DATABASE = Pattern.compile("\\b(?:db|database)" + VALUE);
        private static final Pattern PROGRAM = Pattern.compile("\\bapp=(.*?)(?=[\\s,;:|\\])>]*(?:\\w+=|$))");

        private final ByteLines lines;
        private final BiConsumer<Long, String> problems;
        /** The number of the last line read, from 1. */
        private long number;
        /** The last line read, where it is to be read again. */
        private Optional<String> again = Optional.empty();
        /** Whether no line of the record was lost so far. */
        private boolean whole;

        private boolean ended;
        private boolean broken;

        LogFile(ByteLines lines, BiConsumer<Long, String> problems) {
            this.lines = lines;
            this.problems = problems;
        }

        /** The next record; empty at the end. */
        Optional<LogRecord> next() throws IOException {
            for (Optional<String> line = line(); line.isPresent(); line = line()) {
                whole = true;
                try {
                    Optional<LogRecord> record = line.get().isBlank() ? Optional.empty() : record(number, line.get());
                    if (record.isPresent()) {
                        return record;
                    }
                } catch (JsonProcessingException none) {
                    problems.accept(number, "the line is no JSON, or ends early");
                }
            }
            return Optional.empty();
        }

        private Optional<LogRecord> record(long first, String line) throws IOException {
            if (line.startsWith("{")) {
                JsonNode json = JSON.readTree(line);
                return record(first, key -> json.path(key).asText(""), "the line has not the keys of a jsonlog");
            } else if (BEGIN_OF_CSV.matcher(line).matches()) {
                return csv(first, line);
            }
            Matcher begin = PLAIN.matcher(line);
            return begin.matches() && !isPart(begin)
                    ? plain(first, begin)
                    : none(first, "no record begins here: the file begins within one, or is no log of PostgreSQL");
        }

        /** Its texts may contain line feeds: a record ends where each quote is closed. */
        private Optional<LogRecord> csv(long first, String line) throws IOException {
            StringBuilder text = new StringBuilder(line);
            IntPredicate isQuote = c -> c == '"';
            for (long quotes = line.chars().filter(isQuote).count(); quotes % 2 == 1; ) {
                Optional<String> more = line();
                if (more.isEmpty() || BEGIN_OF_CSV.matcher(more.get()).matches() || text.length() > LONGEST) {
                    again = more;
                    return none(first, "the record does not end");
                }
                text.append('\n').append(more.get());
                quotes += more.get().chars().filter(isQuote).count();
            }
            Iterator<String[]> rows = CsvParser.reader(asWritten(text)).iterator();
            String[] row = rows.hasNext() ? rows.next() : new String[0];
            UnaryOperator<String> texts = key -> row.length < COLUMNS.size() ? "" : row[COLUMNS.indexOf(key)];
            return record(first, texts, "the record has not the columns of a csvlog");
        }

        /** Its texts continue on lines that begin with a tab; the detail and the like have lines of their own. */
        private Optional<LogRecord> plain(long first, Matcher begin) throws IOException {
            Map<String, String> texts = ofPrefix(begin);
            texts.put("error_severity", begin.group("severity"));
            String key = "message";
            Matcher part = begin;
            Optional<String> more;
            do {
                StringBuilder text = new StringBuilder(part.group("text"));
                more = line();
                while (more.isPresent() && more.get().startsWith("\t") && text.length() <= LONGEST) {
                    text.append('\n').append(more.get(), 1, more.get().length());
                    more = line();
                }
                whole &= text.length() <= LONGEST;
                texts.put(key, asWritten(text));
                part = PLAIN.matcher(more.orElse(""));
                key = part.matches() ? part.group("severity").toLowerCase(Locale.ROOT) : "";
            } while (isPart(part) && Objects.equals(ofPrefix(part).get("session_id"), texts.get("session_id")));
            while (more.filter(String::isBlank).isPresent()) {
                more = line();
            }
            again = more;
            // Lines that lost their tab are the rest of its text.
            whole &= more.map(next -> PLAIN.matcher(next).matches()).orElse(ended);
            String lacks = "no time, session or severity (%m, [%p] or %c)";
            return record(first, name -> texts.getOrDefault(name, ""), lacks);
        }

        private static boolean isPart(Matcher line) {
            return line.matches() && StatementForms.words("parts-of-records").contains(line.group("severity"));
        }

        private static Map<String, String> ofPrefix(Matcher line) {
            String prefix = line.group("prefix").replace("[unknown]", "");
            Map<String, String> texts = new HashMap<>();
            texts.put("timestamp", part(prefix, WHEN));
            texts.put("session_id", part(prefix, SESSION, PROCESS));
            texts.put("user", part(prefix, USER, USER_AT));
            texts.put("dbname", part(prefix, DATABASE, AT_DATABASE));
            texts.put("application_name", part(prefix, PROGRAM));
            return texts;
        }

        private static String part(String prefix, Pattern... ways) {
            for (Pattern way : ways) {
                Matcher found = way.matcher(prefix);
                if (found.find()) {
                    return found.group(found.groupCount());
                }
            }
            return "";
        }

        /** Windows puts a CR before each line end of its logs, within texts, too. */
        private static String asWritten(StringBuilder text) {
            String read = text.toString();
            return read.endsWith("\r") ? read.substring(0, read.length() - 1).replace("\r\n", "\n") : read;
        }

        /** @param lacks what to say of one without time, severity or session */
        private Optional<LogRecord> record(long first, UnaryOperator<String> texts, String lacks) {
            String[] time = texts.apply("timestamp").split(" ", 3);
            boolean isRecord = WHEN.matcher(String.join(" ", time)).matches()
                    && !texts.apply("error_severity").isEmpty()
                    && !texts.apply("session_id").isEmpty();
            try {
                if (isRecord && whole) {
                    LocalDateTime when = LocalDateTime.parse(time[0] + "T" + time[1]);
                    return Optional.of(new LogRecord(first, when, time[2], texts));
                }
            } catch (DateTimeException none) {
                isRecord = false;
            }
            return none(first, isRecord ? "the record does not end" : lacks);
        }

        private Optional<LogRecord> none(long line, String reason) {
            problems.accept(line, reason);
            return Optional.empty();
        }

        /** The next line that is not too long; empty at the end, which damaged gzip data reach early. */
        private Optional<String> line() throws IOException {
            Optional<String> line = again;
            again = Optional.empty();
            try {
                while (line.isEmpty() && !broken && lines.next()) {
                    number++;
                    ended = lines.isEnded();
                    if (lines.isTooLong()) {
                        whole = false;
                        problems.accept(number, "the line is longer than 16 MiB");
                    } else {
                        line = Optional.of(lines.text());
                    }
                }
            } catch (EOFException | ZipException damaged) {
                whole = false;
                broken = true;
                problems.accept(number + 1, "the gzip data is damaged or ends early here");
            }
            return line;
        }
    }

    /** Remembers so many entries, at least 1: the one that was unused for the longest time makes room. Not thread-safe. */
    public static <K, V> Map<K, V> latestUsed(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
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

            /** With the time that it took to fetch more of its rows. */
            LoggedStatement longer(long micros) {
                return new LoggedStatement(client, endMicros + micros, durationMicros + micros, text, values, effect);
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

        /** Something is read from this line on, counted from 1, but with doubts: the clock goes back, a zone is not known. */
        void doubtful(long line, String what);

        /**
         * A record cannot be read; reading continued after it.
         *
         * @param line where it begins, from 1
         */
        void unreadable(long line, String reason);
    }
}
