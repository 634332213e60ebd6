package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.CapacityReports;
import siemload.compare.report.ComparisonReports;
import siemload.run.ExitCode;

/** Writes what runs together say, and says it. Stateless. */
final class ExperimentReports {

    private ExperimentReports() {}

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
        Comparison comparison = Comparer.compare(directory, others);
        ResultFile.COMPARISON.write(directory, comparison);
        host.line("");
        ComparisonReports.text(comparison).forEach(host::line);
        if (!comparison.differences().isEmpty() && others == OtherDifferences.WITHHOLD) {
            host.line("(--accept-differences gives verdicts nevertheless: ./siemload compare " + directory + ")");
        }
        files(host, ResultFile.COMPARISON.in(directory), ComparisonReports.write(directory, comparison));
        return comparison;
    }

    /** Writes the reports beside {@code capacity.json}, and prints what the largest load is. */
    static ExitCode writeCapacity(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        host.line("");
        CapacityReports.text(result).forEach(host::line);
        files(host, CapacityResult.FILE.in(directory), CapacityReports.write(directory, result));
        return result.exitCode();
    }

    /** Says where results are: what a program reads, and what people do. */
    static void files(ProcessHost host, Path file, List<Path> reports) {
        host.line("results: " + file);
        reports.forEach(report -> host.line("         " + report));
    }
}
