package siemload.results.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.results.DatabaseActivity.Io;
import siemload.results.RunResult;

/**
 * What the database read and wrote for each report by purpose, a row each: for one search of each kind, which was carried out alone
 * before the load, or for the steps of a procedure. Immutable.
 */
record IoTable(boolean ofSteps, List<Row> rows) {
    /** What is told of everybody together is no report's own. */
    private static final List<String> CATEGORIES = List.of("data", "index", "redo", "undo", "temp");

    private static final int NAME_WIDTH = 35;
    private static final double BYTES_OF_MEGABYTE = 1e6;
    private static final String UNTOLD = "-";

    IoTable {
        rows = List.copyOf(rows);
    }

    /**
     * All of a name.
     *
     * @param times how many of them were counted
     * @param means what one of them took, by category; a category that the database does not count is missing
     */
    record Row(String name, long times, Map<String, Io> means) {
        Row {
            means = Map.copyOf(means);
        }

        Optional<Io> io(String category) {
            return Optional.ofNullable(means.get(category));
        }
    }

    /** Of a run; without rows where the database did not count anything. */
    static IoTable of(RunResult run) {
        Map<String, List<List<Io>>> steps = new LinkedHashMap<>();
        run.steps().stream()
                .filter(step -> !step.failed() && !step.io().isEmpty())
                .forEach(step -> counted(steps, step.name()).add(step.io()));
        Map<String, List<List<Io>>> plans = new LinkedHashMap<>();
        run.plans().stream()
                .filter(plan -> !plan.io().isEmpty())
                .forEach(plan -> counted(plans, plan.kind().label()).add(plan.io()));
        boolean ofSteps = !steps.isEmpty();
        List<Row> rows = new ArrayList<>();
        (ofSteps ? steps : plans).forEach((name, all) -> rows.add(new Row(name, all.size(), means(all))));
        return new IoTable(ofSteps, rows);
    }

    private static List<List<Io>> counted(Map<String, List<List<Io>>> byName, String name) {
        return byName.computeIfAbsent(name, unused -> new ArrayList<>());
    }

    private static Map<String, Io> means(List<List<Io>> all) {
        Map<String, Io> sums = new LinkedHashMap<>();
        all.forEach(one -> one.forEach(io -> sums.merge(io.category(), io, IoTable::sum)));
        sums.replaceAll((category, sum) -> divided(sum, all.size()));
        return sums;
    }

    private static Io sum(Io one, Io other) {
        return new Io(
                one.category(),
                one.reads() + other.reads(),
                one.readBytes() + other.readBytes(),
                one.writes() + other.writes(),
                one.writtenBytes() + other.writtenBytes(),
                one.hits() + other.hits());
    }

    private static Io divided(Io sum, int by) {
        return new Io(
                sum.category(),
                mean(sum.reads(), by),
                mean(sum.readBytes(), by),
                mean(sum.writes(), by),
                mean(sum.writtenBytes(), by),
                mean(sum.hits(), by));
    }

    private static long mean(long sum, int of) {
        return Math.round((double) sum / of);
    }

    /** The table for a terminal, with what its numbers mean; of a target that told nothing of any search, a line that says so. */
    static String text(RunResult run) {
        IoTable table = of(run);
        if (!table.rows().isEmpty()) {
            return table.text();
        }
        return run.plans().isEmpty()
                ? ""
                : "input and output of each report: not told by "
                        + run.identity().target().id() + "\n\n";
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%-" + NAME_WIDTH + "s",
                "I/O of one, " + (ofSteps ? "mean of equal steps" : "alone, before the load")));
        CATEGORIES.forEach(category -> text.append(String.format(Locale.ROOT, " %14s", category)));
        text.append('\n').append(" ".repeat(NAME_WIDTH));
        CATEGORIES.forEach(category -> text.append("  blocks     MB"));
        text.append('\n');
        for (Row row : rows) {
            text.append(String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s", row.name()));
            CATEGORIES.forEach(category -> text.append(cells(row.io(category))));
            text.append('\n');
        }
        return text.append(
                        "blocks: found in the database's cache, read or written; MB: read or written outside of it; ")
                .append(UNTOLD)
                .append(": not counted here\n\n")
                .toString();
    }

    private static String cells(Optional<Io> io) {
        String blocks = io.map(counted -> String.valueOf(blocks(counted))).orElse(UNTOLD);
        String megabytes = io.map(counted -> megabytes(counted.readBytes() + counted.writtenBytes()))
                .orElse(UNTOLD);
        return String.format(Locale.ROOT, " %7s %6s", blocks, megabytes);
    }

    /** However the database came by them, or where it put them. */
    static long blocks(Io io) {
        return io.hits() + io.reads() + io.writes();
    }

    private static String megabytes(long bytes) {
        double megabytes = bytes / BYTES_OF_MEGABYTE;
        return String.format(Locale.ROOT, megabytes >= 1000 ? "%.0f" : megabytes >= 100 ? "%.1f" : "%.2f", megabytes);
    }
}
