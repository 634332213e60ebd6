package siemload.results.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.ResultText;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.Validity;
import siemload.results.Validity.Saturation;
import siemload.results.report.JunitSuite.Case;
import siemload.results.report.Report.Block;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Prose;

/**
 * The reports of a run, from the files in its directory alone: {@code report.txt}, {@code report.html} for people, {@code summary.md}
 * for the page of a CI job, {@code junit.xml} for its list of tests, and what a terminal shows. Stateless and thread-safe.
 */
public final class RunReports {
    private static final String LATEST = "latest";
    private static final int LONGEST_NAME = 4096;

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
        Path directory = find(given.toAbsolutePath().normalize());
        RunResult run = RunResult.read(RunFile.RUN.in(directory));
        ReportData.Result data = ReportData.of(directory, run);
        RunReport told = new RunReport(run);
        Report sections = told.sections();
        Map<String, Object> head = Map.of(
                "sentence", told.sentence(),
                "variant", RunReport.variant(run),
                "verdict", told.verdict(),
                "why", told.lines("verdict"),
                "objectives", told.lines("objectives"),
                "notes", run.validity().notes());
        data.json().set("head", ResultValue.tree(head));
        data.json().set("sections", ResultValue.tree(sections.page()));
        String title = "## siemload: " + Report.escaped(run.identity().scenario()) + " is " + told.verdict() + "\n\n";
        String summary = title + head(run, told).markdown(Level.SUMMARY) + sections.markdown(Level.SUMMARY);
        WholeFile.write(RunFile.REPORT_TEXT.in(directory), text(run, told, sections));
        WholeFile.write(
                RunFile.REPORT_PAGE.in(directory),
                new ChartPage("siemload: " + run.identity().runId())
                        .script("/siemload/results/report/page.js")
                        .data(data.json())
                        .html("summary.md and report.txt beside it say"));
        WholeFile.write(RunFile.SUMMARY.in(directory), summary);
        WholeFile.write(RunFile.JUNIT.in(directory), junit(run));
        return new Written(run, directory, data.broken());
    }

    private static Path find(Path given) throws IOException {
        if (Files.exists(RunFile.RUN.in(given))) {
            return given;
        }
        Path latest = given.resolve(LATEST);
        // Where the file system has no links it is a file with the name.
        Path newest = Files.isRegularFile(latest)
                ? ResultValue.below(
                        given,
                        ResultText.of(latest, latest.toString(), LONGEST_NAME).strip(),
                        latest.toString())
                : latest;
        if (Files.exists(RunFile.RUN.in(newest))) {
            return newest.toRealPath();
        }
        throw new BrokenFileException(given
                + (Files.isDirectory(given)
                        ? ": neither a run's directory, which has a run.json, nor a results directory, whose '" + LATEST
                                + "' names one"
                        : ": there is no such directory"));
    }

    /** All that there is to tell, at most 112 columns wide; it ends with a line break. */
    public static String text(RunResult run) {
        RunReport told = new RunReport(run);
        return text(run, told, told.sections());
    }

    private static String text(RunResult run, RunReport told, Report sections) {
        return run.identity().scenario() + ": " + head(run, told).text(Level.TEXT) + "\n" + sections.text(Level.TEXT);
    }

    /** What stands above all sections: what was run, what the numbers are worth, objectives and notes. */
    private static Report head(RunResult run, RunReport told) {
        return of(sentence(run, told))
                .add(Level.TEXT, told.head("circumstances"))
                .add(Level.SUMMARY, told.head("verdict"), told.head("objectives"), told.head("notes"));
    }

    private static Prose sentence(RunResult run, RunReport told) {
        return new Prose(told.sentence() + " (" + RunReport.variant(run) + ")");
    }

    private static Report of(Block block) {
        return new Report().section("", "").add(Level.SUMMARY, block);
    }

    /** What matters most, at most 40 lines; without how it ended, which is {@link #ending}. */
    public static String summary(RunResult run) {
        RunReport told = new RunReport(run);
        return run.identity().scenario() + ": " + of(sentence(run, told)).summary() + "\n"
                + told.sections().summary() + (run.objectives().isEmpty() ? "" : "\n")
                + of(told.head("objectives")).summary();
    }

    /** What the numbers are worth, in the last lines that people read; it ends with a line break. */
    public static String ending(RunResult run) {
        int notes = run.validity().notes().size();
        return (notes == 0 ? "" : notes + (notes == 1 ? " note is" : " notes are") + " in the report\n")
                + of(new RunReport(run).head("verdict")).summary();
    }

    /** Validity, whether the database kept up, and each objective, so that a CI server lists, counts and follows them. */
    private static String junit(RunResult run) {
        RunResult.RunIdentity identity = run.identity();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("run", identity.runId());
        properties.put(
                "target", identity.target().id() + " " + identity.target().version());
        properties.put("variant", RunReport.variant(run));
        List<Case> cases = new ArrayList<>();
        Validity validity = run.validity();
        Saturation saturation = validity.saturation();
        String faults = String.join("\n", validity.faults());
        cases.add(Case.of("the run is valid", validity.valid(), "NOT VALID", faults));
        String advice = "\nwhat to change first: " + saturation.advice();
        String signs = String.join("\n", saturation.sentences()) + advice;
        cases.add(Case.of("the database kept up", !saturation.seen(), "SATURATED", signs));
        for (ObjectiveResult one : run.objectives()) {
            String measured = "measured " + one.measured();
            cases.add(
                    one.is(ObjectiveResult.Outcome.UNDECIDED)
                            ? Case.skipped(one.text(), "undecided: " + measured + "; " + one.reason())
                            : Case.of(
                                    one.text(),
                                    one.is(ObjectiveResult.Outcome.MET),
                                    "MISSED",
                                    one.text() + ": " + measured));
        }
        return new JunitSuite(
                        "siemload." + identity.scenario(),
                        identity.startedAt().toString(),
                        identity.measuredSeconds(),
                        properties,
                        cases)
                .toXml();
    }
}
