package siemload.results.report;

import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.report.RunReports.JunitReport;
import siemload.results.report.RunReports.MarkdownSummary;

class GoldenReportsTest {
    @InEveryLocale
    void theMarkdownIsTheSameInEveryLocale() throws Exception {
        GoldenFile.of("summary.md").assertHolds(MarkdownSummary.of(result()));
    }

    @InEveryLocale
    void theJunitXmlIsTheSameInEveryLocale() throws Exception {
        GoldenFile.of("junit.xml").assertHolds(JunitReport.of(result()));
    }

    private static RunResult result() throws Exception {
        return RunResultFile.read(GoldenFile.of("run.json").path());
    }
}
