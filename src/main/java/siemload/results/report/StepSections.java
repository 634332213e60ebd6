package siemload.results.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;
import siemload.results.StepRecord;
import siemload.results.report.Report.Chart;
import siemload.results.report.Report.Fold;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.statistics.Median;

/** What is told of the steps of a procedure, whatever they did. Stateless. */
final class StepSections {
    private static final String MICROS = "Micros";
    /** More kinds of steps no chart has room for. */
    private static final int MOST_CHARTED = 20;

    private StepSections() {}

    static void add(Report report, List<StepRecord> steps) {
        report.section("steps", "Steps")
                .add(Level.SUMMARY, medians(steps), failures(steps))
                .add(Level.PAGE, new Chart("steps"), eachStep(steps));
    }

    private static Lines failures(List<StepRecord> steps) {
        return new Lines(
                "What failed",
                "failures",
                steps.stream()
                        .filter(StepRecord::failed)
                        .map(step -> new Line(
                                "  " + step.name()
                                        + Optional.ofNullable(step.facts().get("server"))
                                                .map(server -> " on server " + server)
                                                .orElse("")
                                        + " failed",
                                step.facts().getOrDefault(StepRecord.ERROR, "")))
                        .distinct()
                        .toList());
    }

    private static Map<String, List<StepRecord>> byName(List<StepRecord> steps) {
        Map<String, List<StepRecord>> groups = new LinkedHashMap<>();
        steps.forEach(step ->
                groups.computeIfAbsent(step.name(), unused -> new ArrayList<>()).add(step));
        return groups;
    }

    private static DoubleStream values(Collection<StepRecord> steps, String figure) {
        return steps.stream()
                .map(step -> Optional.ofNullable(step.figures().get(figure)))
                .flatMap(Optional::stream)
                .mapToDouble(value -> figure.endsWith(MICROS) ? value / 1000 : value);
    }

    private static OptionalDouble median(List<StepRecord> steps, String figure) {
        double[] values = values(steps, figure).toArray();
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
    }

    /** The names of all figures of some steps, times first. */
    private static List<String> figures(List<StepRecord> steps) {
        Set<String> times = new LinkedHashSet<>();
        Set<String> others = new LinkedHashSet<>();
        steps.forEach(step -> step.figures()
                .keySet()
                .forEach(figure -> (figure.endsWith(MICROS) || figure.equals("seconds") ? times : others).add(figure)));
        times.addAll(others);
        return List.copyOf(times);
    }

    /** How a figure is called: {@code last event ms}, {@code rows}. */
    private static String title(String figure) {
        return figure.replaceFirst(MICROS + "$", "Ms")
                .replaceAll("[A-Z]", " $0")
                .toLowerCase(Locale.ROOT);
    }

    private static String amount(String figure, OptionalDouble value) {
        if (value.isEmpty()) {
            return "";
        }
        double number = value.getAsDouble();
        boolean whole = number == Math.rint(number) && !figure.endsWith(MICROS);
        return Amounts.digits(whole || Math.abs(number) >= 1000 ? 0 : Math.abs(number) >= 100 ? 1 : 2, number);
    }

    private static Table medians(List<StepRecord> steps) {
        List<String> figures = figures(steps);
        Table table = Table.titled("step", "done", "failed").of("steps").note("medians over equal steps");
        figures.forEach(figure -> table.column(title(figure)));
        double[] weight = {0};
        byName(steps).forEach((name, same) -> {
            long failed = same.stream().filter(StepRecord::failed).count();
            table.weighted(
                    weight[0]--,
                    name,
                    same.size() - failed,
                    failed,
                    figures.stream()
                            .map(figure -> amount(figure, median(same, figure)))
                            .toList());
        });
        return table;
    }

    private static Fold eachStep(List<StepRecord> steps) {
        List<String> facts = steps.stream()
                .flatMap(step -> step.facts().keySet().stream())
                .distinct()
                .toList();
        List<String> figures = figures(steps);
        Table table = Table.titled("step");
        facts.forEach(fact -> table.leftColumn(fact));
        figures.forEach(figure -> table.column(title(figure)));
        steps.forEach(step -> table.row(
                step.name(),
                facts.stream().map(fact -> step.facts().getOrDefault(fact, "")).toList(),
                figures.stream()
                        .map(figure -> amount(figure, median(List.of(step), figure)))
                        .toList()));
        return new Fold("Each step (" + steps.size() + ")", List.of(table));
    }

    /** Figures of steps as a chart of the page takes them: name, title and the values of each kind of step. */
    static List<Map<String, Object>> charted(List<StepRecord> steps) {
        return figures(steps).stream()
                .map(figure -> Map.<String, Object>of(
                        "figure",
                        figure,
                        "title",
                        title(figure),
                        "rows",
                        byName(steps).entrySet().stream()
                                .limit(MOST_CHARTED)
                                .map(kind -> Map.of(
                                        "name",
                                        kind.getKey(),
                                        "values",
                                        values(kind.getValue(), figure).boxed().toList(),
                                        "median",
                                        median(kind.getValue(), figure).orElse(0)))
                                .toList()))
                .toList();
    }
}
