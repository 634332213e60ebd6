package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import siemload.database.Plan.PlanTree;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.results.BrokenFileException;
import siemload.results.LoggedInterval;
import siemload.results.LoggedInterval.LatencyLogReader;
import siemload.results.LoggedJob;
import siemload.results.LoggedJob.JobItem;
import siemload.results.ResultText;
import siemload.results.ResultText.ResultLines;
import siemload.results.ResultValue;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.StepRecord;
import siemload.results.TimeMetric;
import siemload.results.statistics.JobCourse;

/**
 * What report.html shows, as one JSON object: run.json whole, and the other files reduced to what a chart can show. A part
 * whose file is missing or broken is left out, and says why under {@code notes}. Used by one thread.
 */
final class ReportData {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    private final RunFiles files;
    private final ObjectNode data = JSON.createObjectNode();
    private final Map<String, String> notes = new TreeMap<>();

    private ReportData(RunFiles files) {
        this.files = files;
    }

    /** The object, and why parts of it are not there. */
    record Result(ObjectNode json, Map<String, String> notes) {
        Result {
            notes = Map.copyOf(notes);
        }
    }

    static Result of(RunFiles files) {
        ReportData report = new ReportData(files);
        report.collect();
        return new Result(report.data, report.notes);
    }

    private void collect() {
        RunResult run = files.run();
        data.set("run", JSON.valueToTree(run));
        data.put("sentence", RunHeadline.of(run));
        data.put("steadyState", SteadyWords.of(run.measured().steadyState()));
        data.set("reservations", JSON.valueToTree(RunHeadline.reservations(run)));
        data.put("but", RunHeadline.but(run));
        data.put("variant", RunHeadline.variant(run));
        GatlingReport.find(files.directory(), run.identity().startedAt()).ifPresent(link -> data.put("gatling", link));
        ActivityFiles activity = new ActivityFiles(files, axis());
        part("load", RunFile.TIMELINE, () -> data.set("load", activity.load()));
        latency(activity.axis());
        if (!run.measured().loads().schedules().isEmpty()) {
            part("ticks", RunFile.TICKS, () -> data.set("ticks", activity.ticks()));
        }
        if (Files.exists(RunFile.TRANSACTIONS.in(files.directory()))) {
            part("transactions", RunFile.TRANSACTIONS, () -> data.set("transactions", activity.transactions()));
        }
        part("host", RunFile.HOST, () -> data.set("host", activity.host()));
        part("disks", RunFile.DISKS, () -> data.set("disks", activity.disks()));
        part("hosts", RunFile.HOSTS, () -> data.set("hosts", activity.hosts()));
        part("cpus", RunFile.CPUS, () -> data.set("cpus", activity.cpus()));
        part("hostDisks", RunFile.HOST_DISKS, () -> data.set("hostDisks", activity.hostDisks()));
        part(
                "storage",
                RunFile.STORAGE,
                () -> data.set("storage", DiskUse.read(files.directory()).toJson()));
        part("io", RunFile.DATABASE_IO, () -> data.set("io", activity.databaseIo()));
        if (Files.exists(RunFile.DATABASE_COUNTERS.in(files.directory()))) {
            part("checkpoints", RunFile.DATABASE_COUNTERS, () -> data.set("checkpoints", activity.checkpoints()));
        }
        if (!run.measured().database().memoryBytesMax().isEmpty()) {
            part(
                    "databaseMemory",
                    RunFile.DATABASE_MEMORY,
                    () -> data.set("databaseMemory", activity.databaseMemory()));
        }
        if (!JobTable.jobs(run.steps()).isEmpty()) {
            part("jobs", RunFile.ITEMS, () -> data.set("jobs", JobPictures.of(files.directory(), run.steps())));
        }
        table("servers", ServerTable.rows(run.steps()), ServerTable.LEGEND);
        table("tiers", TierTable.rows(run.steps()), TierTable.LEGEND);
        data.set("plans", PlanPages.of(run, files.directory()));
        part("environment", RunFile.ENVIRONMENT, () -> data.set("environment", environment()));
        part("selftest", "selftest.json", () -> data.set("selftest", selftest()));
        data.set("notes", JSON.valueToTree(notes));
    }

