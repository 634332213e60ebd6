package siemload.results.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import siemload.results.StepRecord;
import siemload.results.report.Report.Chart;
import siemload.results.report.Report.Fold;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.statistics.Median;

/** What is told of the steps of a procedure: of jobs, of servers, and of all others. Stateless. */
final class StepSections {
    private static final String MICROS = "Micros";
    private static final String JOB = "job";
    private static final String LOAD = "load";
    private static final String CLASS = "class";
    private static final String MISSING = "missing";

    private StepSections() {}

    /** Those of these steps that are jobs. */
    static List<StepRecord> jobs(List<StepRecord> steps) {
        return steps.stream().filter(step -> step.facts().containsKey(JOB)).toList();
    }

    static void add(Report report, List<StepRecord> steps) {
        List<StepRecord> jobs = jobs(steps);
        List<StepRecord> others =
                steps.stream().filter(step -> !step.facts().containsKey(JOB)).toList();
        Table servers = servers(steps);
        boolean special = !jobs.isEmpty() || !servers.isEmpty();
        report.section(jobs.isEmpty() ? "steps" : "jobs", jobs.isEmpty() ? "Steps" : "Jobs");
        report.add(Level.SUMMARY, jobTable(jobs));
        report.add(Level.TEXT, machineTable(jobs));
        if (!jobs.isEmpty()) {
            report.add(Level.PAGE, new Chart("jobs", ""));
        }
        report.add(Level.SUMMARY, servers);
        report.add(special ? Level.TEXT : Level.SUMMARY, medians(others));
        report.add(Level.SUMMARY, failures(steps));
        if (!others.isEmpty()) {
            report.add(Level.PAGE, new Chart("steps", ""));
        }
        report.add(Level.PAGE, eachStep(steps));
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

    private static Map<String, List<StepRecord>> grouped(List<StepRecord> steps, Function<StepRecord, String> by) {
        Map<String, List<StepRecord>> groups = new LinkedHashMap<>();
        steps.forEach(step -> groups.computeIfAbsent(by.apply(step), unused -> new ArrayList<>())
                .add(step));
        return groups;
    }

    private static DoubleStream values(Collection<StepRecord> steps, String figure) {
        return steps.stream()
                .map(step -> Optional.ofNullable(step.figures().get(figure)))
                .flatMap(Optional::stream)
                .mapToDouble(value -> figure.endsWith(MICROS) ? value / 1000 : value);
    }

    private static OptionalDouble median(DoubleStream some) {
        double[] values = some.toArray();
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
    }

    private static String shown(OptionalDouble value, int digits) {
        return value.isPresent() ? Amounts.digits(digits, value.getAsDouble()) : Amounts.NONE;
    }

    private static String median(List<StepRecord> steps, String figure, int digits) {
        return shown(median(values(steps, figure)), digits);
    }

    /** The jobs by the number of their items. */
    private static Table jobTable(List<StepRecord> jobs) {
        Table table = Table.titled(
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
                        "at once")
                .intro(
                        jobs.isEmpty()
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "Each job was submitted at once; %s items are worked on at a time on each of"
                                                + " %s servers.",
                                        jobs.get(0).facts().getOrDefault("inFlight", "1"),
                                        jobs.get(0).facts().getOrDefault("servers", "1")))
                .note("items a minute: highest and average of the jobs, in the steady part, by Little's law (at once"
                        + " / time of one)\n"
                        + "seconds of a job; steady: from when all places are taken until the last item is"
                        + " started; p50, p95: of an item");
        grouped(jobs, step -> step.facts().getOrDefault("level", "")).forEach((level, same) -> {
            OptionalDouble steady = median(values(same, "steadyItemsPerMinute"));
            OptionalDouble little = median(values(same, "littleItemsPerMinute"));
            boolean off = Math.abs(steady.orElse(1) / little.orElse(steady.orElse(1)) - 1) > 0.02;
            table.row(
                    level,
                    same.stream().filter(step -> !step.failed()).count(),
                    median(same, "seconds", 2),
                    median(same, "rampUpSeconds", 2),
                    median(same, "steadySeconds", 2),
                    median(same, "tailSeconds", 2),
                    shown(values(same, "itemsPerMinute").max(), 2),
                    shown(values(same, "itemsPerMinute").average(), 2),
                    shown(steady, 2),
                    new Table.Cell(shown(little, 2), "", off ? "bad" : ""),
                    median(same, "itemP50Micros", 1),
                    median(same, "itemP95Micros", 1),
                    shown(values(same, "mostInFlight").max(), 0));
        });
        return table;
    }

