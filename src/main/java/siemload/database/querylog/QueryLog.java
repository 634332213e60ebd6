package siemload.database.querylog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import siemload.database.Plan;
import siemload.database.postgresql.PlanReader;
import siemload.database.querylog.LogRecords.LogRecord;
import siemload.database.querylog.QueryLogListener.LoggedPlan;
import siemload.event.WholeText;
import siemload.query.SqlLexer;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Reads csvlog and jsonlog as {@code log_min_duration_statement}, {@code log_duration} and {@code log_statement} write them. A statement
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

    /** Of so many sessions the log may have at once; those that were silent for the longest time are forgotten. */
    private static final int MOST_SESSIONS = 50_000;

    private final QueryLogListener listener;
    private final StatementForms forms;
    private final Map<String, Pending> pending = new LatestUsed<>(MOST_SESSIONS);

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

    /**
     * What a session has begun.
     *
     * @param prepared the text that was parsed or bound, with how long that took
     * @param announced a statement that {@code log_statement} has logged before it was executed, with its detail
     */
    private record Pending(String prepared, long preparedMicros, String announced, String detail) {
        static final Pending NOTHING = new Pending("", 0, "", "");

        Pending with(String text, long micros) {
            return new Pending(text, text.equals(prepared) ? preparedMicros + micros : micros, announced, detail);
        }

        long preparedMicros(String text) {
            return text.equals(prepared) ? preparedMicros : 0;
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
        Matcher duration = DURATION.matcher(record.message());
        if (duration.matches()) {
            long micros = new BigDecimal(duration.group(1)).movePointRight(3).longValue();
            if (duration.group(2) == null) {
                announcedEnded(record, micros);
            } else {
                step(record, micros, duration.group(2));
            }
        } else if (record.message().startsWith("disconnection: ")) {
            pending.remove(record.session());
            listener.ended(record.session());
        } else if (!record.statement().isEmpty() && record.severity().matches("ERROR|FATAL|PANIC")) {
            pending.remove(record.session());
            listener.leftOut("failed", record.statement());
        } else {
            announce(record);
        }
    }

    private void step(LogRecord record, long micros, String written) {
        if (written.startsWith(AutoExplained.BEGIN)) {
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
        Pending session = pending.getOrDefault(record.session(), Pending.NOTHING);
        if (kind.startsWith("parse ") || kind.startsWith("bind ")) {
            pending.put(record.session(), session.with(sql, micros));
        } else if (kind.startsWith("execute fetch from ")) {
            listener.leftOut("asks for more rows of a statement that is counted", sql);
        } else {
            executed(record, micros, sql, record.detail());
        }
    }

    /** A plan of a statement that is left out goes with it, as does one of a statement that a function has executed. */
    private void planned(LogRecord record, String written) {
        Optional<AutoExplained> explained = AutoExplained.read(written.substring(AutoExplained.BEGIN.length()));
        if (explained.isEmpty()) {
            listener.leftOut(
                    "is a plan that is cut off, or of another auto_explain.log_format than text and json", written);
            return;
        }
        forms.text(explained.get().query())
                .ifPresent(text -> listener.planned(new LoggedPlan(
                        record.database(),
                        record.program(),
                        record.user(),
                        text,
                        explained.get().plan())));
    }

    /** {@code log_statement} writes the text before the execution, and the time comes in a record of its own. */
    private void announce(LogRecord record) {
        Matcher step = STEP.matcher(record.message());
        if (record.severity().equals("LOG") && step.matches()) {
            Pending session = pending.getOrDefault(record.session(), Pending.NOTHING);
            boolean isFetch = step.group(1).startsWith("execute fetch from ");
            pending.put(
                    record.session(),
                    new Pending(
                            session.prepared(),
                            session.preparedMicros(),
                            isFetch ? "" : step.group(2),
                            isFetch ? "" : record.detail()));
        }
    }

    private void announcedEnded(LogRecord record, long micros) {
        Pending session = pending.getOrDefault(record.session(), Pending.NOTHING);
        if (session.announced().isEmpty()) {
            // Of a step of the extended protocol, whose statement comes later, or of one whose text nobody has asked to
            // log.
            listener.leftOut("is a time without a statement (log_statement = none)", "");
        } else {
            executed(record, micros, session.announced(), session.detail());
        }
    }

    private void executed(LogRecord record, long micros, String sql, String detail) {
        long preparing = pending.getOrDefault(record.session(), Pending.NOTHING).preparedMicros(sql);
        pending.remove(record.session());
        StatementForms.Form form = forms.of(sql, detail);
        if (form instanceof StatementForms.Form.Asked asked) {
            listener.executed(new LoggedStatement(
                    record.session(),
                    record.database(),
                    record.program(),
                    record.user(),
                    record.micros(),
                    micros + preparing,
                    preparing,
                    asked.text(),
                    asked.values(),
                    asked.effect()));
        } else if (form instanceof StatementForms.Form.LeftOut out) {
            listener.leftOut(out.reason(), sql);
        }
    }

    /** What becomes of a logged statement: its form and its values, or why it is left out. Remembers the latest texts. Not thread-safe. */
    static final class StatementForms {
        private static final int REMEMBERED = 500;
        private static final int LONGEST_REMEMBERED = 20_000;
        /** A text of more would be no use in a file for people, and many of them could fill the memory. */
        private static final int LONGEST = 100_000;

        private static final char NO_CHARACTER = '\uFFFD';
        private static final String BROKEN = "has bytes that are no UTF-8";

        private final boolean writes;
        private final Map<String, Form> remembered = new LatestUsed<>(REMEMBERED);

        /** What becomes of it. Immutable. */
        sealed interface Form {
            /**
             * It is not asked again.
             *
             * @param reason a group of words that can be counted
             */
            record LeftOut(String reason) implements Form {}

            /**
             * It is asked again.
             *
             * @param values in the order of the text's parameters; none where they stand in the detail of the record
             */
            record Asked(StatementText text, List<String> values, Statement.Effect effect) implements Form {}
        }

        /** @param writes whether statements that write are asked again, too */
        StatementForms(boolean writes) {
            this.writes = writes;
        }

        /** What all executions of a statement have in common; empty where it is left out. */
        Optional<StatementText> text(String sql) {
            return known(sql) instanceof Form.Asked asked ? Optional.of(asked.text()) : Optional.empty();
        }

        private Form known(String sql) {
            Form form = remembered.get(sql);
            if (form == null) {
                form = form(sql);
                if (sql.length() <= LONGEST_REMEMBERED) {
                    remembered.put(sql, form);
                }
            }
            return form;
        }

        Form of(String sql, String detail) {
            Form form = known(sql);
            return form instanceof Form.Asked asked && asked.values().isEmpty() ? filled(asked, detail) : form;
        }

        private Form form(String sql) {
            Optional<String> flaw = flaw(sql);
            if (flaw.isPresent()) {
                return new Form.LeftOut(flaw.get());
            }
            Optional<List<Token>> tokens = SqlLexer.tokens(sql);
            if (tokens.isEmpty()) {
                return new Form.LeftOut("is cut off within quotes or a comment");
            }
            Optional<String> writing = ReadingOnly.refusal(tokens.get());
            Optional<String> refusal = (writes ? ReadingOnly.refusalOfWriting(tokens.get()) : writing)
                    .or(() -> writing.isPresent() ? Optional.empty() : Housekeeping.reason(tokens.get()));
            if (refusal.isPresent()) {
                return new Form.LeftOut(refusal.get());
            }
            NormalStatement normal = NormalStatement.of(tokens.get());
            StatementText.Scanned scanned = StatementText.scan(normal.text());
            List<String> expected = normal.values().isEmpty()
                    ? scanned.statement().parameters()
                    : IntStream.rangeClosed(1, normal.values().size())
                            .mapToObj(i -> "p" + i)
                            .toList();
            boolean isSame = scanned.flaw().isEmpty()
                    && scanned.statement().parameters().equals(expected)
                    && expected.stream().allMatch(name -> name.matches("p[0-9]+"));
            return isSame && flawOfValues(normal.values()).isEmpty()
                    ? new Form.Asked(
                            scanned.statement(),
                            normal.values(),
                            writing.isPresent() ? Statement.Effect.WRITES : Statement.Effect.READS)
                    : new Form.LeftOut("cannot be written in the notation of scenarios");
        }

        private static Form filled(Form.Asked asked, String detail) {
            List<String> parameters = asked.text().parameters();
            if (parameters.isEmpty()) {
                return asked;
            }
            Optional<LoggedValues> logged = LoggedValues.read(detail);
            Optional<List<String>> values = logged.flatMap(found -> found.of(parameters));
            if (logged.isPresent() && logged.get().hasNull() && values.isEmpty()) {
                return new Form.LeftOut("has a parameter that is NULL, which no scenario can say");
            }
            if (values.isEmpty()) {
                return new Form.LeftOut("has parameters whose values are not in the log (log_parameter_max_length)");
            }
            if (logged.get().isCutOff()) {
                return new Form.LeftOut("has a value that is cut off (log_parameter_max_length)");
            }
            return flawOfValues(values.get())
                    .<Form>map(Form.LeftOut::new)
                    .orElseGet(() -> new Form.Asked(asked.text(), values.get(), asked.effect()));
        }

        /** Why a statement's text cannot stand in a scenario, in words that can be counted; empty if it can. */
        private static Optional<String> flaw(String text) {
            return text.length() > LONGEST
                    ? Optional.of("is longer than 100,000 characters")
                    : flawOfValues(List.of(text));
        }

        /** The same of values, which may be as long as they like. */
        private static Optional<String> flawOfValues(Iterable<String> values) {
            for (String value : values) {
                if (WholeText.of(value).indexOf(NO_CHARACTER) >= 0) {
                    return Optional.of(BROKEN);
                }
            }
            return Optional.empty();
        }

        /**
         * Tells from the text of a statement whether it only reads. Whoever asks it again is kept from writing by the server whatever is said
         * here: this is for what is known beforehand to be refused. Stateless and thread-safe.
         */
        static final class ReadingOnly {
            private static final String WRITES = "writes";
            private static final String LOCKS = "locks rows";
            private static final String CALLS = "calls a function that writes";
            private static final String SEVERAL = "is one of several that were sent as one";
            /** Why, by the first word of a statement. */
            private static final Map<String, String> OTHERS = others(Map.of(
                    "begins or ends a transaction",
                    "begin start commit end rollback abort savepoint release",
                    "sets or shows a parameter",
                    "set reset show discard",
                    WRITES,
                    "insert update delete merge",
                    "makes, changes or empties tables",
                    "truncate create alter drop",
                    "copies rows from or to the client",
                    "copy",
                    "reads by a cursor of SQL",
                    "declare fetch move close",
                    "is prepared by SQL",
                    "prepare execute deallocate"));

            private static final Set<String> LOCKING = Set.of("update", "share", "no", "key");
            /** Functions of the server that change something, or act on other sessions. */
            private static final Pattern WRITING_FUNCTION =
                    Pattern.compile("nextval|setval|set_config|lo_\\w+|dblink\\w*|pg_(try_)?advisory_\\w+|pg_notify"
                            + "|pg_(cancel|terminate)_backend|pg_reload_conf|pg_rotate_logfile|pg_switch_wal|pg_promote"
                            + "|pg_stat_reset\\w*|pg_stat_statements_reset|pg_log_\\w+|pg_logical_\\w+|pg_create_\\w+|pg_drop_\\w+"
                            + "|pg_replication_\\w+|pg_(backup|start|stop)_\\w*backup|pg_file_\\w+|pg_export_snapshot|pg_prewarm"
                            + "|pg_current_xact_id|txid_current|brin_summarize_\\w+|gin_clean_pending_list");

            private ReadingOnly() {}

            private static Map<String, String> others(Map<String, String> wordsByReason) {
                Map<String, String> reasons = new HashMap<>();
                wordsByReason.forEach(
                        (reason, words) -> List.of(words.split(" ")).forEach(word -> reasons.put(word, reason)));
                return reasons;
            }

            /** Why a statement is left out where those that write are asked, too. */
            static Optional<String> refusalOfWriting(List<Token> tokens) {
                for (int i = 0; i < tokens.size() - 1; i++) {
                    if (tokens.get(i).isSymbol(";")) {
                        return Optional.of(SEVERAL);
                    }
                }
                return refusal(tokens)
                        .filter(reason -> !Set.of(WRITES, LOCKS, CALLS).contains(reason));
            }

            /** Why a statement is left out, in a few words; empty if it only reads. */
            static Optional<String> refusal(List<Token> tokens) {
                int first = 0;
                while (first < tokens.size()
                        && (tokens.get(first).isSymbol("(") || tokens.get(first).kind() == Kind.HINT)) {
                    first++;
                }
                if (first == tokens.size()) {
                    return Optional.of("holds no statement");
                }
                String begin = tokens.get(first).folded();
                if (!Set.of("select", "with", "values", "table").contains(begin)) {
                    return Optional.of(OTHERS.getOrDefault(begin, "is no query"));
                }
                List<Integer> writing = WritingVerbs.places(tokens);
                for (int i = first; i < tokens.size(); i++) {
                    Optional<String> refusal = writing.contains(i) ? Optional.of(WRITES) : refusal(tokens, i);
                    if (refusal.isPresent()) {
                        return refusal;
                    }
                }
                return Optional.empty();
            }

            private static Optional<String> refusal(List<Token> tokens, int at) {
                Token here = tokens.get(at);
                if (here.isSymbol(";") && at < tokens.size() - 1) {
                    return Optional.of(SEVERAL);
                }
                if (here.kind() != Kind.WORD || at + 1 == tokens.size()) {
                    return Optional.empty();
                }
                String word = here.text().toLowerCase(Locale.ROOT);
                Token next = tokens.get(at + 1);
                boolean isField = at > 0 && tokens.get(at - 1).isSymbol(".");
                if (word.equals("for") && LOCKING.contains(next.folded())) {
                    return Optional.of(LOCKS);
                }
                if (word.equals("into") && !isField) {
                    return Optional.of("makes a table (SELECT INTO)");
                }
                return next.isSymbol("(") && WRITING_FUNCTION.matcher(word).matches()
                        ? Optional.of(CALLS)
                        : Optional.empty();
            }
        }

        /**
         * The values of parameters as the log has them: {@code Parameters: $1 = 'it''s', $2 = NULL}, with a small p up to version 15. Immutable.
         *
         * @param byParameter those that are not NULL, by {@code p1}, {@code p2} and so on
         * @param hasNull whether some are
         */
        private record LoggedValues(Map<String, String> byParameter, boolean hasNull) {
            private static final Pattern BEGIN = Pattern.compile("[Pp]arameters: ");
            private static final Pattern VALUE =
                    Pattern.compile("\\$(\\d{1,6}) = (?:'((?:[^']|'')*+)'|(NULL))(?:, |\\s*$)");
            /** How a value ends that {@code log_parameter_max_length} has cut off. */
            private static final String CUT_OFF = "...";

            LoggedValues {
                byParameter = Map.copyOf(byParameter);
            }

            /** Reads the detail of a record; empty where it is none of parameters, or does not end as one does. */
            static Optional<LoggedValues> read(String detail) {
                Matcher begin = BEGIN.matcher(detail);
                if (!begin.lookingAt()) {
                    return Optional.empty();
                }
                Map<String, String> values = new HashMap<>();
                boolean hasNull = false;
                Matcher value = VALUE.matcher(detail).region(begin.end(), detail.length());
                int at = begin.end();
                while (at < detail.length() && value.region(at, detail.length()).lookingAt()) {
                    if (value.group(3) == null) {
                        values.put("p" + value.group(1), value.group(2).replace("''", "'"));
                    } else {
                        hasNull = true;
                    }
                    at = value.end();
                }
                return at < detail.length() ? Optional.empty() : Optional.of(new LoggedValues(values, hasNull));
            }

            /** The values of these parameters; empty where some are not there. */
            Optional<List<String>> of(List<String> parameters) {
                List<String> values = new ArrayList<>();
                for (String parameter : parameters) {
                    String value = byParameter.get(parameter);
                    if (value == null) {
                        return Optional.empty();
                    }
                    values.add(value);
                }
                return Optional.of(values);
            }

            /** Whether a value may have been cut off when it was logged. */
            boolean isCutOff() {
                return byParameter.values().stream().anyMatch(value -> value.endsWith(CUT_OFF));
            }
        }
    }

    /**
     * A plan that {@code auto_explain} has logged, with the text of its statement as the client sent it. It is read where {@code
     * auto_explain.log_format} is text or json. Immutable.
     */
    private record AutoExplained(String query, Plan plan) {
        /** What stands behind the duration of such a record. */
        static final String BEGIN = "plan:";

        private static final String QUERY = "Query Text: ";
        private static final String PARAMETERS = "Query Parameters: ";
        private static final ObjectMapper JSON = new ObjectMapper();

        /** Reads what stands behind {@link #BEGIN}; empty where it is in another format, or cut off. */
        static Optional<AutoExplained> read(String written) {
            String text = written.strip();
            return text.startsWith("{") ? ofDocument(text) : ofText(text);
        }

        private static Optional<AutoExplained> ofDocument(String text) {
            try {
                JsonNode document = JSON.readTree(text);
                JsonNode query = document.path("Query Text");
                return query.isTextual() && document.path("Plan").isObject()
                        ? Optional.of(new AutoExplained(query.asText(), PlanReader.ofDocument(text, document)))
                        : Optional.empty();
            } catch (JsonProcessingException cutOff) {
                return Optional.empty();
            }
        }

        /** The statement may have several lines, and so may its parameters, which stand between it and the first step. */
        private static Optional<AutoExplained> ofText(String text) {
            if (!text.startsWith(QUERY)) {
                return Optional.empty();
            }
            int parameters = -1;
            for (int line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) {
                int end = text.indexOf('\n', line + 1);
                String next = text.substring(line + 1, end < 0 ? text.length() : end);
                if (parameters < 0 && next.startsWith(PARAMETERS)) {
                    parameters = line;
                }
                if (PlanReader.isFirstStep(next)) {
                    String query = text.substring(QUERY.length(), parameters < 0 ? line : parameters);
                    return Optional.of(new AutoExplained(query, PlanReader.ofText(text.substring(line + 1))));
                }
            }
            return Optional.empty();
        }
    }
}
