package siemload.results.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import siemload.results.StepRecord;
import siemload.results.report.Table.Side;

/**
 * The jobs of a procedure by the number of their items, a row for each: of several jobs with as many items the median, and of
 * their throughput the highest and the average. Stateless and thread-safe.
 */
final class JobTable {
    private static final List<String> TITLES = List.of(
            "items",
            "jobs",
            "seconds",
            "ramp-up",
            "steady",
            "tail",
            "highest",
            "average",
            "steady/min",
            "Little/min",
            "p50 ms",
            "p95 ms",
            "at once");
    /** What the titles say, in two lines. */
    static final List<String> LEGEND = List.of(
            "items a minute: highest and average of the jobs, in the steady part, by Little's law (at once / time of one)",
            "seconds of a job; steady: from when all places are taken until the last item is started; p50, p95: of an item");

    private JobTable() {}

    /** Those of these steps that are jobs. */
    static List<StepRecord> jobs(List<StepRecord> steps) {
        return steps.stream().filter(JobTable::isJob).toList();
    }

    /** Those that are none. */
    static List<StepRecord> others(List<StepRecord> steps) {
        return steps.stream().filter(step -> !isJob(step)).toList();
    }

    private static boolean isJob(StepRecord step) {
        return step.facts().containsKey("job");
    }

    /** The titles, and then a row for each number of items. */
    static List<List<String>> rows(List<StepRecord> steps) {
        Map<String, List<StepRecord>> byLevel = new LinkedHashMap<>();
        jobs(steps)
                .forEach(step -> byLevel.computeIfAbsent(
                                step.facts().getOrDefault("level", ""), unused -> new ArrayList<>())
                        .add(step));
        List<List<String>> rows = new ArrayList<>(List.of(TITLES));
        byLevel.forEach((level, same) -> rows.add(row(level, same)));
        return rows;
    }

    private static List<String> row(String level, List<StepRecord> same) {
        return List.of(
                level,
                String.valueOf(same.stream().filter(step -> !step.failed()).count()),
                shown("%.2f", median(same, "seconds")),
                shown("%.2f", median(same, "rampUpSeconds")),
                shown("%.2f", median(same, "steadySeconds")),
                shown("%.2f", median(same, "tailSeconds")),
                shown("%.2f", values(same, "itemsPerMinute").max()),
                shown("%.2f", values(same, "itemsPerMinute").average()),
                shown("%.2f", median(same, "steadyItemsPerMinute")),
                shown("%.2f", median(same, "littleItemsPerMinute")),
                shown("%.1f", millis(same, "itemP50Micros")),
                shown("%.1f", millis(same, "itemP95Micros")),
                shown("%.0f", values(same, "mostInFlight").max()));
    }

    private static DoubleStream values(List<StepRecord> same, String figure) {
        return same.stream()
                .filter(step -> step.figures().containsKey(figure))
                .mapToDouble(step -> step.figures().getOrDefault(figure, 0.0));
    }

    private static OptionalDouble median(List<StepRecord> same, String figure) {
        double[] values = values(same, figure).toArray();
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(StepTable.median(values));
    }

    private static OptionalDouble millis(List<StepRecord> same, String figure) {
        OptionalDouble micros = median(same, figure);
        return micros.isPresent() ? OptionalDouble.of(micros.getAsDouble() / 1000) : micros;
    }

    /** A dash where a job was too short to have such a thing. */
    private static String shown(String format, OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }

    /** The table for a terminal, and why jobs failed; empty without jobs. */
    static String text(List<StepRecord> steps) {
        if (jobs(steps).isEmpty()) {
            return "";
        }
        List<Side> sides = TITLES.stream().map(unused -> Side.RIGHT).toList();
        StringBuilder text = new StringBuilder("\n");
        text.append(Table.of(sides, rows(steps))).append('\n');
        LEGEND.forEach(line -> text.append(line).append('\n'));
        StepTable.appendFailures(text, jobs(steps));
        return text.append('\n').toString();
    }
}
