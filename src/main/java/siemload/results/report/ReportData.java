package siemload.results.report;

import static siemload.results.report.TimeAxis.Series.Kind.HIGHEST;
import static siemload.results.report.TimeAxis.Series.Kind.MEAN;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.PercentileIterator;
import siemload.results.BrokenFileException;
import siemload.results.LoggedInterval;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.TableReader;
import siemload.results.TimeMetric;
import siemload.results.report.TimeAxis.Series;

/**
 * What the charts of report.html are drawn from, as one JSON object: run.json whole, and the other files reduced to what a chart can
 * show. A part whose file is missing or broken is left out, and says why under {@code notes}. Used by one thread.
 */
final class ReportData {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** Columns of which a point has the highest, and not the mean. */
    private static final Set<String> LEVELS = Set.of("running", "eventsBehind", "p50Micros", "p99Micros", "maxMicros");

    private static final String NOT_THERE = "this run has no ";
    private static final int LONGEST_PLAN = 100_000;
    private static final int LARGEST_PLAN = 8 << 20;

    private final Path directory;
    private final RunResult run;
    private final TimeAxis axis;
    private final ObjectNode data = JSON.objectNode();
    private final Map<String, String> notes = new TreeMap<>();
    /** Characters that all plans may take of a report together; the files have the rest. */
    private int roomForPlans = 2_000_000;

    private ReportData(Path directory, RunResult run) {
        this.directory = directory;
        this.run = run;
        this.axis = axis();
    }

    /** The object, and why parts of it are not there although their files are. */
    record Result(ObjectNode json, List<String> broken) {}

    static Result of(Path directory, RunResult run) {
        ReportData report = new ReportData(directory, run);
        report.collect();
        report.data.set("notes", ResultValue.tree(report.notes));
        return new Result(
                report.data,
                report.notes.values().stream()
                        .filter(note -> !note.startsWith(NOT_THERE))
                        .distinct()
                        .sorted()
                        .toList());
    }

    private void collect() {
        data.set("run", ResultValue.tree(run));
        data.set("axis", ResultValue.tree(axis));
        // The last row ends a part of a second only, so that it has levels but no rates.
        series(
                "load",
                RunFile.TIMELINE,
                "",
                (row, column) -> LEVELS.contains(column) || !row.text("phase").equals("end"),
                "finished failed eventsAcknowledged eventsDue running eventsBehind");
        part("latency", RunFile.RESPONSE_TIME.fileName(), () -> {
            LatencyLog log = new LatencyLog(TimeMetric.RESPONSE_TIME);
            data.set("response", log.spectrum());
            return log.overTime();
        });
        part("firstEvent", RunFile.FIRST_EVENT.fileName(), () -> new LatencyLog(TimeMetric.FIRST_EVENT).spectrum());
        part("lastEvent", RunFile.SERVICE_TIME.fileName(), () -> new LatencyLog(TimeMetric.SERVICE_TIME).spectrum());
        if (Files.exists(RunFile.TRANSACTIONS.in(directory))) {
            series(
                    "transactions",
                    RunFile.TRANSACTIONS,
                    "",
                    (row, column) -> !LEVELS.contains(column) || row.number("transactions") > 0,
                    "transactions conflicts p50Micros p99Micros maxMicros");
        }
        all("hosts", RunFile.HOST, "host");
        all("disks", RunFile.DISKS, "host device");
        all("io", RunFile.DATABASE_IO, "category");
        if (Files.exists(RunFile.DATABASE_COUNTERS.in(directory))) {
            Shown checkpoints = (row, column) -> row.text("name").equals("checkpoints.completed");
            series("checkpoints", RunFile.DATABASE_COUNTERS, "", checkpoints, "value");
        }
        data.set("steps", ResultValue.tree(StepSections.charted(run.steps())));
        data.set("plans", plans());
        String environment = RunFile.ENVIRONMENT.fileName();
        part(
                "environment",
                environment,
                () -> document(directory.resolve(environment), "sections").path("sections"));
        // The machine's own figures lie beside its runs.
        part("selftest", "selftest.json", () -> document(directory.resolveSibling("selftest.json"), "checks"));
    }

