package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.ComparisonReports;
import siemload.compare.report.ComparisonText;

/** Writes what an experiment says, and says it. Stateless. */
final class ExperimentReports {

    private ExperimentReports() {}

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
        Comparison comparison = Comparer.compare(directory, others);
        ResultFile.COMPARISON.write(directory, comparison);
        host.line("");
        ComparisonText.of(comparison).forEach(host::line);
        if (!comparison.found().differences().isEmpty() && others == OtherDifferences.WITHHOLD) {
            host.line("(--accept-differences gives verdicts nevertheless: ./siemload compare " + directory + ")");
        }
        host.line("results: " + ResultFile.COMPARISON.in(directory));
        for (Path report : ComparisonReports.write(directory, comparison)) {
            host.line("         " + report);
        }
        return comparison;
    }
}
