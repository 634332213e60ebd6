package siemload.database.querylog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.event.WholeText;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;
import siemload.query.Statement;
import siemload.query.StatementText;

/** What becomes of a logged statement: its form and its values, or why it is left out. Remembers the latest texts. Not thread-safe. */
final class StatementForms {
    private static final int REMEMBERED = 500;
    private static final int LONGEST_REMEMBERED = 20_000;
    /** A text of more would be no use in a file for people, and many of them could fill the memory. */
    private static final int LONGEST = 100_000;

    private static final char NO_CHARACTER = '\uFFFD';
    private static final Pattern VALUE =
            Pattern.compile("\\G(?:[Pp]arameters: |, )\\$(\\d{1,6}) = (?:'((?:[^']|'')*+)'|NULL)");

    private static final String WRITES = "writes";
    private static final String LOCKS = "locks rows";
    private static final String CALLS = "calls a function that writes";
    private static final String SEVERAL = "is one of several that were sent as one";
    private static final Set<String> ASKED_TO_WRITE = Set.of(WRITES, LOCKS, CALLS);

    /** The first words of statements that are no queries, by why they are left out. */
    private static final Map<String, String> OTHERS = Map.of(
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
            "prepare execute deallocate");

    private static final Set<String> LOCKING = Set.of("update", "share", "no", "key");
    /** Functions of the server that change something, or act on other sessions. */
    private static final Pattern WRITING_FUNCTION =
            Pattern.compile("nextval|setval|set_config|lo_\\w+|dblink\\w*|pg_(try_)?advisory_\\w+|pg_notify"
                    + "|pg_(cancel|terminate)_backend|pg_reload_conf|pg_rotate_logfile|pg_switch_wal|pg_promote"
                    + "|pg_stat_reset\\w*|pg_stat_statements_reset|pg_log_\\w+|pg_logical_\\w+|pg_create_\\w+|pg_drop_\\w+"
                    + "|pg_replication_\\w+|pg_(backup|start|stop)_\\w*backup|pg_file_\\w+|pg_export_snapshot|pg_prewarm"
                    + "|pg_current_xact_id|txid_current|brin_summarize_\\w+|gin_clean_pending_list");

    private final boolean writes;
    private final Map<String, Form> remembered = new LatestUsed<>(REMEMBERED);

    /** @param writes whether statements that write are asked again, too */
    StatementForms(boolean writes) {
        this.writes = writes;
    }

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

    /** What all executions of a statement have in common; empty where it is left out. */
    Optional<StatementText> text(String sql) {
        return known(sql) instanceof Form.Asked asked ? Optional.of(asked.text()) : Optional.empty();
    }

