package siemload.dataset.recording;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;

/** Counts what is wrong with the lines of files and keeps the first of it, in the order of the files. Not thread-safe. */
public final class LineProblems implements Consumer<LineProblem> {
    private static final int KEPT = 10;

    private final Map<Path, Integer> order = new HashMap<>();
    private final List<LineProblem> unreadable = new ArrayList<>();
    private final List<LineProblem> lacking = new ArrayList<>();
    private long unreadableLines;
    private long lacks;

    /** None yet of these files. */
    public LineProblems(List<Path> files) {
        files.forEach(file -> order.putIfAbsent(file, order.size()));
    }

    @Override
    public void accept(LineProblem problem) {
        boolean lost = problem.severity() == Severity.UNREADABLE;
        unreadableLines += lost ? 1 : 0;
        lacks += lost ? 0 : 1;
        List<LineProblem> first = lost ? unreadable : lacking;
        first.add(problem);
        // Repeated ids are found when all has been read, and may stand before others.
        first.sort(Comparator.comparingInt((LineProblem kept) -> order.getOrDefault(kept.file(), 0))
                .thenComparingLong(LineProblem::line));
        if (first.size() > KEPT) {
            first.remove(KEPT);
        }
    }

    /** How many lines were left out. */
    long unreadableLines() {
        return unreadableLines;
    }

    /** The first lines that were left out. */
    List<String> unreadable() {
        return unreadable.stream().map(LineProblem::toString).toList();
    }

    /**
     * All problems, a line each.
     *
     * @param before stands before each count
     * @param shown what is said of a problem
     */
    public List<String> lines(String before, Function<LineProblem, String> shown) {
        List<String> lines = new ArrayList<>();
        describe(before, unreadableLines, "unreadable lines were skipped", unreadable, shown, lines);
        describe(before, lacks, "times a readable event lacks something", lacking, shown, lines);
        return List.copyOf(lines);
    }

    private static void describe(
            String before,
            long all,
            String what,
            List<LineProblem> first,
            Function<LineProblem, String> shown,
            List<String> lines) {
        if (all > 0) {
            String only = all > first.size() ? "; the first " + first.size() : "";
            lines.add(String.format(Locale.ROOT, "%s%,d %s%s:", before, all, what, only));
            first.forEach(problem -> lines.add("  " + shown.apply(problem)));
        }
    }
}