    /** A table where there is something to tell. */
    private void table(String name, List<List<String>> rows, List<String> legend) {
        if (!rows.isEmpty()) {
            data.putObject(name)
                    .<ObjectNode>set("rows", JSON.valueToTree(rows))
                    .set("legend", JSON.valueToTree(legend));
        }
    }

    /** A part of a report. */
    @FunctionalInterface
    private interface Part {
        void add() throws IOException;
    }

    private void part(String name, RunFile file, Part part) {
        part(name, file.fileName(), part);
    }

    private void part(String name, String file, Part part) {
        try {
            part.add();
        } catch (IOException unreadable) {
            notes.put(name, RunFiles.reason(file, unreadable));
        }
    }

    /** From the warm-up to the end; without a timeline the measured phase alone is known. */
    private TimeAxis axis() {
        try {
            return ActivityFiles.axis(files.directory());
        } catch (IOException unreadable) {
            return TimeAxis.of(0, (long) Math.ceil(files.run().identity().measuredSeconds()));
        }
    }

    private void latency(TimeAxis axis) {
        data.set("axis", axis.toJson());
        data.putObject("spectra");
        part(
                "latency",
                RunFile.RESPONSE_TIME,
                () -> data.set(
                        "latency",
                        add("response", TimeMetric.RESPONSE_TIME, axis).overTime()));
        part("firstEvent", RunFile.FIRST_EVENT, () -> add("firstEvent", TimeMetric.FIRST_EVENT, axis));
        part("lastEvent", RunFile.SERVICE_TIME, () -> add("lastEvent", TimeMetric.SERVICE_TIME, axis));
    }

    private LatencyLog add(String name, TimeMetric metric, TimeAxis axis) throws IOException {
        LatencyLog log = LatencyLog.read(files.directory(), metric, axis);
        data.withObject("/spectra").set(name, log.spectrum());
        return log;
    }

    private ObjectNode environment() throws IOException {
        ObjectNode environment = (ObjectNode) files.json(RunFile.ENVIRONMENT.in(files.directory()));
        if (environment.path("formatVersion").asInt() != 1
                || !environment.path("sections").isObject()) {
            throw new BrokenFileException("environment.json: not of formatVersion 1 with sections");
        }
        return (ObjectNode) environment.path("sections");
    }

    /** The machine's own figures lie beside its runs. */
    private ObjectNode selftest() throws IOException {
        ObjectNode selftest = (ObjectNode) files.json(files.directory().resolveSibling("selftest.json"));
        if (selftest.path("formatVersion").asInt() != 1
                || !selftest.path("checks").isArray()) {
            throw new BrokenFileException("selftest.json: not of formatVersion 1 with checks");
        }
        return selftest;
    }

    /**
     * Finds the report that Gatling wrote of the same run. Nothing names it, but the name of its directory holds the instant
     * at which Gatling started: after the run began, and before its measured phase did. Stateless.
     */
    private static final class GatlingReport {
        private static final Pattern STARTED = Pattern.compile(".*-(\\d{17})");
        private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT);
        private static final String LOG_START = "#[StartTime: ";

        private GatlingReport() {}

        /**
         * The report's first page, as a link from a file of the run's directory; empty where none or several might be meant.
         *
         * @param directory the run's
         * @param startedAt when the run began
         */
        static Optional<String> find(Path directory, Instant startedAt) {
            try {
                Optional<Instant> measuredFrom = measuredFrom(RunFile.RESPONSE_TIME.in(directory));
                if (measuredFrom.isEmpty()) {
                    return Optional.empty();
                }
                List<String> found = new ArrayList<>();
                for (String place : List.of("../gatling", "../../gatling")) {
                    for (String name : reports(directory.resolve(place).normalize())) {
                        if (isBetween(name, startedAt, measuredFrom.get())) {
                            found.add(place + "/" + name + "/index.html");
                        }
                    }
                }
                return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }

        /** Gatling writes its log during the run and the page after it. */
        private static List<String> reports(Path place) throws IOException {
            if (!Files.isDirectory(place)) {
                return List.of();
            }
            try (Stream<Path> reports = Files.list(place)) {
                return reports.filter(report -> Files.exists(report.resolve("index.html"))
                                || Files.exists(report.resolve("simulation.log")))
                        .map(report -> String.valueOf(report.getFileName()))
                        .sorted()
                        .toList();
            }
        }

        private static boolean isBetween(String name, Instant from, Instant until) {
            Matcher stamp = STARTED.matcher(name);
            if (!stamp.matches()) {
                return false;
            }
            try {
                Instant started = LocalDateTime.parse(stamp.group(1), STAMP).toInstant(ZoneOffset.UTC);
                return !started.isBefore(from) && !started.isAfter(until);
            } catch (DateTimeException noInstant) {
                return false;
            }
        }

        private static Optional<Instant> measuredFrom(Path log) throws IOException {
            if (!Files.exists(log)) {
                return Optional.empty();
            }
            try (ResultLines lines = ResultLines.open(log, String.valueOf(log.getFileName()))) {
                for (String line = lines.next().orElse("");
                        line.startsWith("#");
                        line = lines.next().orElse("")) {
                    if (line.startsWith(LOG_START)) {
                        double seconds = Double.parseDouble(
                                line.substring(LOG_START.length(), line.indexOf(' ', LOG_START.length())));
                        return Optional.of(Instant.ofEpochMilli(Math.round(seconds * 1000)));
                    }
                }
                return Optional.empty();
            } catch (NumberFormatException | IndexOutOfBoundsException unclear) {
                return Optional.empty();
            }
        }
    }

