package siemload.results.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.results.StepRecord;
import siemload.results.statistics.Median;

/** What is told of the steps of a procedure, whatever they did. Stateless. */
final class StepSections {
    private static final String MICROS = "Micros";
    /** More kinds of steps no chart has room for. */
    private static final int MOST_CHARTED = 20;

    private StepSections() {}

    private static Map<String, List<StepRecord>> byName(List<StepRecord> steps) {
        return steps.stream().collect(Collectors.groupingBy(StepRecord::name, LinkedHashMap::new, Collectors.toList()));
    }

    private static List<Double> values(Collection<StepRecord> steps, String figure) {
        return steps.stream()
                .filter(step -> step.figures().containsKey(figure))
                .map(step -> step.figures().getOrDefault(figure, 0.0) / (figure.endsWith(MICROS) ? 1000 : 1))
                .toList();
    }

    private static OptionalDouble median(List<StepRecord> steps, String figure) {
        List<Double> values = values(steps, figure);
        return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
    }

    /** The names of all figures of some steps, times first. */
    private static List<String> figures(List<StepRecord> steps) {
        return steps.stream()
                .flatMap(step -> step.figures().keySet().stream())
                .distinct()
                .sorted(Comparator.comparing(figure -> !figure.endsWith(MICROS) && !figure.equals("seconds")))
                .toList();
    }

    /** How a figure is called: {@code last event ms}, {@code rows}. */
    private static String title(String figure) {
        return figure.replaceFirst(MICROS + "$", "Ms")
                .replaceAll("[A-Z]", " $0")
                .toLowerCase(Locale.ROOT);
    }

    /** The medians of equal steps, or what one of them has; empty texts where there are none. */
    private static List<String> amounts(List<String> figures, List<StepRecord> same) {
        return figures.stream()
                .map(figure -> {
                    OptionalDouble median = median(same, figure);
                    double number = median.orElse(0);
                    boolean whole = number == Math.rint(number) && !figure.endsWith(MICROS);
                    int digits = whole || Math.abs(number) >= 1000 ? 0 : Math.abs(number) >= 100 ? 1 : 2;
                    return median.isPresent() ? Amounts.digits(digits, number) : "";
                })
                .toList();
    }

    /** A row for equal steps, with the medians of their figures. */
    static Table medians(List<StepRecord> steps) {
        List<String> figures = figures(steps);
        Table table = table(Stream.of("step", "done", "failed"), figures).of("steps").note("medians over equal steps");
        byName(steps).forEach((name, same) -> {
            long failed = same.stream().filter(StepRecord::failed).count();
            table.row(name, same.size() - failed, failed, amounts(figures, same));
        });
        return table;
    }

    /** A row for each, with its facts. */
    static Table each(List<StepRecord> steps) {
        List<String> facts = steps.stream()
                .flatMap(step -> step.facts().keySet().stream())
                .distinct()
                .toList();
        List<String> figures = figures(steps);
        Table table = table(Stream.concat(Stream.of("step"), facts.stream().map(fact -> "<" + fact)), figures);
        steps.forEach(step -> table.row(
                step.name(),
                facts.stream().map(fact -> step.facts().getOrDefault(fact, "")).toList(),
                amounts(figures, List.of(step))));
        return table;
    }

    private static Table table(Stream<String> titles, List<String> figures) {
        return Table.titled(Stream.concat(titles, figures.stream().map(StepSections::title)).toArray(String[]::new));
    }

    /** Figures of steps as a chart of the page takes them: name, title and the values of each kind of step. */
    static List<Map<String, Object>> charted(List<StepRecord> steps) {
        return figures(steps).stream()
                .map(figure ->
                        Map.<String, Object>of("figure", figure, "title", title(figure), "rows", rows(steps, figure)))
                .toList();
    }

    private static List<Object> rows(List<StepRecord> steps, String figure) {
        List<Object> rows = new ArrayList<>();
        byName(steps).entrySet().stream().limit(MOST_CHARTED).forEach(kind -> {
            double median = median(kind.getValue(), figure).orElse(0);
            rows.add(Map.of("name", kind.getKey(), "values", values(kind.getValue(), figure), "median", median));
        });
        return rows;
    }
}
