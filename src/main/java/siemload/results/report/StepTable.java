package siemload.results.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import siemload.results.StepRecord;

/**
 * The steps of a procedure by name, in the order in which they were first done. Immutable.
 *
 * @param figures the names of all figures that some step has, times first
 */
record StepTable(List<String> figures, List<Row> rows) {
    private static final String MICROS = "Micros";
    private static final int WIDTH = 110;
    private static final int NAME_WIDTH = 32;
    private static final int LEAST_WIDTH = 9;

    StepTable {
        figures = List.copyOf(figures);
        rows = List.copyOf(rows);
    }

    /**
     * All steps of a name.
     *
     * @param done those that were done
     * @param medians the median of each figure over them: the middle value, or the mean of the two in the middle
     */
    record Row(String name, long done, long failed, Map<String, Double> medians) {
        /** A figure as it is shown: times in milliseconds. Empty where the step has no such figure. */
        String shown(String figure) {
            Double value = medians.get(figure);
            if (value == null) {
                return "";
            }
            double number = figure.endsWith(MICROS) ? value / 1000 : value;
            boolean whole = number == Math.rint(number) && !figure.endsWith(MICROS);
            String format = whole || Math.abs(number) >= 1000 ? "%.0f" : Math.abs(number) >= 100 ? "%.1f" : "%.2f";
            return String.format(Locale.ROOT, format, number);
        }
    }

    static StepTable of(List<StepRecord> steps) {
        Map<String, List<StepRecord>> byName = new LinkedHashMap<>();
        steps.forEach(step ->
                byName.computeIfAbsent(step.name(), name -> new ArrayList<>()).add(step));
        Set<String> times = new LinkedHashSet<>();
        Set<String> others = new LinkedHashSet<>();
        for (StepRecord step : steps) {
            step.figures().keySet().forEach(figure -> (isTime(figure) ? times : others).add(figure));
        }
        times.addAll(others);
        List<Row> rows = new ArrayList<>();
        byName.forEach((name, same) -> rows.add(row(name, same)));
        return new StepTable(List.copyOf(times), rows);
    }

    private static boolean isTime(String figure) {
        return figure.endsWith(MICROS) || figure.equals("seconds");
    }

    private static Row row(String name, List<StepRecord> steps) {
        long failed = steps.stream().filter(StepRecord::failed).count();
        Map<String, Double> medians = new LinkedHashMap<>();
        steps.stream()
                .flatMap(step -> step.figures().keySet().stream())
                .distinct()
                .forEach(figure -> medians.put(figure, median(steps, figure)));
        return new Row(name, steps.size() - failed, failed, medians);
    }

    private static double median(List<StepRecord> steps, String figure) {
        double[] values = steps.stream()
                .filter(step -> step.figures().containsKey(figure))
                .mapToDouble(step -> step.figures().getOrDefault(figure, 0.0))
                .toArray();
        return median(values);
    }

    /** The middle value, or the mean of the two in the middle, of one or more. */
    static double median(double[] some) {
        double[] values = some.clone();
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    /** How a figure is called in a table: {@code last event ms}, {@code rows}. */
    static String title(String figure) {
        String name = figure.endsWith(MICROS) ? figure.substring(0, figure.length() - MICROS.length()) + " ms" : figure;
        return name.replaceAll("[A-Z]", " $0").toLowerCase(Locale.ROOT);
    }

    /**
     * The table for a terminal, in blocks of at most 110 columns, and why steps failed; empty without steps.
     *
     * @param most how many rows are shown; where that leaves out some, so are the blocks behind the first one
     */
    static String text(List<StepRecord> steps, int most) {
        if (steps.isEmpty()) {
            return "";
        }
        StepTable whole = of(steps);
        StepTable table =
                new StepTable(whole.figures(), whole.rows().stream().limit(most).toList());
        StringBuilder text = new StringBuilder();
        List<String> left = new ArrayList<>(table.figures());
        do {
            table.append(text.append('\n'), table.takeFitting(left));
        } while (!left.isEmpty() && most == Integer.MAX_VALUE);
        int leftOut = whole.rows().size() - table.rows().size();
        text.append("medians over equal steps")
                .append(leftOut > 0 ? more(leftOut, "step") : "")
                .append(left.isEmpty() ? "" : more(left.size(), "figure"))
                .append('\n');
        appendFailures(text, steps);
        return text.append('\n').toString();
    }

    private static String more(int number, String what) {
        return "; " + number + " more " + what + (number == 1 ? " is" : "s are") + " in the report";
    }

    /** Why steps failed, in a line each. */
    static void appendFailures(StringBuilder text, List<StepRecord> steps) {
        steps.stream()
                .filter(StepRecord::failed)
                .map(step -> "  " + step.name() + " failed: " + step.facts().get(StepRecord.ERROR) + "\n")
                .distinct()
                .forEach(text::append);
    }

    private List<String> takeFitting(List<String> left) {
        List<String> fitting = new ArrayList<>();
        int width = nameWidth() + 14;
        while (!left.isEmpty() && (fitting.isEmpty() || width + 1 + width(left.get(0)) <= WIDTH)) {
            width += 1 + width(left.get(0));
            fitting.add(left.remove(0));
        }
        return fitting;
    }

    private void append(StringBuilder text, List<String> some) {
        String name = "%-" + nameWidth() + "s";
        text.append(String.format(Locale.ROOT, name + " %5s %7s", "step", "done", "failed"));
        some.forEach(figure -> text.append(padded(title(figure), figure)));
        text.append('\n');
        for (Row row : rows) {
            text.append(String.format(Locale.ROOT, name + " %5d %7d", row.name(), row.done(), row.failed()));
            some.forEach(figure -> text.append(padded(row.shown(figure), figure)));
            text.append('\n');
        }
    }

    private int nameWidth() {
        return Math.max(
                NAME_WIDTH,
                rows.stream().mapToInt(row -> row.name().length()).max().orElse(0));
    }

    private static int width(String figure) {
        return Math.max(LEAST_WIDTH, title(figure).length());
    }

    private static String padded(String cell, String figure) {
        return String.format(Locale.ROOT, " %" + width(figure) + "s", cell);
    }
}
