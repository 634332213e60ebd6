package siemload.database.querylog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import siemload.query.Statement;
import siemload.query.StatementText;

/** What becomes of a logged statement: its form and its values, or why it is left out. Remembers the latest texts. Not thread-safe. */
final class StatementForms {
    private static final int REMEMBERED = 500;
    private static final int LONGEST_REMEMBERED = 20_000;

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
        Optional<String> flaw = LoggedText.flaw(sql);
        if (flaw.isPresent()) {
            return new Form.LeftOut(flaw.get());
        }
        Optional<List<SqlToken>> tokens = SqlLexer.tokens(sql);
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
        return isSame && LoggedText.flawOfValues(normal.values()).isEmpty()
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
        return LoggedText.flawOfValues(values.get())
                .<Form>map(Form.LeftOut::new)
                .orElseGet(() -> new Form.Asked(asked.text(), values.get(), asked.effect()));
    }
}
