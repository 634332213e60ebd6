package siemload.database.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.EnumMap;
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
import siemload.database.SearchException.Kind;

/**
 * Counters of a server that answers questions with JSON, by a table of what its numbers are. What it refuses is not asked for again, and
 * what it does not tell is missing.
 *
 * @param <E> what its client throws
 */
public final class JsonCounters<E extends RuntimeException> implements Counters {
    private final ServerErrors<E> errors;
    private final Predicate<E> isRefusal;
    private final Duration timeout;
    private final List<Question> questions;
    private final List<Counter> counters;
    private final StatementSource times;
    private final String gap;
    /** Why, by what was asked for. */
    private final Map<String, String> refused = new HashMap<>();

    private final Map<String, Long> upMillis = new HashMap<>();
    private int starts;

    /** What a number is. */
    private enum Unit {
        /** It only grows. */
        COUNT,
        /** How long searches took, all together, in nanoseconds. */
        SEARCH,
        /** For how many milliseconds the server, or one of its nodes, has been up: that is how its starts are told apart. */
        UP
    }

    /** @param path matches their whole paths in the answer */
    private record Counter(Unit unit, long factor, Pattern path, String name) {
        static Counter of(String line) {
            String[] columns = line.split(" {2,}", -1);
            String[] unit = columns[0].split(" ", -1);
            return new Counter(Unit.valueOf(unit[0]), Long.parseLong(unit[1]), Pattern.compile(columns[1]), columns[2]);
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
     * @param questions the answer to the first one has the times of searches
     * @param table a line for each kind of number, with two blanks between its columns: COUNT, SEARCH or UP and the factor to its unit, a
     *     pattern of its path in the answer (names with dots between them), and what it is called, in which {@code $1} is the first group;
     *     those of the same name are added up
     * @param times where the times of searches come from
     * @param gap what the server never counts
     */
    public JsonCounters(
            ServerErrors<E> errors,
            Predicate<E> isRefusal,
            Duration timeout,
            List<Question> questions,
            String table,
            StatementSource times,
            String gap) {
        this.errors = errors;
        this.isRefusal = isRefusal;
        this.timeout = timeout;
        this.questions = List.copyOf(questions);
        this.counters = table.lines().map(Counter::of).toList();
        this.times = times;
        this.gap = gap;
    }

    @Override
    public CounterReading read() {
        return errors.answering(timeout, () -> {
            Map<Unit, Map<String, Long>> sums = new EnumMap<>(Unit.class);
            questions.stream()
                    .filter(question -> !refused.containsKey(question.what))
                    .flatMap(this::ask)
                    .forEach(answer -> eachValue("", answer, (path, value) -> add(path, value, sums)));
            of(sums, Unit.UP).forEach(this::noteStart);
            Map<String, StatementTime> searches = new HashMap<>();
            of(sums, Unit.SEARCH).forEach((name, nanos) -> searches.put(name, new StatementTime(0, 0, nanos)));
            return new CounterReading(List.of(), List.of(), of(sums, Unit.COUNT))
                    .with(searches)
                    .startedAt(upMillis.isEmpty() ? "" : "start " + starts);
        });
    }

    private void add(String path, JsonNode value, Map<Unit, Map<String, Long>> sums) {
        for (Counter counter : value.isNumber() ? counters : List.<Counter>of()) {
            Matcher matcher = counter.path.matcher(path);
            if (matcher.matches()) {
                of(sums, counter.unit)
                        .merge(matcher.replaceFirst(counter.name), value.asLong() * counter.factor, Long::sum);
            }
        }
    }

    private static Map<String, Long> of(Map<Unit, Map<String, Long>> sums, Unit unit) {
        return sums.computeIfAbsent(unit, unused -> new HashMap<>());
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
        String why = refused.get(questions.get(0).what);
        return why == null ? times : StatementSource.none(why);
    }

    /** Why there are no times of searches, {@link #statements} tells. */
    @Override
    public List<String> gaps() {
        Stream<String> others = questions.stream().skip(1).map(Question::what).filter(refused::containsKey);
        return Stream.concat(others.map(refused::get), Stream.of(gap)).toList();
    }
}