    private static Table machineTable(List<StepRecord> jobs) {
        Table table = Table.titled(
                        "items, and the machine",
                        "CPU database %",
                        "CPU all %",
                        "CPU s database",
                        "for each server",
                        "network MB")
                .note("medians; CPU seconds of the database's processes in all, and for each server; network:"
                        + " without what stays on the machine");
        grouped(jobs, step -> step.facts().getOrDefault("level", "")).forEach((level, same) -> {
            if (values(same, "databaseCpuRatio").findAny().isPresent()) {
                table.row(
                        level,
                        shown(median(values(same, "databaseCpuRatio").map(ratio -> 100 * ratio)), 1),
                        shown(median(values(same, "hostCpuRatio").map(ratio -> 100 * ratio)), 1),
                        median(same, "databaseCpuSeconds", 1),
                        median(same, "databaseCpuSecondsPerServer", 1),
                        shown(median(values(same, "networkBytes").map(bytes -> bytes / 1e6)), 2));
            }
        });
        return table;
    }

    /** A column of the servers: a mean over equal steps, in seconds where the figure is a time. */
    private record Column(String title, String step, String figure, int digits) {
        OptionalDouble of(List<StepRecord> steps, int server) {
            List<StepRecord> own = steps.stream()
                    .filter(one -> one.name().equals(step)
                            && one.facts().getOrDefault("server", "1").equals(String.valueOf(server)))
                    .toList();
            boolean whole = own.stream().allMatch(one -> one.figures().containsKey(figure));
            return whole
                    ? values(own, figure)
                            .map(value -> figure.endsWith(MICROS) ? value / 1000 : value)
                            .average()
                    : OptionalDouble.empty();
        }

        String shown(OptionalDouble value) {
            return value.isPresent() ? Amounts.digits(digits, value.getAsDouble()) : MISSING;
        }

        /** Times have none. */
        String sum(List<OptionalDouble> values) {
            return figure.endsWith(MICROS)
                    ? Amounts.NONE
                    : values.stream().allMatch(OptionalDouble::isPresent)
                            ? shown(OptionalDouble.of(values.stream()
                                    .mapToDouble(OptionalDouble::getAsDouble)
                                    .sum()))
                            : MISSING;
        }

        String average(List<OptionalDouble> values) {
            double[] known = values.stream()
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .toArray();
            return shown(Arrays.stream(known).average())
                    + (known.length == 0 || known.length == values.size()
                            ? ""
                            : " (" + known.length + " of " + values.size() + ")");
        }
    }

