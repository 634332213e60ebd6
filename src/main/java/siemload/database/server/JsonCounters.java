package siemload.database.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.Counters;
import siemload.database.Counters.StatementSource;
import siemload.database.Counters.StatementTime;
import siemload.database.SearchException.Kind;

/**
 * Counters of a server that answers questions with JSON, by a list of what its numbers are. What it refuses is not asked for again, and
 * what it does not tell is missing.
 *
 * @param <E> what its client throws
 */
public final class JsonCounters<E extends RuntimeException> implements Counters {
    private final ServerErrors<E> errors;
    private final Predicate<E> isRefusal;
    private final Duration timeout;
    private final List<Question> questions;
    private final Meaning meaning;
    /** Why, by what was asked for. */
    private final Map<String, String> refused = new HashMap<>();

    private final Map<String, Long> upMillis = new HashMap<>();
    private int starts;

    /** What a number is. */
    public enum Unit {
        /** A count that only grows. */
        COUNT(1),
        /** Memory held now. */
        BYTES(1),
        /** The same. */
        MEBIBYTES(1L << 20),
        /** How long searches took, all together. */
        SEARCH_MICROS(1_000),
        /** The same. */
        SEARCH_MILLIS(1_000_000),
        /** How long the server, or one of its nodes, has been up: that is how its starts are told apart. */
        UP_MILLIS(1);

        private final long factor;

        Unit(long factor) {
            this.factor = factor;
        }
    }

    /**
     * What some numbers are.
     *
     * @param path matches their whole paths in the answer: names with dots between them
     * @param name what they are called, in which {@code $1} is the first group; those of the same name are added up
     */
    public record Counter(Pattern path, String name, Unit unit) {
        /** By the path as text. */
        public Counter(String path, String name, Unit unit) {
            this(Pattern.compile(path), name, unit);
        }
    }

    /**
     * What is asked at each reading.
     *
     * @param what for people, with the right that a user needs for it
     * @param answer asks
     */
    public record Question(String what, Supplier<JsonNode> answer) {}

    /**
     * What the answers mean.
     *
     * @param counters of all questions
     * @param timed the question whose answer has the times of searches; empty for none
     * @param times where these come from, or why there are none
     * @param gap what the server never counts
     */
    public record Meaning(List<Counter> counters, String timed, StatementSource times, String gap) {
        public Meaning {
            counters = List.copyOf(counters);
        }

        /** What these answers tell, without the start of the server. */
        public CounterReading reading(List<JsonNode> answers) {
            return reading(sums(answers));
        }

        private static CounterReading reading(Map<Unit, Map<String, Long>> sums) {
            Map<String, Long> memory = new HashMap<>(of(sums, Unit.BYTES));
            memory.putAll(of(sums, Unit.MEBIBYTES));
            memory.values().removeIf(bytes -> bytes <= 0);
            Map<String, StatementTime> searches = new HashMap<>();
            Stream.of(Unit.SEARCH_MICROS, Unit.SEARCH_MILLIS)
                    .forEach(unit -> of(sums, unit)
                            .forEach((name, nanos) -> searches.put(name, new StatementTime(0, 0, nanos))));
            return new CounterReading(List.of(), List.of(), of(sums, Unit.COUNT))
                    .with(searches)
                    .holding(memory);
        }

        private static Map<String, Long> of(Map<Unit, Map<String, Long>> sums, Unit unit) {
            return sums.getOrDefault(unit, Map.of());
        }

        private Map<Unit, Map<String, Long>> sums(List<JsonNode> answers) {
            Map<Unit, Map<String, Long>> sums = new HashMap<>();
            answers.forEach(answer -> eachValue("", answer, (path, value) -> {
                for (Counter counter : value.isNumber() ? counters : List.<Counter>of()) {
                    Matcher matcher = counter.path.matcher(path);
                    if (matcher.matches()) {
                        sums.computeIfAbsent(counter.unit, unused -> new HashMap<>())
                                .merge(
                                        matcher.replaceFirst(counter.name),
                                        value.asLong() * counter.unit.factor,
                                        Long::sum);
                    }
                }
            }));
            return sums;
        }
    }

    /**
     * Hands over all values in an answer.
     *
     * @param prefix stands before their paths: names with dots between them
     */
    public static void eachValue(String prefix, JsonNode object, BiConsumer<String, JsonNode> each) {
        object.forEachEntry((name, value) -> {
            if (value.isObject()) {
                eachValue(prefix + name + ".", value, each);
            } else {
                each.accept(prefix + name, value);
            }
        });
    }

    /**
     * Reads nothing yet.
     *
     * @param isRefusal whether the server will not answer that question to this user
     * @param timeout of a reading
     */
    public JsonCounters(
            ServerErrors<E> errors,
            Predicate<E> isRefusal,
            Duration timeout,
            List<Question> questions,
            Meaning meaning) {
        this.errors = errors;
        this.isRefusal = isRefusal;
        this.timeout = timeout;
        this.questions = List.copyOf(questions);
        this.meaning = meaning;
    }

    @Override
    public CounterReading read() {
        return errors.answering(timeout, () -> {
            List<JsonNode> answers = questions.stream()
                    .filter(question -> !refused.containsKey(question.what))
                    .flatMap(this::ask)
                    .toList();
            Map<Unit, Map<String, Long>> sums = meaning.sums(answers);
            Meaning.of(sums, Unit.UP_MILLIS).forEach(this::noteStart);
            return Meaning.reading(sums).startedAt(upMillis.isEmpty() ? "" : "start " + starts);
        });
    }

    private Stream<JsonNode> ask(Question question) {
        return errors.unless(isRefusal, () -> Stream.of(question.answer.get()), refusal -> {
            refused.put(
                    question.what,
                    errors.meaning(refusal).kind() == Kind.REFUSED
                            ? "this user may not ask for " + question.what + ": " + errors.message(refusal)
                            : question.what + " was refused: " + errors.message(refusal));
            return Stream.of();
        });
    }

    /** A node that does not tell for a while, or joins, has not been started for that. */
    private void noteStart(String node, long millis) {
        Long before = upMillis.put(node, millis);
        starts += before != null && millis < before ? 1 : 0;
    }

    @Override
    public StatementSource statements() {
        return refused.containsKey(meaning.timed) ? StatementSource.none(refused.get(meaning.timed)) : meaning.times;
    }

    /** Why there are no times of searches, {@link #statements} tells. */
    @Override
    public List<String> gaps() {
        return Stream.concat(
                        questions.stream()
                                .map(Question::what)
                                .filter(what -> refused.containsKey(what) && !what.equals(meaning.timed))
                                .map(refused::get),
                        Stream.of(meaning.gap))
                .toList();
    }
}