    /** The items of each job of a run as a picture can show them, in seconds since the job began. Stateless. */
    private static final class JobPictures {
        /** More bars than that nobody can tell apart. */
        private static final int MOST_BARS = 2_000;

        private static final double MICROS = 1e6;
        private static final double SHOWN = 1e3;

        private JobPictures() {}

        /**
         * Those of a run.
         *
         * @param steps of the run, which say how many items each job may have at work
         * @throws siemload.results.BrokenFileException if items.csv is not of its form
         */
        static ArrayNode of(Path directory, List<StepRecord> steps) throws IOException {
            Map<Integer, StepRecord> byJob = new TreeMap<>();
            JobTable.jobs(steps).forEach(step -> byJob.put(number(step, "job"), step));
            ArrayNode pictures = JsonNodeFactory.instance.arrayNode();
            for (LoggedJob job : LoggedJob.read(directory)) {
                Optional.ofNullable(byJob.get(job.number()))
                        .map(step -> picture(job, number(step, "inFlight"), number(step, "servers")))
                        .ifPresent(pictures::add);
            }
            return pictures;
        }

        private static ObjectNode picture(LoggedJob job, int inFlight, int servers) {
            List<JobItem> byStart = job.items().stream()
                    .sorted(Comparator.comparingLong(JobItem::startedMicros).thenComparing(JobItem::number))
                    .toList();
            JobCourse course = JobCourse.of(byStart, inFlight * servers);
            int every = (byStart.size() + MOST_BARS - 1) / MOST_BARS;
            ObjectNode picture = JsonNodeFactory.instance
                    .objectNode()
                    .put("number", job.number())
                    .put("level", job.level())
                    .put("start", job.startSecond())
                    .put("duration", seconds(course.durationMicros()))
                    .put("full", seconds(course.fullMicros()))
                    .put("lastStart", seconds(course.lastStartMicros()))
                    .put("steady", course.steady().isPresent())
                    .put("slots", inFlight * servers)
                    .put("servers", servers)
                    .put("count", byStart.size())
                    .put("every", every);
            ArrayNode items = picture.putArray("items");
            for (int i = 0; i < byStart.size(); i += every) {
                items.add(bar(byStart.get(i)));
            }
            picture.set("changes", changes(byStart, every));
            return picture;
        }

        private static ArrayNode bar(JobItem item) {
            return JsonNodeFactory.instance
                    .arrayNode()
                    .add(seconds(item.startedMicros()))
                    .add(seconds(item.finishedMicros()))
                    .add(item.slot().server())
                    .add(item.slot().session())
                    .add(item.failed())
                    .add(item.number());
        }

        /** How many items are at work after each start and end; of many changes some. */
        private static ArrayNode changes(List<JobItem> items, int every) {
            Map<Long, Integer> byMicros = new TreeMap<>();
            items.forEach(item -> {
                byMicros.merge(item.startedMicros(), 1, Integer::sum);
                byMicros.merge(item.finishedMicros(), -1, Integer::sum);
            });
            ArrayNode changes = JsonNodeFactory.instance.arrayNode();
            int atWork = 0;
            int number = 0;
            for (Map.Entry<Long, Integer> change : byMicros.entrySet()) {
                atWork += change.getValue();
                if (number++ % every == 0) {
                    changes.addArray().add(seconds(change.getKey())).add(atWork);
                }
            }
            return changes;
        }