    /** What servers did that took a data set, and were searched then. */
    private static Table servers(List<StepRecord> steps) {
        boolean searched = steps.stream().anyMatch(step -> step.facts().containsKey(CLASS));
        int servers = steps.stream()
                .filter(step -> step.name().equals(LOAD))
                .mapToInt(step -> Integer.parseInt(step.facts().getOrDefault("servers", searched ? "1" : "0")))
                .max()
                .orElse(0);
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("KB/s", LOAD, "kilobytesPerSecond", 1));
        columns.add(new Column("EPS", LOAD, "eventsPerSecond", 0));
        steps.stream()
                .flatMap(step -> Stream.ofNullable(step.facts().get(CLASS)))
                .distinct()
                .forEach(one -> {
                    columns.add(new Column(one + " TFE", one, "firstEventMicros", 4));
                    columns.add(new Column("TTS", one, "lastEventMicros", 4));
                });
        Table table = Table.titled("server")
                .note("KB/s: 1,000 bytes of raw events (IDEA JSON, as fed) a second; EPS: events a second; both"
                        + " until all were durable\n"
                        + "TFE, TTS: seconds from sending a search to its first and its last event, means over its"
                        + " passes; by classes of matches");
        columns.forEach(column -> table.column(column.title));
        Map<Column, List<OptionalDouble>> all = new LinkedHashMap<>();
        columns.forEach(column -> all.put(column, new ArrayList<>()));
        for (int server = 1; server <= servers; server++) {
            int own = server;
            all.forEach((column, values) -> values.add(column.of(steps, own)));
            table.row(
                    server,
                    columns.stream()
                            .map(column -> column.shown(column.of(steps, own)))
                            .toList());
        }
        if (servers > 0) {
            List<String> sums = new ArrayList<>();
            List<String> averages = new ArrayList<>();
            all.forEach((column, values) -> {
                sums.add(column.sum(values));
                averages.add(column.average(values));
            });
            table.row("Sum", sums).total().row("Average", averages).total();
        }
        return table;
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
        grouped(steps, StepRecord::name).forEach((name, same) -> {
            long failed = same.stream().filter(StepRecord::failed).count();
            table.weighted(
                    weight[0]--,
                    name,
                    same.size() - failed,
                    failed,
                    figures.stream()
                            .map(figure -> amount(figure, median(values(same, figure))))
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
                        .map(figure ->
                                amount(figure, values(List.of(step), figure).findFirst()))
                        .toList()));
        return new Fold("Each step (" + steps.size() + ")", List.of(table));
    }

    /** What the server wrote, checkpoint by checkpoint. */
    static Table checkpoints(List<StepRecord> steps) {
        Table table = Table.titled(
                        "checkpoint", "<time", "length s", "after s", "by checkpoint", "by writer", "by sessions")
                .intro("When each was seen to be complete, how long it took, and how long after the one before. Then"
                        + " blocks: those that it wrote, those that the server wrote ahead for whoever needs room,"
                        + " and those that sessions had to write themselves, all since the checkpoint before.");
        steps.stream()
                .filter(step -> step.name().equals("checkpoint") || step.name().equals("after the last checkpoint"))
                .forEach(step -> table.row(
                        step.facts().getOrDefault("number", "since then"),
                        step.facts().getOrDefault("time", "").replace('T', ' ').replace("Z", ""),
                        Stream.of(
                                        "seconds",
                                        "secondsSinceLast",
                                        "blocksByCheckpoint",
                                        "blocksByWriter",
                                        "blocksBySessions")
                                .map(figure -> shown(
                                        values(List.of(step), figure).findFirst(), figure.startsWith("s") ? 1 : 0))
                                .toList()));
        return table;
    }

    /** Figures of steps as a chart of the page takes them: name, title and the values of each kind of step. */
    static List<Map<String, Object>> charted(List<StepRecord> steps) {
        Map<String, List<StepRecord>> kinds = grouped(
                steps.stream().filter(step -> !step.facts().containsKey(JOB)).toList(), StepRecord::name);
        return figures(steps).stream()
                .map(figure -> Map.<String, Object>of(
                        "figure",
                        figure,
                        "title",
                        title(figure),
                        "rows",
                        kinds.entrySet().stream()
                                .limit(20)
                                .map(kind -> Map.of(
                                        "name",
                                        kind.getKey(),
                                        "values",
                                        values(kind.getValue(), figure).boxed().toList(),
                                        "median",
                                        median(values(kind.getValue(), figure)).orElse(0)))
                                .toList()))
                .toList();
    }
}
