package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.results.LoggedInterval;
import siemload.results.ResultText;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.report.RunReports.StepSections;

/**
 * The data for the charts of report.html, as one JSON object: the whole run.json, and the other files reduced to what a chart can show. A
 * part of the data is left out if its file is missing or broken; {@code notes} says why a file is broken. Used by one thread.
 */
final class ReportData {
    private static final int LONGEST_PLAN = 100_000;
    private static final int LARGEST_PLAN = 8 << 20;

    private final Path directory;
    private final RunResult run;
    private final ObjectNode data = JsonNodeFactory.instance.objectNode();
    private final TimeSeries series = new TimeSeries();
    private final Map<String, String> notes = new TreeMap<>();
    /** The number of characters that are still free for plans in this report; files in the run's directory have the whole plans. */
    private int roomForPlans = 2_000_000;

    private ReportData(Path directory, RunResult run) {
        this.directory = directory;
        this.run = run;
    }

    /** The data as JSON, and the reasons why parts of the data are missing although their files exist. */
    record Result(ObjectNode json, List<String> broken) {}

    static Result of(Path directory, RunResult run) {
        ReportData report = new ReportData(directory, run);
        report.collect();
        report.data.set("notes", ResultValue.tree(report.notes));
        return new Result(
                report.data, report.notes.values().stream().distinct().sorted().toList());
    }

    private void collect() {
        data.set("run", ResultValue.tree(run));
        // The timeline is read first, since it lasts from the warm-up to the end.
        TimeSeries.TABLES.forEach((table, name) ->
                part(name, table.fileName(), () -> table.read(directory, row -> series.add(table, row))));
        TimeSeries.TIMES.forEach((metric, name) -> {
            Part times = () -> LoggedInterval.read(directory, metric, interval -> series.interval(metric, interval));
            part(name, metric.file().fileName(), times);
        });
        data.setAll(series.json());
        data.set("spectra", series.spectra());
        data.set("steps", ResultValue.tree(StepSections.charted(run.steps())));
        data.set("plans", plans());
        document("environment", RunFile.ENVIRONMENT.in(directory), "sections");
        // The result of the machine's self-test is in the directory that has the run's directory.
        document("selftest", directory.resolveSibling("selftest.json"), "checks");
    }

    /** Reads a part of a report. */
    @FunctionalInterface
    private interface Part {
        void read() throws IOException;
    }

    private void part(String name, String file, Part part) {
        try {
            part.read();
        } catch (NoSuchFileException none) {
            // A missing file means that the run has no data of this kind.
        } catch (IOException unreadable) {
            series.drop(name);
            notes.put(name, reason(file, unreadable));
        }
    }

    /** Returns in one line why a file of a run could not be shown. */
    private static String reason(String name, IOException failure) {
        return failure instanceof BrokenFileException
                ? String.valueOf(failure.getMessage())
                : name + " cannot be read: " + failure;
    }

    private void document(String part, Path file, String wanted) {
        String name = String.valueOf(file.getFileName());
        Part document = () -> {
            JsonNode node = ResultValue.tree(name, ResultText.of(file, name));
            if (!node.path(wanted).isContainerNode()) {
                throw new BrokenFileException(name + ": has no " + wanted);
            }
            data.set(part, node);
        };
        part(part, name, document);
    }

    /** Returns the plans of run.json by their files; {@code atEnd} in a plan is the plan after the load, if it is different. */
    private ObjectNode plans() {
        ObjectNode pages = JsonNodeFactory.instance.objectNode();
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

    /** Adds the text of a plan, or why the text is missing. Refuses paths that lead out of the run's directory, also by a link. */
    private void addPlan(ObjectNode page, String name) {
        try {
            Path file = ResultValue.below(directory, name, RunFile.RUN.fileName());
            if (Files.exists(file) && !file.toRealPath().startsWith(directory.toRealPath())) {
                throw new BrokenFileException(name + ": not a file of this run");
            }
            String whole = ResultText.of(file, name, LARGEST_PLAN);
            // A plan in JSON without blanks takes half the space.
            String text = name.endsWith(".json") ? ResultValue.tree(name, whole).toString() : whole;
            int length = Math.min(text.length(), Math.min(LONGEST_PLAN, roomForPlans));
            roomForPlans -= length;
            boolean isWhole = length == text.length();
            page.put("text", isWhole ? text : text.substring(0, length) + "\n... the whole plan is in " + name);
        } catch (IOException unreadable) {
            page.put("note", reason(name, unreadable));
        }
    }
}