    /** @param detail of its record, which has the values of its parameters */
    Form of(String sql, String detail) {
        Form form = known(sql);
        return form instanceof Form.Asked asked && asked.values().isEmpty() ? filled(asked, detail) : form;
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

    private Form form(String sql) {
        if (sql.length() > LONGEST) {
            return new Form.LeftOut("is longer than 100,000 characters");
        } else if (isBroken(sql)) {
            return new Form.LeftOut("has bytes that are no UTF-8");
        }
        Optional<Tokens> read = Tokens.of(sql);
        if (read.isEmpty()) {
            return new Form.LeftOut("is cut off within quotes or a comment");
        }
        Tokens tokens = read.get();
        Optional<String> notReading = refusal(tokens);
        Optional<String> refusal = notReading.isEmpty()
                ? Housekeeping.reason(tokens)
                : writes ? refusalOfWriting(tokens, notReading.get()) : notReading;
        return refusal.<Form>map(Form.LeftOut::new).orElseGet(() -> normal(tokens, notReading.isPresent()));
    }

    private static Form normal(Tokens tokens, boolean writes) {
        NormalStatement normal = new NormalStatement(tokens);
        StatementText.Scanned scanned = StatementText.scan(normal.text());
        List<String> found = scanned.statement().parameters();
        List<String> expected = normal.values().isEmpty()
                ? found
                : IntStream.rangeClosed(1, normal.values().size())
                        .mapToObj(i -> "p" + i)
                        .toList();
        boolean isSame = scanned.flaw().isEmpty()
                && found.equals(expected)
                && expected.stream().allMatch(name -> name.matches("p[0-9]+"));
        return isSame && normal.values().stream().noneMatch(StatementForms::isBroken)
                ? new Form.Asked(
                        scanned.statement(), normal.values(), writes ? Statement.Effect.WRITES : Statement.Effect.READS)
                : new Form.LeftOut("cannot be written in the notation of scenarios");
    }

    /** With the values that the log has: {@code Parameters: $1 = 'it''s', $2 = NULL}, with a small p up to version 15. */
    private static Form filled(Form.Asked asked, String detail) {
        List<String> parameters = asked.text().parameters();
        if (parameters.isEmpty()) {
            return asked;
        }
        Map<String, String> logged = new HashMap<>();
        boolean hasNull = false;
        int end = 0;
        for (Matcher value = VALUE.matcher(detail); value.find(); end = value.end()) {
            String text = value.group(2);
            hasNull |= text == null;
            if (text != null) {
                logged.put("p" + value.group(1), text.replace("''", "'"));
            }
        }
        boolean isWhole = end > 0 && detail.substring(end).isBlank();
        if (!isWhole || !logged.keySet().containsAll(parameters)) {
            return new Form.LeftOut(
                    isWhole && hasNull
                            ? "has a parameter that is NULL, which no scenario can say"
                            : "has parameters whose values are not in the log (log_parameter_max_length)");
        } else if (logged.values().stream().anyMatch(value -> value.endsWith("..."))) {
            return new Form.LeftOut("has a value that is cut off (log_parameter_max_length)");
        }
        List<String> values = parameters.stream()
                .flatMap(name -> Stream.ofNullable(logged.get(name)))
                .toList();
        return values.stream().anyMatch(StatementForms::isBroken)
                ? new Form.LeftOut("has bytes that are no UTF-8")
                : new Form.Asked(asked.text(), values, asked.effect());
    }

    private static boolean isBroken(String text) {
        return WholeText.of(text).indexOf(NO_CHARACTER) >= 0;
    }

    /** Why a statement is left out where those that write are asked, too. */
    private static Optional<String> refusalOfWriting(Tokens tokens, String refusal) {
        boolean several = IntStream.range(0, tokens.size() - 1).anyMatch(at -> tokens.isSymbol(at, ";"));
        return several ? Optional.of(SEVERAL) : Optional.of(refusal).filter(reason -> !ASKED_TO_WRITE.contains(reason));
    }

    /**
     * Why a statement is left out, in a few words; empty if it only reads by its text. Whoever asks it again is kept from writing by the
     * server whatever is said here: this is for what is known beforehand to be refused.
     */
    static Optional<String> refusal(Tokens tokens) {
        int first = 0;
        while (tokens.isSymbol(first, "(") || tokens.at(first).kind() == Kind.HINT) {
            first++;
        }
        if (first == tokens.size()) {
            return Optional.of("holds no statement");
        }
        String begin = tokens.at(first).folded();
        if (!Set.of("select", "with", "values", "table").contains(begin)) {
            return Optional.of(OTHERS.entrySet().stream()
                    .filter(other -> List.of(other.getValue().split(" ")).contains(begin))
                    .findFirst()
                    .map(Map.Entry::getKey)
                    .orElse("is no query"));
        }
        return IntStream.range(first, tokens.size())
                .mapToObj(at -> refusal(tokens, at))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> refusal(Tokens tokens, int at) {
        Token here = tokens.at(at);
        Token next = tokens.at(at + 1);
        if (tokens.writingVerbs().contains(at)) {
            return Optional.of(WRITES);
        } else if (at + 1 == tokens.size()) {
            return Optional.empty();
        } else if (here.isSymbol(";")) {
            return Optional.of(SEVERAL);
        } else if (here.isWord("for") && LOCKING.contains(next.folded())) {
            return Optional.of(LOCKS);
        } else if (here.isWord("into") && !tokens.isSymbol(at - 1, ".")) {
            return Optional.of("makes a table (SELECT INTO)");
        }
        boolean calls = here.kind() == Kind.WORD
                && next.isSymbol("(")
                && WRITING_FUNCTION.matcher(here.folded()).matches();
        return calls ? Optional.of(CALLS) : Optional.empty();
    }
}
