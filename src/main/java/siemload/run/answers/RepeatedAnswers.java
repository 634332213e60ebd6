package siemload.run.answers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import siemload.query.Criterion;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.results.SearchKey;
import siemload.run.answers.Answer.UnorderedDigest;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;

/**
 * Holds the answers to statements against each other: who asks the same with the same values, and nobody has written meanwhile,
 * gets the same rows, in whatever order. The first answer to each question is kept as a sum; questions beyond
 * {@value #MOST_QUESTIONS} are left out. Thread-safe.
 */
public final class RepeatedAnswers {
    static final int MOST_QUESTIONS = 20_000;
    private static final int MOST_KEPT = 1_000;
    private static final int LONGEST_ROW = 500;
    /** Of the rows of first answers, which are shown beside others. */
    private static final long MOST_BYTES = 8_000_000;

    private final Map<SearchName, Statement> statements;
    private final Map<Question, Answer.StatementRows> first = new ConcurrentHashMap<>();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder differing = new LongAdder();
    private final LongAdder leftOut = new LongAdder();
    private final List<WrongAnswer> kept = new CopyOnWriteArrayList<>();

    /** A statement with its values. */
    private record Question(SearchName name, List<Criterion> values) {
        private String valuesText() {
            return values.stream()
                    .filter(Criterion.ParameterIs.class::isInstance)
                    .map(Criterion.ParameterIs.class::cast)
                    .map(value -> encoded(value.parameter()) + "=" + encoded(value.value()))
                    .collect(Collectors.joining("&"));
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }

    /**
     * None yet.
     *
     * @param statements of which those that write may answer otherwise each time
     */
    RepeatedAnswers(Collection<Statement> statements) {
        this.statements = statements.stream().collect(Collectors.toUnmodifiableMap(Statement::name, one -> one));
    }

    /** Others of the same statements. */
    RepeatedAnswers another() {
        return new RepeatedAnswers(statements.values());
    }

    AnswerWatch watch(Search search, SearchKey key) {
        return statement(search).writes() ? AnswerWatch.NOBODY : new RepeatWatch(this, search, key);
    }

    private Statement statement(Search search) {
        return Objects.requireNonNull(statements.get(search.name()), "what is asked is one of the statements");
    }

    void add(SampledAnswer answer, Answer.StatementRows rows) {
        Question question = new Question(answer.search().name(), answer.search().criteria());
        Answer.StatementRows known = first.get(question);
        if (known == null && first.size() < MOST_QUESTIONS) {
            known = first.putIfAbsent(question, withinRoom(rows));
            if (known == null) {
                return;
            }
        }
        if (known == null) {
            leftOut.increment();
        } else {
            repeats.increment();
            compare(answer, known, rows);
        }
    }

    private Answer.StatementRows withinRoom(Answer.StatementRows rows) {
        if (bytes.sum() > MOST_BYTES) {
            return new Answer.StatementRows(rows.rows(), List.of());
        }
        bytes.add(rows.shown().stream().mapToLong(row -> row.length).sum());
        return rows;
    }

    private void compare(SampledAnswer answer, Answer.StatementRows known, Answer.StatementRows rows) {
        Optional<String> difference = rows.differenceFrom(known);
        if (difference.isEmpty()) {
            return;
        }
        differing.increment();
        if (differing.sum() <= MOST_KEPT) {
            kept.add(WrongAnswer.of(
                    answer,
                    statement(answer.search()).text(answer.search()),
                    List.of(difference.orElseThrow()),
                    words(known),
                    words(rows)));
        }
    }

    /** The first answer to each question, as a line of {@link siemload.results.RunFile#ANSWERS}; sorted. */
    public List<String> lines() {
        return first.entrySet().stream()
                .map(answer -> String.join(
                        ",",
                        answer.getKey().name().name(),
                        answer.getKey().valuesText(),
                        Long.toString(answer.getValue().rows().count()),
                        answer.getValue().rows().hex()))
                .sorted()
                .toList();
    }

    /** {@code 2 rows}, and below some of them, one a line. */
    private String words(Answer.StatementRows answer) {
        long count = answer.rows().count();
        StringBuilder words = new StringBuilder(answer.words());
        for (byte[] row : answer.shown()) {
            String text = new String(row, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
            words.append("\n    ").append(text.length() > LONGEST_ROW ? text.substring(0, LONGEST_ROW) + "..." : text);
        }
        return words + (count > answer.shown().size() ? "\n    ..." : "");
    }

    /**
     * How the answers compare that repeat a question.
     *
     * @param askedRatio above 0 where answers were to be checked
     */
    public ComparedAnswers compared(double askedRatio) {
        return new ComparedAnswers(
                repeats.sum() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%,d that repeat one of %,d questions (a statement with its values)",
                                repeats.sum(),
                                first.size()),
                askedRatio,
                repeats.sum(),
                leftOut.sum(),
                differing.sum(),
                kept,
                "");
    }

    /** Sums up the rows of one answer to a statement. */
    static final class RepeatWatch implements AnswerWatch {
        private static final int MOST_SHOWN = 10;
        private static final int LONGEST_SHOWN = 4_000;

        private final RepeatedAnswers answers;
        private final Search search;
        private final SearchKey key;
        private final UnorderedDigest rows = new UnorderedDigest();
        private final List<byte[]> shown = new ArrayList<>();

        RepeatWatch(RepeatedAnswers answers, Search search, SearchKey key) {
            this.answers = answers;
            this.search = search;
            this.key = key;
        }

        @Override
        public boolean wantsContents() {
            return true;
        }

        @Override
        public void contents(byte[] row) {
            rows.add(row);
            if (shown.size() < MOST_SHOWN && row.length <= LONGEST_SHOWN) {
                shown.add(row);
            }
        }

        @Override
        public void answered(long seenFromNanos, long endNanos, long reportedRows) {
            Answer.StatementRows answer = new Answer.StatementRows(rows, shown);
            answers.add(new SampledAnswer(key, search, 0, seenFromNanos, endNanos, reportedRows, answer), answer);
        }
    }
}
