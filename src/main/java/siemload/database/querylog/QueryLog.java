package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
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
import java.time.format.DateTimeFormatter;
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
 * Reads csvlog, jsonlog and stderr logs as {@code log_min_duration_statement} writes them. A statement of the extended protocol is logged
 * in several steps. Parsing and binding since the session's last statement belong to the next execution of the same text, and so do
 * portions fetched right after it. A statement ends at the time of its record. Not thread-safe.
 */
public final class QueryLog {
    /** The formats of logs that can be read, and the settings that make the server write them, for messages. */
    public static final String FORMATS =
            "csvlog, jsonlog or stderr of PostgreSQL, with log_min_duration_statement = 0 and lc_messages = 'C'";

    private static final Pattern DURATION =
            Pattern.compile("duration: ([0-9]{1,12}(?:\\.[0-9]{1,6})?) ms(?: {1,2}(.*))?", Pattern.DOTALL);

    /** A duration in another language: {@code Dauer: 0.512 ms}, {@code durée : 0.512 ms}. */
    private static final Pattern TRANSLATED =
            Pattern.compile("\\p{L}[\\p{L} ]{1,30}+[:\uFF1A] ?[0-9]+[.,][0-9]{3} .*", Pattern.DOTALL);

    /** A statement after which a backslash is an escape character in strings, or, with another value, is not. */
    private static final Pattern ESCAPES = Pattern.compile(
            "(?is)(?:(?:^|;)(?:\\s|/\\*(?:[^*]|\\*(?!/))*+\\*/|--[^\\n]*+\\n)*+set\\s+(?:\\w+\\s+)?"
                    + "|\\bset_config\\s*\\(\\s*')standard_conforming_strings\\b['\\s,=]*(?:\\bto\\b)?['\\s]*(?:(off|false|no|0)|\\w+)\\b");

    /** A step with its text. The name of a statement or portal may contain colons: the text is the first part that begins with a command. */
    private static final Pattern STEP = Pattern.compile(
            "(statement|(?:parse|bind|execute) (?:.*?(?=: [\\s(;]*+(?:--|/\\*|(?i:"
                    + String.join("|", StatementForms.words("commands")) + ")\\b))|.*?)): (.*)",
            Pattern.DOTALL);

    /** Longer statements set nothing. */
    private static final int LONGEST_SETTING = 500;

    /** The maximum number of sessions that are remembered at once; the session that was silent for the longest time is forgotten first. */
    private static final int MOST_SESSIONS = 50_000;

    private static final int MOST_CURSORS = 500;
    /** The time by which records may be out of order, since several processes write them. */
    private static final long DISORDER_MICROS = 1_000_000;

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final QueryLogListener listener;
    private final StatementForms forms;
    private final Map<String, Session> sessions = latestUsed(MOST_SESSIONS);
    /** The last execution of each session, which may still fetch more of the execution's rows. */
    private final Map<String, Cursor> cursors = new LinkedHashMap<>();

    private final Map<String, ZoneOffset> zones = latestUsed(100);
    private Path file = Path.of("");
    /** The length in bytes of the longest value logged in the file; negative until it is needed. */
    private long longestValue;

    private boolean isCoarse;
    private long latestMicros;
    /** The time by which records are shifted, because the clock went back or files are not in order. */
    private long movedMicros;

    /** @param most whether statements that write are included */
    public QueryLog(QueryLogListener listener, Statement.Effect most) {
        this.listener = listener;
        this.forms = new StatementForms(most);
    }

    /** The text that a session has parsed or bound, and how long that took. */
    private static final class Session {
        private String text = "";
        private long micros;
        /** Whether a backslash is an escape character in the session's strings. */
        private boolean escapes;
        /** The session's user and database, if they are known. */
        private String who = "";
    }

    private record Cursor(String step, LoggedStatement statement) {}

