package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;

/** Counts the lines that are no events and keeps the first of them. What events lack is measured, not told. Not thread-safe. */
final class SkippedLines implements Consumer<LineProblem> {
    private static final int KEPT = 10;

    private final List<LineProblem> first = new ArrayList<>();
    private long count;

    @Override
    public void accept(LineProblem problem) {
        if (problem.severity() == Severity.UNREADABLE) {
            count++;
            if (first.size() < KEPT) {
                first.add(problem);
            }
        }
    }

    /** For people, a line each. The reason quotes the line where names are kept, and otherwise its place must do. */
    List<String> lines(NameRule rule) {
        List<String> lines = new ArrayList<>();
        if (count > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%,d unreadable lines were skipped%s:",
                    count,
                    count > KEPT ? "; the first " + KEPT : ""));
            for (LineProblem problem : first) {
                lines.add("  " + problem.file() + ":" + problem.line()
                        + (rule == NameRule.KEEP ? ": " + problem.reason() : ""));
            }
        }
        return lines;
    }
}
