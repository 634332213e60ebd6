package siemload.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.LineProblem;

/** Counts the unreadable lines of files and keeps the first of them. Not thread-safe. */
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

    /** That lines beside these events were left out, in one sentence; empty if none was. */
    String leftOut(long events) {
        String sentence = "%,d of %,d lines of the recording could not be read and were left out, first %s";
        return count == 0 ? "" : String.format(Locale.ROOT, sentence, count, count + events, first.get(0));
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