    /** Reads a part of a report. */
    @FunctionalInterface
    private interface Part {
        JsonNode read() throws IOException;
    }

    private void part(String name, String file, Part part) {
        try {
            data.set(name, part.read());
        } catch (IOException unreadable) {
            notes.put(name, reason(file, unreadable));
        }
    }

    /** Why a file of a run could not be shown, in one line. */
    private static String reason(String name, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return NOT_THERE + name;
        }
        return failure instanceof BrokenFileException
                ? String.valueOf(failure.getMessage())
                : name + " cannot be read: " + failure;
    }

    private static JsonNode document(Path file, String wanted) throws IOException {
        String name = String.valueOf(file.getFileName());
        JsonNode node = ResultValue.tree(name, ResultText.of(file, name));
        if (!node.path(wanted).isContainerNode()) {
            throw new BrokenFileException(name + ": has no " + wanted);
        }
        return node;
    }

    // ---- second by second

    /** From the warm-up to the end; without a timeline the measured phase alone is known. */
    private TimeAxis axis() {
        long[] range = {Long.MAX_VALUE, Long.MIN_VALUE};
        try {
            TableReader.read(directory, RunFile.TIMELINE, row -> {
                range[0] = Math.min(range[0], TimeAxis.wholeSecond(row.second()));
                range[1] = Math.max(range[1], TimeAxis.wholeSecond(row.second()));
            });
        } catch (IOException unreadable) {
            range[0] = Long.MAX_VALUE;
        }
        return range[0] > range[1]
                ? TimeAxis.of(0, (long) Math.ceil(run.identity().measuredSeconds()))
                : TimeAxis.of(range[0], range[1]);
    }

    /** Which cells of a table are shown. */
    @FunctionalInterface
    private interface Shown {
        boolean of(TableReader.Row row, String column) throws BrokenFileException;
    }

    /** Columns of a table as series, in parts by what other columns name. */
    private void series(String part, RunFile file, String by, Shown shown, String columns) {
        List<String> names = words(by);
        part(part, file.fileName(), () -> {
            Map<List<String>, Series> series = new LinkedHashMap<>();
            TableReader.read(directory, file, row -> {
                for (String column : words(columns)) {
                    if (shown.of(row, column)) {
                        List<String> path = Stream.concat(names.stream().map(row::text), Stream.of(column))
                                .toList();
                        series.computeIfAbsent(
                                        path, unused -> new Series(axis, LEVELS.contains(column) ? HIGHEST : MEAN))
                                .add(row.second(), row.number(column));
                    }
                }
            });
            ObjectNode json = JSON.objectNode();
            series.forEach((path, values) -> {
                ObjectNode place = json;
                for (String name : path.subList(0, names.size())) {
                    place = place.withObjectProperty(name);
                }
                place.set(path.get(names.size()), values.toJson());
            });
            return json;
        });
    }

    private void all(String name, RunFile file, String by) {
        List<String> columns = file.columns();
        String others = String.join(" ", columns.subList(1 + words(by).size(), columns.size()));
        series(name, file, by, (row, column) -> true, others);
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }

    // ---- response times

    /**
     * One {@code .hlog} of a run, its intervals merged by search, whatever page class and order, and all together under
     * {@value #ALL}, without exact counts, which are no pages: over the whole phase, and over each point of the axis. Times are
     * microseconds. Only one point is held in memory at a time.
     */
    private final class LatencyLog {
        static final String ALL = "all";
        private static final int SIGNIFICANT_DIGITS = 3;
        private static final int STEPS_PER_HALVING = 5;
        private static final Map<String, Double> PERCENTILES = Map.of("p50", 50.0, "p95", 95.0, "max", 100.0);

        private final SortedMap<String, Times> searches = new TreeMap<>();
        private int point = -1;

        /** What one search took. */
        private static final class Times {
            final Histogram whole = new Histogram(SIGNIFICANT_DIGITS);
            final Histogram point = new Histogram(SIGNIFICANT_DIGITS);
            final Map<String, Series> percentiles = new TreeMap<>();
        }

        LatencyLog(TimeMetric metric) throws IOException {
            LoggedInterval.read(directory, metric, this::add);
            endPoint();
        }

        private void add(LoggedInterval interval) {
            int index = axis.indexOf(interval.endSecond());
            if (index != point) {
                endPoint();
                point = index;
            }
            if (!interval.isOfExactCounts()) {
                for (String name : interval.search().isEmpty() ? List.of(ALL) : List.of(interval.search(), ALL)) {
                    Times sum = searches.computeIfAbsent(name, unused -> new Times());
                    sum.whole.add(interval.times());
                    sum.point.add(interval.times());
                }
            }
        }

        private void endPoint() {
            for (Times times : searches.values()) {
                PERCENTILES.forEach((name, percentile) -> {
                    Series series = times.percentiles.computeIfAbsent(name, unused -> new Series(axis, HIGHEST));
                    if (times.point.getTotalCount() > 0 && axis.holds(point)) {
                        series.put(point, (double) times.point.getValueAtPercentile(percentile));
                    }
                });
                times.point.reset();
            }
        }

        /** For each search its p50, p95 and highest over time. */
        ObjectNode overTime() {
            ObjectNode json = JSON.objectNode();
            searches.forEach((name, times) -> {
                ObjectNode search = json.putObject(name);
                times.percentiles.forEach((percentile, series) -> search.set(percentile, series.toJson()));
            });
            return json;
        }

        /**
         * For each search how often a time is exceeded, with as many points for the tail as for the middle: pairs of 1/(1-p), for p the share of
         * times at or below, and the time. The highest time has no such number, and stands at the count.
         */
        ObjectNode spectrum() {
            ObjectNode json = JSON.objectNode();
            searches.forEach((name, times) -> {
                ArrayNode points = json.putArray(name);
                double count = times.whole.getTotalCount();
                PercentileIterator steps = new PercentileIterator(times.whole, STEPS_PER_HALVING);
                while (steps.hasNext()) {
                    HistogramIterationValue step = steps.next();
                    double below = step.getTotalCountToThisValue() / count;
                    double rarity = below >= 1 ? count : Math.min(count, 1 / (1 - below));
                    points.addArray().add((float) rarity).add(step.getValueIteratedTo());
                }
            });
            return json;
        }
    }

    // ---- plans

    /** The plans of run.json by their files; {@code atEnd} in one is the other plan after the load. */
    private ObjectNode plans() {
        ObjectNode pages = JSON.objectNode();
        for (PlanRecord plan : run.plans()) {
            if (!plan.file().isEmpty()) {
                ObjectNode page = pages.putObject(plan.file());
                addPlan(page, plan.file());
                if (plan.changed()) {
                    addPlan(page.putObject("atEnd"), plan.file().replaceFirst("(\\.[a-z]+)$", "-at-end$1"));
                }
            }
        }
        return pages;
    }

    /** The text of a plan, or why there is none. Links lead out of the run at any part of a path. */
    private void addPlan(ObjectNode page, String name) {
        try {
            Path file = ResultValue.below(directory, name, RunFile.RUN.fileName());
            if (Files.exists(file) && !file.toRealPath().startsWith(directory.toRealPath())) {
                throw new BrokenFileException(name + ": not a file of this run");
            }
            String whole = ResultText.of(file, name, LARGEST_PLAN);
            // Without blanks it takes half the room.
            String text = name.endsWith(".json") ? ResultValue.tree(name, whole).toString() : whole;
            int length = Math.min(text.length(), Math.min(LONGEST_PLAN, roomForPlans));
            roomForPlans -= length;
            page.put(
                    "text",
                    length == text.length() ? text : text.substring(0, length) + "\n... the whole is in " + name);
        } catch (IOException unreadable) {
            page.put("note", reason(name, unreadable));
        }
    }
}
