package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.postgresql.PlanReader;
import siemload.database.querylog.LogRecords.LogRecord;
import siemload.database.querylog.QueryLogListener.LoggedPlan;
import siemload.database.querylog.StatementForms.Form;

/**
 * Reads csvlog and jsonlog as {@code log_min_duration_statement} writes them. A statement
 * of the extended protocol is logged in up to three steps: what was parsed and bound since the session's last statement is a part of the
 * one that is executed next with the same text. Its end is the time of its record. Plans are those of auto_explain. Not thread-safe.
 */
public final class QueryLog {
    /** Which files it reads, and how they come, for people. */
    public static final String FORMATS =
            "csvlog or jsonlog of PostgreSQL, which log_destination = 'csvlog' and log_min_duration_statement = 0 write";

    private static final Pattern DURATION =
            Pattern.compile("duration: ([0-9]{1,12}(?:\\.[0-9]{1,6})?) ms(?: {1,2}(.*))?", Pattern.DOTALL);

    private static final Pattern STEP = Pattern.compile(
            "(statement|parse [^:]*|bind [^:]*|execute fetch from [^:]*|execute [^:]*): (.*)", Pattern.DOTALL);

    /** What stands behind the duration of a record of auto_explain. */
    private static final String PLAN = "plan:";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of so many sessions the log may have at once; those that were silent for the longest time are forgotten. */
    private static final int MOST_SESSIONS = 50_000;

    private final QueryLogListener listener;
    private final StatementForms forms;
    /** By session. */
    private final Map<String, Prepared> prepared = new LatestUsed<>(MOST_SESSIONS);

    /** @param listener hears what is in the files */
    public QueryLog(QueryLogListener listener) {
        this.listener = listener;
        this.forms = new StatementForms(listener.wantsWrites());
    }

    /** Whether a record of csvlog or jsonlog is among the first of a file. */
    public static boolean isOne(Path file) throws IOException {
        try (LogRecords records = LogRecords.open(file, (reason, line) -> {})) {
            return records.next().isPresent();
        }
    }

    /** What a session has parsed or bound, and how long that took. */
    private record Prepared(String text, long micros) {
        static final Prepared NOTHING = new Prepared("", 0);

        long microsOf(String asked) {
            return asked.equals(text) ? micros : 0;
        }
    }

    /**
     * Reads a file, plain or gzip. What it says of a session goes on in the next one; the memory does not grow with it.
     *
     * @return how many records it has that could be read, whatever they are about
     * @throws IOException if the file cannot be read
     */
    public long read(Path file) throws IOException {
        long count = 0;
        try (LogRecords records = LogRecords.open(file, (reason, line) -> listener.unreadable(line, reason))) {
            for (Optional<LogRecord> record = records.next(); record.isPresent(); record = records.next()) {
                read(record.get());
                count++;
            }
        } catch (IOException unreadable) {
            throw new IOException(file + ": " + unreadable.getMessage(), unreadable);
        }
        return count;
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
        } else if (!record.text("statement").isEmpty()
                && record.text("error_severity").matches("ERROR|FATAL|PANIC")) {
            prepared.remove(record.text("session_id"));
            listener.leftOut("failed", record.text("statement"));
        }
    }

    private void step(LogRecord record, long micros, String written) {
        if (written.startsWith(PLAN)) {
            planned(record, written);
            return;
        }
        Matcher step = STEP.matcher(written);
        if (!step.matches()) {
            listener.leftOut("is no statement", written);
            return;
        }
        String kind = step.group(1);
        String sql = step.group(2);
        if (kind.startsWith("parse ") || kind.startsWith("bind ")) {
            prepared.put(record.text("session_id"), new Prepared(sql, preparedMicros(record, sql) + micros));
        } else if (kind.startsWith("execute fetch from ")) {
            listener.leftOut("asks for more rows of a statement that is counted", sql);
        } else {
            executed(record, micros, sql);
        }
    }

    /** A plan of a statement that is left out goes with it, as does one of a statement that a function has executed. */
    private void planned(LogRecord record, String written) {
        String text = written.substring(PLAN.length()).strip();
        JsonNode explained = MissingNode.getInstance();
        try {
            explained = JSON.readTree(text);
        } catch (JsonProcessingException cutOff) {
            // Or in another format: then it has no query either.
        }
        String query = explained.path("Query Text").asText();
        if (query.isEmpty() || !explained.path("Plan").isObject()) {
            listener.leftOut("is a plan that is cut off, or of another auto_explain.log_format than json", written);
            return;
        }
        Plan plan = PlanReader.ofDocument(text, explained);
        forms.text(query)
                .ifPresent(asked -> listener.planned(new LoggedPlan(
                        record.text("dbname"), record.text("application_name"), record.text("user"), asked, plan)));
    }

    private long preparedMicros(LogRecord record, String sql) {
        return prepared.getOrDefault(record.text("session_id"), Prepared.NOTHING)
                .microsOf(sql);
    }

    private void executed(LogRecord record, long micros, String sql) {
        long preparing = preparedMicros(record, sql);
        prepared.remove(record.text("session_id"));
        Form form = forms.of(sql, record.text("detail"));
        if (form instanceof Form.Asked asked) {
            listener.executed(new LoggedStatement(
                    record.text("session_id"),
                    record.text("dbname"),
                    record.text("application_name"),
                    record.text("user"),
                    record.micros(),
                    micros + preparing,
                    preparing,
                    asked.text(),
                    asked.values(),
                    asked.effect()));
        } else if (form instanceof Form.LeftOut out) {
            listener.leftOut(out.reason(), sql);
        }
    }
}