    /**
     * Reads a file, plain or gzip. Sessions continue in the next file. The memory needed does not grow with the file.
     *
     * @return the number of records of any kind that could be read
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
        String who = record.text("user") + record.text("dbname");
        String message = record.text("message");
        Session session = sessions.computeIfAbsent(id, unused -> new Session());
        // The server gives the number of an ended process to another one.
        boolean isOther = !who.isEmpty() && !who.equals(session.who);
        if (isOther || message.startsWith("disconnection: ") || message.startsWith("connection ")) {
            session = new Session();
            session.who = who;
            sessions.put(id, session);
            ended(id);
            listener.ended(id);
        }
        Matcher duration = DURATION.matcher(message);
        if (duration.matches()) {
            long micros = new BigDecimal(duration.group(1)).movePointRight(3).longValue();
            if (duration.group(2) == null) {
                session.text = "";
                String needed = " (needed: log_min_duration_statement = 0, log_statement = none)";
                listener.leftOut("is a duration without a statement" + needed, "");
            } else {
                step(record, end, session, micros, duration.group(2));
            }
        } else if (message.startsWith("nonstandard use of ")) {
            session.escapes = true;
        } else if (record.text("error_severity")
                .matches(record.text("statement").isEmpty() ? "ERROR" : "ERROR|FATAL|PANIC")) {
            session.text = "";
            String failed = record.text("statement");
            // A later portion of an open portal's rows has failed, or the next execution of its text: ps tells, but a
            // stderr log lacks it. Then the open one is left out and counted, too.
            Cursor open = cursors.get(id);
            String ps = record.text("ps");
            if (open != null && open.step.endsWith(": " + failed) && !ps.matches("(?:PARSE|BIND).*")) {
                cursors.remove(id);
                if (ps.isEmpty()) {
                    listener.leftOut("may have failed when more of its rows were fetched", failed);
                }
            }
            listener.leftOut("failed", failed);
        } else if (TRANSLATED.matcher(message).matches()) {
            listener.leftOut("is logged in another language than English (lc_messages = 'C')", message);
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
        if (written.startsWith("execute fetch from ")) {
            Cursor open = cursors.get(id);
            if (open != null && open.step.equals(written.replaceFirst("fetch from ", ""))) {
                cursors.put(id, new Cursor(open.step, open.statement.longer(micros)));
            } else {
                listener.leftOut("fetches more rows of a statement that is already counted", sql);
            }
            return;
        }
        ended(id);
        long all = micros + (sql.equals(session.text) ? session.micros : 0);
        session.text = step.group(1).startsWith("parse ") || step.group(1).startsWith("bind ") ? sql : "";
        session.micros = all;
        if (session.text.isEmpty()) {
            Form form = form(session, sql, record.text("detail"));
            Matcher escapes = ESCAPES.matcher(sql);
            if (sql.length() < LONGEST_SETTING && escapes.find()) {
                session.escapes = escapes.group(1) != null;
            }
            if (form instanceof Form.LeftOut out) {
                listener.leftOut(out.reason(), sql);
            } else if (form instanceof Form.Asked asked) {
                Client by = new Client(id, record.text("dbname"), record.text("application_name"), record.text("user"));
                LoggedStatement statement =
                        new LoggedStatement(by, end, all, asked.text(), asked.values(), asked.effect());
                cursors.put(id, new Cursor(written, statement));
                if (!step.group(1).contains("/")) {
                    ended(id);
                } else if (cursors.size() > MOST_CURSORS) {
                    ended(cursors.keySet().iterator().next());
                }
            }
        }
    }

    /** Reports the last execution of a session, which fetches no more of its rows. */
    private void ended(String session) {
        Cursor last = cursors.remove(session);
        if (last != null) {
            listener.executed(last.statement);
        }
    }

