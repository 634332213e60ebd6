package siemload.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong while the whole configuration is read, so that it can be said at once. Not thread-safe. */
public final class Problems {
    private static final Comparator<Problem> BY_PLACE = Comparator.<Problem, String>comparing(Problems::file)
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.line() : 0)
            .thenComparingInt(problem -> problem.origin() instanceof Origin.InFile place ? place.column() : 0);

    private final List<Problem> problems = new ArrayList<>();

    /** Notes one more; the same problem counts once. */
    public void add(Problem problem) {
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** Notes one more about something that is not in a file. */
    public void add(Origin origin, String message) {
        add(new Problem(origin, message));
    }

    /** Whether nothing is wrong so far. */
    public boolean isEmpty() {
        return problems.isEmpty();
    }

    /** How many there are so far; whoever reads two values compares it to know whether both were good. */
    public int count() {
        return problems.size();
    }

    /** The problems so far: those outside of files first, then by file, line and column. */
    public List<Problem> list() {
        return problems.stream().sorted(BY_PLACE).toList();
    }

    /**
     * Ends the reading if something is wrong.
     *
     * @throws ConfigException with all the problems, if there are any
     */
    public void throwIfAny() {
        if (!isEmpty()) {
            throw new ConfigException(list());
        }
    }

    private static String file(Problem problem) {
        return problem.origin() instanceof Origin.InFile place ? place.file() : "";
    }
}
