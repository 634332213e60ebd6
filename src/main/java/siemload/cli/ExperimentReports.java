package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import siemload.experiment.Comparer;
import siemload.experiment.Comparer.OtherDifferences;
import siemload.experiment.Comparison;
import siemload.experiment.Comparison.PairVerdict;
import siemload.experiment.ComparisonFile;

/** Writes what an experiment says, and says it. Stateless. */
final class ExperimentReports {

    private ExperimentReports() {}

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
        Comparison comparison = Comparer.compare(directory, others);
        Path file = directory.resolve(ComparisonFile.NAME);
        ComparisonFile.write(file, comparison);
        host.line("");
        comparison.withheld().forEach(reason -> host.line("no verdict: " + reason));
        if (!comparison.differences().isEmpty() && others == OtherDifferences.WITHHOLD) {
            host.line("(--accept-differences gives verdicts nevertheless: ./siemload compare " + directory + ")");
        }
        for (PairVerdict verdict : comparison.verdicts()) {
            if (verdict.baseline().equals(comparison.experiment().baseline())) {
                host.line(verdict.sentence());
            }
        }
        comparison.runs().stream()
                .filter(run -> !run.invalid().isEmpty())
                .forEach(run -> host.line("run " + run.position() + " (" + run.cell() + ") does not count: "
                        + String.join("; ", run.invalid())));
        host.line("results: " + file);
        return comparison;
    }
}
