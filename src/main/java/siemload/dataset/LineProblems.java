package siemload.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.LineProblem;

/** Counts the unreadable lines of files and keeps the first of them, in the order of the files. Not thread-safe. */
public final class LineProblems implements Consumer<LineProblem> {
    private static final int KEPT = 10;

    private final List<Path> files;
    private final List<LineProblem> first = new ArrayList<>();
    private long count;

    /** None yet of these files. */
    public LineProblems(List<Path> files) {
        this.files = List.copyOf(files);
    }

    @Override
    public void accept(LineProblem problem) {
        count++;
        first.add(problem);
        // Repeated ids are found at the end, and may belong before others.
        first.sort(Comparator.comparingInt((LineProblem kept) -> files.indexOf(kept.file()))
                .thenComparingLong(LineProblem::line));
        if (first.size() > KEPT) {
            first.remove(KEPT);
        }
    }

    long count() {
        return count;
    }

    LineProblem first() {
        return first.get(0);
    }

    /**
     * How many lines were left out, and then the first of them; none if none was.
     *
     * @param before text before the count
     * @param shown how a problem is shown
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
