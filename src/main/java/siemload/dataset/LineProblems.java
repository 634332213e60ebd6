package siemload.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.LineProblem;

/** Counts the lines of files that could not be read and keeps those that it is told of first. Not thread-safe. */
public final class LineProblems implements Consumer<LineProblem> {
    private static final int KEPT = 10;

    private final List<LineProblem> first = new ArrayList<>();
    private long count;

    @Override
    public void accept(LineProblem problem) {
        count++;
        if (first.size() < KEPT) {
            first.add(problem);
        }
    }

    long count() {
        return count;
    }

    LineProblem first() {
        return first.get(0);
    }

    /**
     * How many lines were left out, and below that the first of them; none if none was.
     *
     * @param before stands before the count
     * @param shown what is said of a problem
     */
    public List<String> lines(String before, Function<LineProblem, String> shown) {
        List<String> lines = new ArrayList<>();
        if (count > 0) {
            String only = count > first.size() ? "; the first " + first.size() : "";
            lines.add(String.format(Locale.ROOT, "%s%,d unreadable lines were skipped%s:", before, count, only));
            first.forEach(problem -> lines.add("  " + shown.apply(problem)));
        }
        return List.copyOf(lines);
    }
}
