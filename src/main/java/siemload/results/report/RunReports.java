package siemload.results.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import siemload.results.BrokenFileException;
import siemload.results.RunFile;
import siemload.results.RunResult;
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
}