    private Form form(Session session, String sql, String detail) throws IOException {
        if (Utf8Sanitizer.of(sql + detail).indexOf('\uFFFD') >= 0) {
            return new Form.LeftOut("has bytes that are not UTF-8");
        } else if (session.escapes && sql.indexOf('\\') >= 0) {
            return new Form.LeftOut("has a backslash, and its session has standard_conforming_strings = off");
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
     * Returns whether log_parameter_max_length may have cut a value. If so, no value in the file is longer, except by up to three bytes of
     * a character that was not split. This check reads the file once more. If a message names the parameter, its setting may have changed.
     */
    private boolean mayBeCut(String value) throws IOException {
        return longestValue() <= value.getBytes(StandardCharsets.UTF_8).length + 3;
    }

    private long longestValue() throws IOException {
        if (longestValue >= 0) {
            return longestValue;
        }
        longestValue = 0;
        try (ByteLines lines = ByteLines.open(file, LogFile.LONGEST)) {
            LogFile records = new LogFile(lines, (line, why) -> {});
            for (Optional<LogRecord> next = records.next(); next.isPresent(); next = records.next()) {
                if (next.get().text("message").contains("log_parameter_max_length")) {
                    longestValue = 0;
                    return 0;
                }
                for (String logged :
                        StatementForms.logged(next.get().text("detail")).values()) {
                    longestValue = Math.max(longestValue, logged.getBytes(StandardCharsets.UTF_8).length);
                }
            }
        }
        return longestValue;
    }

    /** The time since 1970. Where the clock goes back, later times are shifted as if a second had passed, so that other intervals stay. */
    private long micros(LogRecord record) {
        if (!isCoarse && !record.text("timestamp").contains(".")) {
            isCoarse = true;
            listener.doubtful(record.line, "times are whole seconds (use %m in log_line_prefix for milliseconds)");
        }
        Instant time = record.time.toInstant(offset(record));
        long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
        long back = latestMicros - micros - movedMicros;
        if (back > DISORDER_MICROS) {
            listener.doubtful(
                    record.line, "the clock goes back by " + back / 1_000_000 + " s; later times are shifted");
            movedMicros += back + DISORDER_MICROS;
        }
        latestMicros = Math.max(latestMicros, micros + movedMicros);
        return micros + movedMicros;
    }

    /** The offset of a record's zone. Intervals are right within one zone and its summer time, such as Ireland's GMT and IST. */
    private ZoneOffset offset(LogRecord record) {
        return zones.computeIfAbsent(record.zone, zone -> {
            Optional<String> known = StatementForms.words("zones").stream()
                    .filter(one -> one.startsWith(zone + "+") || one.startsWith(zone + "-"))
                    .findFirst();
            if (zone.equals("IST") ? zones.containsKey("GMT") : zone.equals("GMT") && zones.containsKey("IST")) {
                return ZoneOffset.ofHours(1);
            } else if (known.isEmpty() && Character.isLetter(zone.charAt(0))) {
                listener.doubtful(record.line, "the time zone " + zone + " is unknown and counts as UTC");
            }
            return known.map(one -> ZoneOffset.of(one.substring(zone.length())))
                    .orElseGet(() -> Character.isLetter(zone.charAt(0)) ? ZoneOffset.UTC : ZoneOffset.of(zone));
        });
    }

    /** One record of a log, with its first line, counted from 1, and its texts by the keys of a jsonlog; missing texts are empty. */
    private record LogRecord(long line, LocalDateTime time, String zone, UnaryOperator<String> texts) {
        String text(String key) {
            return texts.apply(key);
        }
    }

    /**
     * The records of one file, plain or gzip, one by one (PostgreSQL documentation, 19.8). A jsonlog record begins with a brace, a csvlog
     * record with a time and two names, and a stderr record with the log_line_prefix. Anything else is reported and skipped. If a file
     * begins or ends within a record, like a copy of a log that is being written, only that record is lost. Not thread-safe.
     */
    private static final class LogFile {
        /** The longest line in bytes. One record holds a statement with all its values; servers allow even longer texts. */
        private static final int LONGEST = 16 << 20;

        /** The columns of a csvlog, named by their keys in a jsonlog: 23 since version 9.0. Newer versions append more columns. */
        private static final List<String> COLUMNS = List.copyOf(StatementForms.words("columns"));

        private static final int NEWER_COLUMNS = 6;

        private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?+"
                + " (?:[A-Za-z]{1,9}|[-+](?:0\\d|1[0-7])(?:[0-5]\\d)?+)";

        private static final Pattern WHEN = Pattern.compile(TIME);
        private static final Pattern SINCE_1970 = Pattern.compile("(?<![\\d.])(\\d{10})(\\.\\d{3})(?![\\d.])");
        private static final String NAME = "(?:\"(?:[^\"]|\"\")*+\")?+,";
        private static final Pattern BEGIN_OF_CSV =
                Pattern.compile(TIME + "," + NAME + NAME + "\\d+,.*", Pattern.DOTALL);

        /** A line of a stderr log. If log_error_verbosity is verbose, an SQLSTATE is before the text. */
        private static final Pattern PLAIN = Pattern.compile(
                "(?<prefix>[^\\t].{0,600}?)(?<severity>[A-Z]{3,9}):  (?:[0-9A-Z]{5}: )?+(?<text>.*)", Pattern.DOTALL);

        /** Another record on the line of a torn record, or of one whose lines end with CR only; not a value that looks like one. */
        private static final Pattern TORN =
                Pattern.compile("(?<!')" + TIME + "[^\\t\\n]{0,300}?(?:LOG|ERROR|FATAL|WARNING):  ");

        /** The usual parts of a log_line_prefix: {@code %c}, or else {@code [%p]}; {@code %u@%d} or {@code user=%u,db=%d,app=%a}. */
        private static final Pattern SESSION = Pattern.compile("\\b([0-9a-f]{8}\\.[0-9a-f]+)\\b");

        private static final Pattern PROCESS = Pattern.compile("\\[([1-9]\\d{0,6})(?:]|-\\d+](?!.*\\[\\d+]))");
        private static final Pattern PID = Pattern.compile("\\bpid ?[=:] ?\"?(\\d+)");
        private static final Pattern USER_AT = Pattern.compile("([^\\s:,\\[(<|;]+)@[^\\s:,@/]+");
        private static final Pattern AT_DATABASE = Pattern.compile("[^\\s:,]+@([^\\s:,@/\\[\\](<>)|;]+)");
        private static final String VALUE = "=\"?([^\\s,;:|\\])>\"]*)";
        private static final Pattern USER = Pattern.compile("\\buser" + VALUE);
        private static final Pattern DATABASE = Pattern.compile("\\b(?:db|database)" + VALUE);
        private static final Pattern PROGRAM =
                Pattern.compile("\\bapp(?:lication_name)?=\"?(.*?)(?=[\\s,;:|\\])>\"]*(?:\\w+=|$))");

        private final ByteLines lines;
        private final BiConsumer<Long, String> problems;
        /** The number of the last line read, from 1. */
        private long number;
        /** The last line read, if it must be read again. */
        private Optional<String> again = Optional.empty();
        /** Whether the record is complete so far. */
        private boolean whole;

        private boolean ended;
        private boolean broken;
        /** Whether the last record has the line ends of Windows. */
        private boolean ofWindows;

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
                    problems.accept(number, "the line is not JSON, or ends early");
                }
            }
            return Optional.empty();
        }

