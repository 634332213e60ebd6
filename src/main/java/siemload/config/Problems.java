package siemload.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Collects what is wrong while the whole configuration is read, so that it can be said at once; of a great
 * many the first are kept. Not thread-safe. */
public final class Problems {
    static final int MOST_SHOWN = 50;

    private static final Comparator<Problem> BY_PLACE = Comparator.<Problem, String>comparing(Problems::file)
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.line() : 0)
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.column() : 0);

    private final List<Problem> first = new ArrayList<>();
    /** Tells apart what was noted, so that a file full of mistakes takes neither much time nor much memory. */
    private final Set<Integer> hashes = new HashSet<>();

    private boolean isCut;

    /** Notes one more; the same problem counts once. */
    public void add(Problem problem) {
        add(problem, problem::excerpt);
    }

    /** Adds a problem whose excerpt is made only if it will be shown. */
    void add(Problem problem, Supplier<String> excerpt) {
        if (!hashes.add(Objects.hash(problem.origin(), problem.path(), problem.message()))) {
            return;
        }
        if (isCut && BY_PLACE.compare(problem, first.get(MOST_SHOWN - 1)) >= 0) {
            return;
        }
        first.add(new Problem(problem.origin(), problem.path(), problem.message(), excerpt.get()));
        if (first.size() > 2 * MOST_SHOWN) {
            first.sort(BY_PLACE);
            first.subList(MOST_SHOWN, first.size()).clear();
            isCut = true;
        }
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
        return hashes.isEmpty();
    }

    /** How many there are so far; a reader of two values compares it to know whether both were good. */
    public int count() {
        return hashes.size();
    }

    /** The problems so far, or the first 50 of them: those outside of files come first, then by file, line and column. */
    public List<Problem> list() {
        return first.stream().sorted(BY_PLACE).limit(MOST_SHOWN).toList();
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

    private static String file(Problem problem) {
        return problem.origin() instanceof Origin.InFile place ? place.file() : "";
    }
}
