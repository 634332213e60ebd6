package siemload.dataset.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import siemload.event.LineProblem;
import siemload.event.LineProblem.Severity;

/** Counts what is wrong with the lines of a recording and keeps the first of it. Not thread-safe. */
final class RecordingProblems {
    static final int KEPT = 10;

    private final String name;
    private final List<Told> unreadable = new ArrayList<>();
    private final List<Told> lacking = new ArrayList<>();
    private long unreadableLines;
    private long lacks;

    /** A problem and where it comes in the order of reading. */
    private record Told(int file, LineProblem problem) {}

    /** @param name of the recording, for people */
    RecordingProblems(String name) {
        this.name = name;
    }

    /** Notes a problem of a file, which has this position among those of the recording. */
    void add(int file, LineProblem problem) {
        if (problem.severity() == Severity.WARNING) {
            lacks++;
            keep(lacking, new Told(file, problem));
        } else {
            unreadableLines++;
            keep(unreadable, new Told(file, problem));
        }
    }

    /** How many lines were left out. */
    long unreadableLines() {
        return unreadableLines;
    }

    /** The first lines that were left out, in the order of reading. */
    List<String> unreadable() {
        return texts(unreadable);
    }

    /** All problems for people, a line each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        describe(unreadable, unreadableLines, "unreadable lines were skipped", lines);
        describe(lacking, lacks, "times a readable event lacks something", lines);
        return List.copyOf(lines);
    }

    private void describe(List<Told> first, long all, String what, List<String> lines) {
        if (all > 0) {
            String shown = all > first.size() ? "; the first " + first.size() : "";
            lines.add(String.format(Locale.ROOT, "%s: %,d %s%s:", name, all, what, shown));
            texts(first).forEach(text -> lines.add("  " + text));
        }
    }

    private static List<String> texts(List<Told> told) {
        return told.stream().map(one -> one.problem().toString()).toList();
    }

    /** Repeated ids are found when all has been read, and may stand before others. */
    private static void keep(List<Told> first, Told problem) {
        first.add(problem);
        first.sort(Comparator.comparingInt(Told::file)
                .thenComparingLong(told -> told.problem().line()));
        if (first.size() > KEPT) {
            first.remove(KEPT);
        }
    }
}
