package siemload.run.answers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import siemload.database.SearchSession.RowReader;
import siemload.query.Criterion;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerSampler.AnswerWatch;
import siemload.run.answers.CheckedAnswers.WrongAnswer;

/**
 * Compares the answers to statements with each other: the same statement with the same values must return the same rows, in any order, if
 * nobody has written in between. The first answer to each question is kept as a checksum; questions beyond {@value #MOST_QUESTIONS} are
 * left out. Thread-safe.
 */
public final class RepeatedAnswers {
    static final int MOST_QUESTIONS = 20_000;
    private static final int MOST_KEPT = 1_000;

    private final Map<SearchName, Statement> statements;
    private final Map<Question, StatementAnswer> first = new ConcurrentHashMap<>();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder differing = new LongAdder();
    private final LongAdder leftOut = new LongAdder();
    private final List<WrongAnswer> kept = new CopyOnWriteArrayList<>();

    /** A statement with its values. */
    private record Question(SearchName name, List<Criterion> values) {}

    /** @param statements all statements of the scenario; a statement that writes may return different rows each time */
    RepeatedAnswers(Collection<Statement> statements) {
        this.statements = statements.stream().collect(Collectors.toUnmodifiableMap(Statement::name, one -> one));
    }

    AnswerWatch watch(Search search, SearchKey key) {
        Statement statement = Objects.requireNonNull(statements.get(search.name()), "the search is a statement");
        return statement.writes() ? AnswerWatch.NOBODY : new StatementAnswer(statement, search, key);
    }

    /** Returns the first answer to each question, as sorted lines of {@link siemload.results.RunFile#ANSWERS}. */
    public String lines() {
        return first.values().stream().map(StatementAnswer::line).sorted().collect(Collectors.joining());
    }

    /** Returns the comparison of answers to repeated questions; the ratio is above 0 if answers were to be checked. */
    public CheckedAnswers.ComparedAnswers compared(double askedRatio) {
        long compared = repeats.sum();
        String words = "%,d answers repeated one of %,d questions (a statement with its values)";
        return new CheckedAnswers.ComparedAnswers(
                compared == 0 ? "" : CheckedAnswers.formatted(words, compared, first.size()),
                new CheckedAnswers(askedRatio, compared, leftOut.sum(), kept),
                differing.sum());
    }

    /** The rows of one answer to a statement, as a checksum that does not depend on their order. */
    private final class StatementAnswer implements AnswerWatch {
        /** The shown rows are so few, and so short, that the first answers to all questions fit into memory. */
        private static final int MOST_SHOWN = 3;

        private static final int BYTES_SHOWN = 200;

        private final Statement statement;
        private final Search search;
        private final SearchKey key;
        private final RowSum rows = new RowSum();
        private final List<String> shown = new ArrayList<>();

        StatementAnswer(Statement statement, Search search, SearchKey key) {
            this.statement = statement;
            this.search = search;
            this.key = key;
        }

        @Override
        public void row(RowReader.Row row, byte[] content) {
            rows.add(content);
            if (shown.size() < MOST_SHOWN) {
                String text = new String(content, 0, Math.min(BYTES_SHOWN, content.length), StandardCharsets.UTF_8);
                shown.add(text.replaceAll("\\p{Cntrl}", " ") + (content.length > BYTES_SHOWN ? "..." : ""));
            }
        }

        @Override
        public void answered(long seenFromNanos, long endNanos, long reportedRows) {
            Question question = new Question(search.name(), search.criteria());
            boolean isFull = first.size() >= MOST_QUESTIONS;
            StatementAnswer known = isFull ? first.get(question) : first.putIfAbsent(question, this);
            if (known == null) {
                leftOut.add(isFull ? 1 : 0);
                return;
            }
            repeats.increment();
            if (known.rows.sameAs(rows)) {
                return;
            }
            differing.increment();
            if (differing.sum() <= MOST_KEPT) {
                List<String> faults = List.of("differs from the first answer to the same values, " + known.words());
                kept.add(new WrongAnswer(key, statement.text(search), seenFromNanos, endNanos, faults, words()));
            }
        }

        /** Returns a text such as {@code 2 rows}, followed by some of the rows, each on a line of its own. */
        private String words() {
            String count = rows.count() + (rows.count() == 1 ? " row" : " rows");
            String more = rows.count() > shown.size() ? "\n    ..." : "";
            return shown.stream().map(row -> "\n    " + row).collect(Collectors.joining("", count, more));
        }

        private String line() {
            List<String> values = new ArrayList<>();
            for (Criterion one : search.criteria()) {
                if (one instanceof Criterion.ParameterIs value) {
                    values.add(encoded(value.parameter()) + "=" + encoded(value.value()));
                }
            }
            return search.name() + "," + String.join("&", values) + "," + rows.count() + "," + rows.hex() + "\n";
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }
}