        private Optional<LogRecord> record(long first, String line) throws IOException {
            if (line.startsWith("\uFEFF")) {
                return record(first, line.replaceFirst("^\uFEFF+", ""));
            } else if (line.startsWith("{")) {
                JsonNode json = JSON.readTree(line);
                return record(first, key -> json.path(key).asText(""), "the line lacks keys of a jsonlog");
            } else if (BEGIN_OF_CSV.matcher(line).matches()) {
                return csv(first, line);
            }
            Matcher begin = PLAIN.matcher(line);
            return begin.matches() && !isPart(begin)
                    ? plain(first, begin)
                    : none(first, "no record begins here: the file begins within a record, or is not a PostgreSQL log");
        }

        /** Reads a csvlog record. The texts may contain line feeds: the record ends at the line where all quotes are closed. */
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
            // More columns than any version has are a torn record with another one on its line.
            int severity = COLUMNS.indexOf("error_severity");
            whole &= !rows.hasNext()
                    && row.length <= COLUMNS.size() + NEWER_COLUMNS
                    && (row.length <= severity || row[severity].matches("\\p{L}[\\p{L} ]*\\d?"));
            UnaryOperator<String> texts = key -> row.length < COLUMNS.size() ? "" : row[COLUMNS.indexOf(key)];
            return record(first, texts, "the record lacks columns of a csvlog");
        }

        /** Reads a stderr record. The texts continue on lines that begin with a tab; parts such as the detail have their own lines. */
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
                whole &= text.length() <= LONGEST && !TORN.matcher(text).find();
                texts.put(key, asWritten(text));
                part = PLAIN.matcher(more.orElse(""));
                key = part.matches() ? part.group("severity").toLowerCase(Locale.ROOT) : "";
            } while (isPart(part) && Objects.equals(ofPrefix(part).get("session_id"), texts.get("session_id")));
            while (more.filter(String::isBlank).isPresent()) {
                more = line();
            }
            again = more;
            // If the next line begins no record, it continues the text of this record, and has lost its tab.
            whole &= more.map(next -> PLAIN.matcher(next).matches()).orElse(ended);
            String lacks = "the record lacks a time, session or severity (%m, [%p] or %c)";
            return record(first, name -> texts.getOrDefault(name, ""), lacks);
        }

        private static boolean isPart(Matcher line) {
            return line.matches() && StatementForms.words("parts-of-records").contains(line.group("severity"));
        }

        private static Map<String, String> ofPrefix(Matcher line) {
            String prefix = line.group("prefix").replace("[unknown]", "");
            Map<String, String> texts = new HashMap<>();
            texts.put("timestamp", time(prefix));
            texts.put("session_id", part(prefix, SESSION, PROCESS, PID));
            texts.put("user", part(prefix, USER, USER_AT));
            texts.put("dbname", part(prefix, DATABASE, AT_DATABASE));
            texts.put("application_name", part(prefix, PROGRAM));
            return texts;
        }

        /** Returns the time of a record: {@code %m}, else {@code %n}, else the latest time, since {@code %s} is the session's start. */
        private static String time(String prefix) {
            String latest = "";
            for (Matcher time = WHEN.matcher(prefix); time.find(); ) {
                boolean isLater = time.group().compareTo(latest) > 0 && !latest.contains(".");
                latest = isLater || time.group().contains(".") ? time.group() : latest;
            }
            Matcher epoch = SINCE_1970.matcher(prefix);
            if (latest.contains(".") || !epoch.find()) {
                return latest;
            }
            LocalDateTime time = LocalDateTime.ofEpochSecond(Long.parseLong(epoch.group(1)), 0, ZoneOffset.UTC);
            return time.format(DateTimeFormatter.ISO_LOCAL_DATE_TIME).replace('T', ' ') + epoch.group(2) + " UTC";
        }

        private static String part(String prefix, Pattern... ways) {
            for (Pattern way : ways) {
                Matcher found = way.matcher(prefix);
                if (found.find()) {
                    return found.group(1);
                }
            }
            return "";
        }

        /** Removes the CR that Windows puts before each line end of its logs, also within texts. */
        private String asWritten(StringBuilder text) {
            String read = text.toString();
            ofWindows = read.endsWith("\r") || (ofWindows && !ended);
            String unix = (read + "\n").replace("\r\n", "\n");
            return ofWindows ? unix.substring(0, unix.length() - 1) : read;
        }

        /** @param lacks the message for a record without time, severity or session */
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

        /** The next line that is not too long; empty at the end of the file, or where gzip data are damaged. */
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

    /** A map that keeps at most this number of entries, at least 1, and drops the least recently used one. Not thread-safe. */
    public static <K, V> Map<K, V> latestUsed(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** Receives the contents of a query log, in the log's order. Called by one thread. */
    public interface QueryLogListener {
        /**
         * The sender of a statement; each part except the session is empty if it is not in the log.
         *
         * @param session identifies the session among all others in the log
         * @param program the client's application name
         */
        record Client(String session, String database, String program, String user) {}

        /**
         * One execution of a statement, from the log of a database. Immutable.
         *
         * @param endMicros when it ended, in microseconds since 1970 by the server's clock, as precisely as logged
         * @param durationMicros how long the server worked on it, in microseconds, including parsing and planning if they are logged
         * @param text with parameters called {@code p1}, {@code p2} and so on; the same for all executions that differ only in values
         * @param values the values of the parameters, in the order of {@link StatementText#parameters}
         * @param effect whether the statement writes, as far as the text shows it
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

            /** The same statement with the time that it took to fetch more of its rows. */
            LoggedStatement longer(long micros) {
                return new LoggedStatement(client, endMicros + micros, durationMicros + micros, text, values, effect);
            }
        }

        /** Called for a statement that was executed and can be replayed. */
        void executed(LoggedStatement statement);

        /** Called for a logged text that is not replayed, with a phrase that can be counted: {@code is not a query (BEGIN)}. */
        void leftOut(String reason, String text);

        void ended(String session);

        /** Called if records from this line on, counted from 1, may be misread: the clock goes back, or a zone is unknown. */
        void doubtful(long line, String what);

        /** Called if the record that begins in this line, counted from 1, cannot be read. Reading continues after it. */
        void unreadable(long line, String reason);
    }
}