        private static int number(StepRecord step, String fact) {
            return Integer.parseInt(step.facts().getOrDefault(fact, "1"));
        }

        /** To the millisecond. */
        private static double seconds(long micros) {
            return Math.round(micros / MICROS * SHOWN) / SHOWN;
        }
    }

    /** The plans of a run, readable: as a tree where the database tells its steps, and as they are where not. Used by one thread. */
    private static final class PlanPages {
        /** What all plans that are no trees may take of a report together; the files have the rest. */
        private static final int TEXT_BUDGET = 800_000;

        private static final int LONGEST_TEXT = 40_000;
        private static final int LARGEST_FILE = 8 << 20;
        private static final int MOST_FILES = 1_000;
        private static final ObjectMapper JSON = new ObjectMapper();

        private final Path directory;
        private final Optional<TargetPlugin> database;
        private int textLeft = TEXT_BUDGET;
        private int filesLeft = MOST_FILES;

        private PlanPages(Path directory, Optional<TargetPlugin> database) {
            this.directory = directory;
            this.database = database;
        }

        /** @param directory the run's */
        static ArrayNode of(RunResult run, Path directory) {
            return new PlanPages(
                            directory,
                            TargetPlugins.find(run.identity().target().id()))
                    .of(run);
        }

        private ArrayNode of(RunResult run) {
            ArrayNode pages = JSON.createArrayNode();
            for (PlanRecord plan : run.plans()) {
                ObjectNode page = pages.addObject();
                page.put("search", plan.kind().label());
                page.put("shape", plan.shape());
                page.put("partitionsRead", plan.partitionsRead());
                page.put("partitions", plan.partitions());
                page.put("failure", plan.failure());
                page.put("changed", plan.changed());
                page.put("shapeAtEnd", plan.shapeAtEnd());
                page.put("file", plan.file());
                if (!plan.file().isEmpty()) {
                    page.set("before", plan(plan.file()));
                }
                if (plan.changed() && !plan.file().isEmpty()) {
                    String atEnd = plan.file().replaceFirst("(\\.[a-z]+)$", "-at-end$1");
                    page.put("fileAtEnd", atEnd);
                    page.set("after", plan(atEnd));
                }
            }
            return pages;
        }

        /** A tree, a text, or why there is neither. */
        private ObjectNode plan(String name) {
            ObjectNode plan = JSON.createObjectNode();
            try {
                String text = text(name);
                JsonNode explained = name.endsWith(".json") ? ResultValue.tree(name, text) : JSON.missingNode();
                Optional<PlanTree> tree = database.flatMap(plugin -> plugin.planTree(explained));
                if (tree.isPresent()) {
                    plan.set("tree", PlanSteps.of(tree.orElseThrow()));
                } else {
                    plan.put("text", shortened(text, name));
                }
                return plan;
            } catch (IOException unreadable) {
                return plan.put("note", RunFiles.reason(name, unreadable));
            }
        }

        /** Links lead out of the run at any part of a path. */
        private String text(String name) throws IOException {
            Path file = ResultPath.below(directory, name, RunFile.RUN.fileName());
            if (filesLeft == 0) {
                throw new BrokenFileException(name + ": this run has more plans than are shown");
            }
            filesLeft--;
            if (Files.exists(file) && !file.toRealPath().startsWith(directory.toRealPath())) {
                throw new BrokenFileException(name + ": not a file of this run");
            }
            return ResultText.of(file, name, LARGEST_FILE);
        }

        private String shortened(String text, String name) {
            int length = Math.min(Math.min(text.length(), LONGEST_TEXT), textLeft);
            textLeft -= length;
            return length == text.length() ? text : text.substring(0, length) + "\n... the whole is in " + name;
        }

        /** The steps of a plan as the page shows them; what is not there is left out. Stateless. */
        private static final class PlanSteps {
            private PlanSteps() {}

            static ObjectNode of(PlanTree plan) {
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                json.put("planningMillis", plan.planningMillis());
                json.put("executionMillis", plan.executionMillis());
                ArrayNode steps = json.putArray("steps");
                plan.steps().forEach(step -> add(step, steps.addObject()));
                return json;
            }

