package siemload.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.RecordingOptions.BadLines;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;

/** Counts what is wrong with the lines of a recording and keeps the first of it. Not thread-safe. */
final class RecordingProblems implements Consumer<LineProblem> {
    static final int KEPT = 20;

    private final Path file;
    private final BadLines badLines;
    private final List<LineProblem> unreadable = new ArrayList<>();
    private final List<LineProblem> lacking = new ArrayList<>();
    private long unreadableLines;
    private long lacks;

    RecordingProblems(Path file, BadLines badLines) {
        this.file = file;
        this.badLines = badLines;
    }

    @Override
    public void accept(LineProblem problem) {
        if (problem.severity() == Severity.WARNING) {
            lacks++;
            keep(lacking, problem);
        } else if (badLines == BadLines.REFUSE) {
            throw new ConfigException(
                    new Origin.WholeFile(problem.file() + ":" + problem.line()),
                    problem.reason() + " (with -Dstrict=false such lines are reported and skipped)");
        } else {
            unreadableLines++;
            keep(unreadable, problem);
        }
    }

    long unreadableLines() {
        return unreadableLines;
    }

    /** All problems for people, a line each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        describe(unreadable, unreadableLines, "unreadable lines were skipped", lines);
        describe(lacking, lacks, "times a readable event lacks something", lines);
        return List.copyOf(lines);
    }

    private void describe(List<LineProblem> first, long all, String what, List<String> lines) {
        if (all > 0) {
            String shown = all > first.size() ? "; the first " + first.size() : "";
            lines.add(String.format(Locale.ROOT, "%s: %,d %s%s:", file, all, what, shown));
            first.forEach(problem -> lines.add("  " + problem));
        }
    }

    private static void keep(List<LineProblem> list, LineProblem problem) {
        if (list.size() < KEPT) {
            list.add(problem);
        }
    }
}
