package siemload.results.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.BrokenFileException;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.TimeMetric;

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
}