            private static void add(PlanTree.Step step, ObjectNode json) {
                json.put("depth", step.depth());
                json.put("what", step.what());
                step.estimated().ifPresent(rows -> json.put("estimated", rows));
                json.put("loops", step.loops());
                step.millis().ifPresent(millis -> json.put("millis", Series.rounded(millis)));
                step.rows().ifPresent(rows -> json.put("rows", rows));
                step.misestimate().ifPresent(factor -> json.put("misestimate", Series.rounded(factor)));
                putIfAny(json, "hit", step.pages().hit());
                putIfAny(json, "read", step.pages().read());
                putIfAny(json, "temporary", step.pages().temporary());
                ArrayNode details = json.putArray("details");
                step.details()
                        .forEach(detail -> details.addArray().add(detail.name()).add(detail.text()));
            }

            private static void putIfAny(ObjectNode json, String name, long pages) {
                if (pages > 0) {
                    json.put(name, pages);
                }
            }
        }
    }

    /**
     * One {@code .hlog} of a run, its intervals merged by search, whatever page class and order, and all together under
     * {@value #ALL}, without exact counts, which are no pages: over the whole phase, and over each point of a {@link TimeAxis}. Times are microseconds. Only one point
     * is held in memory at a time. Used by one thread.
     */
    private static final class LatencyLog {
        static final String ALL = "all";
        private static final int SIGNIFICANT_DIGITS = 3;
        private static final List<Double> PERCENTILES = List.of(50.0, 95.0, 100.0);

        private final TimeAxis axis;
        private final SortedMap<String, Times> searches = new TreeMap<>();
        private int point = -1;

        private LatencyLog(TimeAxis axis) {
            this.axis = axis;
        }

        /** What one search took. */
        private static final class Times {
            final Histogram whole = new Histogram(SIGNIFICANT_DIGITS);
            final Histogram point = new Histogram(SIGNIFICANT_DIGITS);
            final List<Series> percentiles;

            Times(TimeAxis axis) {
                percentiles = PERCENTILES.stream()
                        .map(percentile -> new Series(axis, Series.Kind.HIGHEST))
                        .toList();
            }

            void endPoint(int index) {
                if (point.getTotalCount() > 0) {
                    for (int i = 0; i < PERCENTILES.size(); i++) {
                        percentiles.get(i).put(index, (double) point.getValueAtPercentile(PERCENTILES.get(i)));
                    }
                    point.reset();
                }
            }
        }

        /**
         * Reads the file.
         *
         * @throws BrokenFileException if a line is not an interval of a histogram log
         */
        static LatencyLog read(Path directory, TimeMetric metric, TimeAxis axis) throws IOException {
            LatencyLog log = new LatencyLog(axis);
            LatencyLogReader.read(directory, metric, log::add);
            log.endPoint();
            return log;
        }

        private void add(LoggedInterval interval) {
            String search = interval.search();
            Histogram times = interval.times();
            int index = axis.indexOf(interval.endSecond());
            if (index != point) {
                endPoint();
                point = index;
            }
            if (interval.isOfExactCounts()) {
                return;
            }
            if (!search.isEmpty()) {
                add(search, times);
            }
            add(ALL, times);
        }

        private void add(String name, Histogram times) {
            Times sum = searches.computeIfAbsent(name, unused -> new Times(axis));
            sum.whole.add(times);
            sum.point.add(times);
        }

        private void endPoint() {
            if (axis.holds(point)) {
                searches.values().forEach(times -> times.endPoint(point));
            } else {
                searches.values().forEach(times -> times.point.reset());
            }
        }

        /** For each search its p50, p95 and highest over time. */
        ObjectNode overTime() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            searches.forEach((name, times) -> {
                ObjectNode search = json.putObject(name);
                search.set("p50", times.percentiles.get(0).toJson());
                search.set("p95", times.percentiles.get(1).toJson());
                search.set("max", times.percentiles.get(2).toJson());
            });
            return json;
        }

        /** For each search its {@link Spectrum}. */
        ObjectNode spectrum() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            searches.forEach((name, times) -> json.set(name, Spectrum.of(times.whole)));
            return json;
        }
    }
}
