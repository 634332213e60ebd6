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

    private final Kind unreadable = new Kind("unreadable lines were skipped");
    private final Kind doubtful = new Kind("events have a doubtful time, but were read");

    private static final class Kind {
        private final String what;
        private final List<LineProblem> first = new ArrayList<>();
        private long count;

        Kind(String what) {
            this.what = what;
        }
    }

    @Override
    public void accept(LineProblem problem) {
        Kind kind = problem.isLeftOut() ? unreadable : doubtful;
        kind.count++;
        if (kind.first.size() < KEPT) {
            kind.first.add(problem);
        }
    }

    /** Returns a sentence about the lines that were left out, besides this number of events; empty if none was left out. */
    String leftOut(long events) {
        return unreadable.count == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %,d lines of the recording could not be read and were left out; the first is %s",
                        unreadable.count,
                        unreadable.count + events,
                        unreadable.first.get(0));
    }

    /**
     * Returns the number of lines left out and the number of events with doubtful times, each with the first problems; empty for none.
     *
     * @param before the text before each count
     * @param shown turns a problem into text
     */
    public List<String> lines(String before, Function<LineProblem, String> shown) {
        List<String> lines = new ArrayList<>();
        for (Kind kind : List.of(unreadable, doubtful)) {
            if (kind.count > 0) {
                String only = kind.count > KEPT ? "; the first " + KEPT : "";
                lines.add(String.format(Locale.ROOT, "%s%,d %s%s:", before, kind.count, kind.what, only));
                kind.first.forEach(problem -> lines.add("  " + shown.apply(problem)));
            }
        }
        return List.copyOf(lines);
    }
}
