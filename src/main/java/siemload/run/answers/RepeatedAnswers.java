package siemload.run.answers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import siemload.query.Criterion;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.SearchKey;

/**
 * Holds the answers to statements against each other: who asks the same with the same values, and nobody has written meanwhile,
 * gets the same rows, in whatever order. The first answer to each question is kept as a sum; questions beyond
 * {@value #MOST_QUESTIONS} are left out. Thread-safe.
 */
public final class RepeatedAnswers {
    static final int MOST_QUESTIONS = 20_000;
    private static final int MOST_KEPT = 1_000;

    private final Set<SearchName> unlike;
    private final Map<Question, UnorderedDigest> first = new ConcurrentHashMap<>();
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

    /** @param unlike statements whose answers may differ, since they write */
    RepeatedAnswers(Set<SearchName> unlike) {
        this.unlike = Set.copyOf(unlike);
    }

    /** Others of the same statements. */
    RepeatedAnswers another() {
        return new RepeatedAnswers(unlike);
    }

    AnswerWatch watch(Search search, SearchKey key) {
        return unlike.contains(search.name()) ? AnswerWatch.NOBODY : new RepeatWatch(this, search, key);
    }

    void add(SampledAnswer answer, UnorderedDigest rows) {
        Question question = new Question(answer.search().name(), answer.search().criteria());
        UnorderedDigest known =
                first.size() < MOST_QUESTIONS ? first.putIfAbsent(question, rows) : first.getOrDefault(question, rows);
        if (known == rows) {
            leftOut.increment();
        } else if (known != null) {
            repeats.increment();
            compare(answer, known, rows);
        }
    }

    private void compare(SampledAnswer answer, UnorderedDigest known, UnorderedDigest rows) {
        if (rows.sameAs(known)) {
            return;
        }
        differing.increment();
        if (differing.sum() <= MOST_KEPT) {
            kept.add(WrongAnswer.of(
                    answer,
                    List.of("not the rows of the first answer to the same values, which had " + known.count())));
        }
    }

    /** The first answer to each question, as a line of {@link siemload.results.RunFile#ANSWERS}; sorted. */
    public List<String> lines() {
        return first.entrySet().stream()
                .map(answer -> String.join(
                        ",",
                        answer.getKey().name().name(),
                        answer.getKey().valuesText(),
                        Long.toString(answer.getValue().count()),
                        answer.getValue().hex()))
                .sorted()
                .toList();
    }

    /** How many different questions were asked, as far as they were kept. */
    public long questions() {
        return first.size();
    }

    /** How many answers were held against the first one to the same question. */
    public long repeats() {
        return repeats.sum();
    }

    /** How many of them were not like it. */
    public long differing() {
        return differing.sum();
    }

    /**
     * The check where nobody has written meanwhile: answers that differ are wrong, one of the two at least.
     *
     * @param askedRatio above 0 where answers were to be checked
     */
    public CheckedAnswers checked(double askedRatio) {
        return new CheckedAnswers(askedRatio, repeats(), leftOut.sum(), kept);
    }

    /** The check where somebody has: only answers that are the same say anything. */
    public CheckedAnswers unchecked(double askedRatio) {
        return new CheckedAnswers(askedRatio, repeats() - differing(), leftOut.sum() + differing(), List.of());
    }
}
