package siemload.results.report;

import static siemload.results.report.Markdown.escaped;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import siemload.results.BrokenFileException;
import siemload.results.FeederResult;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.SteadyState;
import siemload.results.Saturation;
import siemload.results.SearchResult;
import siemload.results.StepRecord;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.WholeFile;

/**
 * Writes the reports of a run from the files in its directory alone: {@code report.txt}, {@code report.html} for people,
 * {@code summary.md} for the page of a CI job, and {@code junit.xml} for its list of tests. Stateless and thread-safe.
 */
public final class RunReports {
    private RunReports() {}

    /**
     * What was written.
     *
     * @param run of which the reports are
     * @param directory of the run, absolute
     * @param leftOut why parts of report.html are missing although their files are there; empty mostly
     */
    public record Written(RunResult run, Path directory, List<String> leftOut) {
        public Written {
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * Writes all reports; each whole or not at all.
     *
     * @param given the directory of a run, or a results directory, whose newest run is meant
     * @throws BrokenFileException if there is no run, or its run.json is not what it should be
     * @throws IOException if a report cannot be written
     */
    public static Written write(Path given) throws IOException {
        RunFiles files = RunFiles.open(given);
        ReportData.Result data = ReportData.of(files);
        write(files, RunFile.REPORT_TEXT, TextReport.of(files.run(), files.directory()));
        write(files, RunFile.REPORT_PAGE, HtmlReport.of(data.json()));
        write(files, RunFile.SUMMARY, MarkdownSummary.of(files.run()));
        write(files, RunFile.JUNIT, JunitReport.of(files.run()));
        return new Written(files.run(), files.directory(), brokenParts(data.notes()));
    }

    private static List<String> brokenParts(Map<String, String> notes) {
        Stream<String> broken = notes.values().stream().filter(note -> !note.startsWith("this run has no "));
        return broken.distinct().sorted().toList();
    }

    private static void write(RunFiles files, RunFile name, String text) throws IOException {
        WholeFile.write(name.in(files.directory()), text);
    }

    /**
     * One page that holds all it needs: style, charts, scripts and data. It opens offline and asks no host for anything.
     * Stateless and thread-safe.
     */
    private static final class HtmlReport {
        private HtmlReport() {}

        /** The whole page. */
        static String of(ObjectNode data) throws IOException {
            return new ChartPage("siemload: " + data.path("run").path("runId").asText())
                    .elements()
                    .script("/siemload/results/report/jobs.js")
                    .script("/siemload/results/report/page.js")
                    .data(data)
                    .with("/siemload/results/report/report.html");
        }
    }

    /** A run result as Markdown with tables, fit for the page of a CI job. Stateless and thread-safe. */
    static final class MarkdownSummary {
        private MarkdownSummary() {}

        /** The whole text, ending with a line break. */
        static String of(RunResult run) {
            StringBuilder text = new StringBuilder();
            text.append("## siemload: ")
                    .append(escaped(run.identity().scenario()))
                    .append(" is ")
                    .append(verdict(run))
                    .append("\n\n");
            text.append(escaped(RunHeadline.of(run)));
            text.append(" (").append(escaped(RunHeadline.variant(run))).append(")\n\n");
            for (String fault : run.validity().faults()) {
                text.append("- **not valid**: ").append(escaped(fault)).append('\n');
            }
            if (run.validity().verdict() == RunVerdict.DISTURBED) {
                text.append("- **disturbed**: ")
                        .append(escaped(run.validity().disturbance().sentence()))
                        .append('\n');
            }
            Saturation saturation = run.validity().saturation();
            for (String what : saturation.gaveOut()) {
                text.append("- **saturated**: ").append(escaped(what)).append(" gave out\n");
            }
            for (String sign : saturation.signs()) {
                text.append("- seen: ").append(escaped(sign)).append('\n');
            }
            if (saturation.seen()) {
                text.append("- what to change first: ")
                        .append(escaped(saturation.advice()))
                        .append('\n');
            }
            for (String one : RunHeadline.reservations(run)) {
                text.append("- ").append(escaped(one)).append('\n');
            }
            if (!run.validity().warnings().isEmpty()
                    || saturation.seen()
                    || !RunHeadline.but(run).isEmpty()) {
                text.append('\n');
            }
            appendObjectives(text, run.objectives());
            if (!run.hasStepsOnly()) {
                appendSearches(text, run);
            }
            SteadyState state = run.measured().steadyState();
            if (state.tested() && !state.changed()) {
                text.append(escaped(SteadyWords.of(state))).append(".\n\n");
            }
            appendRows(
                    text,
                    JobTable.jobs(run.steps()).isEmpty() ? List.of() : JobTable.rows(run.steps()),
                    JobTable.LEGEND);
            appendRows(text, ServerTable.rows(run.steps()), ServerTable.LEGEND);
            appendRows(text, TierTable.rows(run.steps()), TierTable.LEGEND);
            appendSteps(text, TierTable.others(JobTable.others(run.steps())));
            appendErrors(text, run.measured().searches());
            appendFeeder(text, run.measured().feeder());
            if (run.answers().checkRatio() > 0) {
                text.append(line(
                        "Answers: %d checked, %d wrong.",
                        run.answers().answersChecked(), run.answers().answersWrong()));
            }
            appendNotes(text, run.validity().notes());
            return text.toString();
        }

        private static String verdict(RunResult run) {
            String verdict = switch (run.validity().verdict()) {
                case VALID -> "valid";
                case DISTURBED -> "disturbed";
                case NOT_VALID -> "NOT VALID";
            };
            if (run.validity().saturation().seen()) {
                verdict += ", SATURATED";
            }
            if (run.validity().verdict() == RunVerdict.NOT_VALID) {
                return verdict;
            }
            return verdict
                    + RunHeadline.but(run)
                    + counted(run, ObjectiveResult.Outcome.MISSED, "MISSED")
                    + counted(run, ObjectiveResult.Outcome.UNDECIDED, "undecided");
        }

        private static String counted(RunResult run, ObjectiveResult.Outcome outcome, String word) {
            long count = run.objectives().stream()
                    .filter(objective -> objective.is(outcome))
                    .count();
            return count == 0 ? "" : ", " + count + " of " + run.objectives().size() + " objectives " + word;
        }

        private static void appendObjectives(StringBuilder text, List<ObjectiveResult> objectives) {
            if (objectives.isEmpty()) {
                return;
            }
            text.append("| objective | | measured |\n| --- | --- | ---: |\n");
            for (ObjectiveResult objective : objectives) {
                text.append(line(
                        "| %s | %s | %s |",
                        escaped(objective.text()),
                        switch (objective.outcome()) {
                            case MET -> "met";
                            case MISSED -> "**MISSED**";
                            case UNDECIDED -> "undecided: " + escaped(objective.reason());
                        },
                        escaped(objective.measured())));
            }
            text.append('\n');
        }

        private static void appendSearches(StringBuilder text, RunResult run) {
            RunHeadline.Words words = RunHeadline.Words.of(run);
            text.append(line("| %s | count | per s | failed | p50 | p95 | p99 | max |", words.search()));
            text.append("| --- |").append(" ---: |".repeat(7)).append('\n');
            for (SearchResult search : run.measured().rows()) {
                MicrosSummary response = search.times().responseTimeMicros();
                text.append(line(
                        "| %s | %d | %.1f | %d | %s | %s | %s | %s |",
                        escaped(search.kind().label()),
                        search.count(),
                        search.count() / run.identity().measuredSeconds(),
                        search.ko(),
                        Millis.of(response, MicrosSummary::p50),
                        Millis.of(response, MicrosSummary::p95),
                        Millis.of(response, MicrosSummary::p99),
                        Millis.of(response, MicrosSummary::max)));
            }
            text.append(line(
                    "\nResponse time in ms, from when %s to the last row; p95: 95 of 100 %s took at most that long.\n",
                    words.due(), words.searches()));
        }

        private static void appendNotes(StringBuilder text, List<String> notes) {
            if (!notes.isEmpty()) {
                text.append(line("\n<details><summary>Notes (%d)</summary>\n", notes.size()));
                notes.forEach(note -> text.append("- ").append(escaped(note)).append('\n'));
                text.append("\n</details>\n");
            }
        }

        /** A table whose first row has the titles; nothing without rows. */
        private static void appendRows(StringBuilder text, List<List<String>> rows, List<String> legend) {
            if (rows.isEmpty()) {
                return;
            }
            for (int i = 0; i < rows.size(); i++) {
                text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
                if (i == 0) {
                    text.append("|")
                            .append(" ---: |".repeat(rows.get(i).size()))
                            .append('\n');
                }
            }
            text.append('\n').append(String.join("; ", legend)).append(".\n\n");
        }

        private static void appendSteps(StringBuilder text, List<StepRecord> steps) {
            if (steps.isEmpty()) {
                return;
            }
            StepTable table = StepTable.of(steps);
            text.append("| step | done | failed |");
            table.figures()
                    .forEach(figure ->
                            text.append(' ').append(StepTable.title(figure)).append(" |"));
            text.append("\n| --- | ---: | ---: |")
                    .append(" ---: |".repeat(table.figures().size()))
                    .append('\n');
            for (StepTable.Row row : table.rows()) {
                text.append(line("| %s | %d | %d |", escaped(row.name()), row.done(), row.failed())
                        .strip());
                table.figures()
                        .forEach(figure ->
                                text.append(' ').append(row.shown(figure)).append(" |"));
                text.append('\n');
            }
            text.append("\nMedians over equal steps.\n\n");
        }

        private static void appendErrors(StringBuilder text, List<SearchResult> searches) {
            StringBuilder errors = new StringBuilder();
            for (SearchResult search : searches) {
                search.errors()
                        .forEach((error, count) -> errors.append(
                                line("- %s: %d x %s", escaped(search.kind().label()), count, escaped(error))));
            }
            if (errors.length() > 0) {
                text.append(errors).append('\n');
            }
        }

        private static void appendFeeder(StringBuilder text, FeederResult feeder) {
            if (feeder.eventsPerSecond() > 0) {
                text.append(line(
                        "Feeder: %.1f of %.1f events/s%s, %d of the %d due, acknowledged in %s%s ms at p95; %s.\n",
                        feeder.achievedEventsPerSecond(),
                        feeder.eventsPerSecond(),
                        feeder.changingRate().map(rate -> " (" + rate + ")").orElse(""),
                        feeder.reachedEvents(),
                        feeder.dueEvents(),
                        Millis.of(feeder.times().acknowledgeMicros().p95()),
                        Millis.bracketed(feeder.times().acknowledgeMicros(), "p95"),
                        FeederLedger.words(feeder.events())));
            }
        }

        private static String line(String format, Object... values) {
            return String.format(Locale.ROOT, format, values) + "\n";
        }
    }

    /**
     * A run result as JUnit XML: validity is a test case, whether the database kept up, and each objective, so that a CI server lists, counts and
     * follows them. Stateless and thread-safe.
     */
    static final class JunitReport {

        private JunitReport() {}

        /** The whole document, ending with a line break. */
        static String of(RunResult run) {
            Map<String, String> properties = new LinkedHashMap<>();
            properties.put("run", run.identity().runId());
            properties.put(
                    "target",
                    run.identity().target().id() + " " + run.identity().target().version());
            properties.put("variant", RunHeadline.variant(run));
            List<JunitSuite.Case> cases = new ArrayList<>();
            Validity validity = run.validity();
            cases.add(verdict(
                    "the run is valid",
                    validity.verdict() != RunVerdict.NOT_VALID,
                    "NOT VALID",
                    String.join("\n", validity.faults())));
            cases.add(verdict(
                    "the database kept up",
                    !validity.saturation().seen(),
                    "SATURATED",
                    String.join("\n", validity.saturation().sentences()) + "\nwhat to change first: "
                            + validity.saturation().advice()));
            for (RunResult.ObjectiveResult objective : run.objectives()) {
                cases.add(
                        switch (objective.outcome()) {
                            case MET -> JunitSuite.Case.passed(objective.text());
                            case MISSED ->
                                new JunitSuite.Case(
                                        objective.text(),
                                        "MISSED",
                                        objective.text() + ": measured " + objective.measured());
                            case UNDECIDED ->
                                JunitSuite.Case.skipped(
                                        objective.text(),
                                        "undecided: measured " + objective.measured() + "; " + objective.reason());
                        });
            }
            return new JunitSuite(
                            "siemload." + run.identity().scenario(),
                            run.identity().startedAt().toString(),
                            run.identity().measuredSeconds(),
                            properties,
                            cases)
                    .toXml();
        }

        private static JunitSuite.Case verdict(String name, boolean passed, String type, String text) {
            return passed ? JunitSuite.Case.passed(name) : new JunitSuite.Case(name, type, text);
        }
    }
}
