package siemload.config;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects what is wrong while the whole configuration is read, so that it can be said at once. Not thread-safe. */
public final class Problems {
    static final int MOST_SHOWN = 50;

    private static final Comparator<Problem> BY_PLACE = Comparator.<Problem, String>comparing(
                    problem -> problem.origin() instanceof Origin.InFile place ? place.file() : "")
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.line() : 0)
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.column() : 0);

    /** With what makes the excerpts of those that will be shown. */
    private final Map<Problem, Supplier<String>> all = new LinkedHashMap<>();

    /** Notes one more; the same problem counts once. */
    public void add(Problem problem) {
        add(problem, problem::excerpt);
    }

    /** Adds a problem whose excerpt is made only if it will be shown. */
    void add(Problem problem, Supplier<String> excerpt) {
        all.putIfAbsent(problem, excerpt);
    }

    /** Notes one more about something that is not in a file. */
    public void add(Origin origin, String message) {
        add(new Problem(origin, message));
    }

    /** What is read here; empty where an {@link IllegalArgumentException} says that it is wrong, which is noted. */
    public <T> Optional<T> collect(Origin origin, Supplier<T> reading) {
        try {
            return Optional.ofNullable(reading.get());
        } catch (IllegalArgumentException wrong) {
            add(origin, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    /** Whether nothing is wrong so far. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** How many there are so far; a reader of two values compares it to know whether both were good. */
    public int count() {
        return all.size();
    }

    /** The problems so far, or the first 50 of them: those outside of files come first, then by file, line and column. */
    public List<Problem> list() {
        return all.keySet().stream()
                .sorted(BY_PLACE)
                .limit(MOST_SHOWN)
                .map(one -> new Problem(
                        one.origin(),
                        one.path(),
                        one.message(),
                        all.getOrDefault(one, one::excerpt).get()))
                .toList();
    }

    /**
     * Ends the reading if something is wrong.
     *
     * @throws ConfigException with all the problems, if there are any
     */
    public void throwIfAny() {
        if (!isEmpty()) {
            throw exception();
        }
    }

    /** What tells the problems, of which there is at least one. */
    public ConfigException exception() {
        List<Problem> shown = list();
        return new ConfigException(shown, count() - shown.size());
    }
}
