package siemload.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.LineProblem;

/** Counts the unreadable and the doubtful lines of files and keeps the first of them. Not thread-safe. */
public final class LineProblems implements Consumer<LineProblem> {
    private static final int KEPT = 10;

    private final List<LineProblem> first = new ArrayList<>();
    private final List<LineProblem> firstDoubts = new ArrayList<>();
    private long count;
    private long doubts;

    @Override
    public void accept(LineProblem problem) {
        count += problem.isLeftOut() ? 1 : 0;
        doubts += problem.isLeftOut() ? 0 : 1;
        List<LineProblem> kept = problem.isLeftOut() ? first : firstDoubts;
        if (kept.size() < KEPT) {
            kept.add(problem);
        }
    }

    /** Returns a sentence about the lines that were left out, besides this number of events; empty if none was left out. */
    String leftOut(long events) {
        return count == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %,d lines of the recording could not be read and were left out; the first is %s",
                        count,
                        count + events,
                        first.get(0));
    }

    /**
     * Returns the number of lines left out and the number of events with doubtful times, each with the first problems; empty for none.
     *
     * @param before the text before each count
     * @param shown turns a problem into text
     */
    public List<String> lines(String before, Function<LineProblem, String> shown) {
        List<String> lines = new ArrayList<>();
        add(lines, before, "unreadable lines were skipped", count, first, shown);
        add(lines, before, "events have a doubtful time, but were read", doubts, firstDoubts, shown);
        return List.copyOf(lines);
    }

    private static void add(
            List<String> lines,
            String before,
            String what,
            long count,
            List<LineProblem> first,
            Function<LineProblem, String> shown) {
        if (count > 0) {
            String only = count > first.size() ? "; the first " + first.size() : "";
            lines.add(String.format(Locale.ROOT, "%s%,d %s%s:", before, count, what, only));
            first.forEach(problem -> lines.add("  " + shown.apply(problem)));
        }
    }
}
