package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRuns;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.ComparisonReports;
import siemload.compare.report.GateJunit;
import siemload.compare.report.GateMarkdown;
import siemload.compare.report.GateText;

/** Writes what a gate decided, and says it. Stateless. */
final class GateReports {

    private static final String JUNIT = "junit.xml";

    private GateReports() {}

    /** What a CI server reads of a gate of which a run broke down. */
    static void writeBrokenDown(Path directory, String name, String startedAt, String why) throws IOException {
        Files.writeString(directory.resolve(JUNIT), GateJunit.brokenDown(name, startedAt, why));
    }

    static void write(ProcessHost host, Path directory, GateResult result) throws IOException {
        ResultFile.GATE.write(directory, result);
        host.line("");
        GateText.of(result).forEach(host::line);
        Path summary = Files.writeString(directory.resolve("summary.md"), GateMarkdown.of(result));
        Path junit = Files.writeString(directory.resolve(JUNIT), GateJunit.of(result));
        host.line("results: " + ResultFile.GATE.in(directory));
        host.line("         " + summary);
        host.line("         " + junit);
        Path pairs = directory.resolve(GateRuns.PAIRS);
        ResultFile.COMPARISON.write(pairs, result.paired());
        host.line("         " + ComparisonReports.write(pairs, result.paired()).get(0));
    }
}
