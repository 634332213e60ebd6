package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.ComparisonReports;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.run.ExitCode;

/** Compares the runs of an experiment again, or tells a capacity again. */
@Command(
        name = "compare",
        description = {
            "Compares the runs of an experiment again.",
            "Reads their files alone, also while some are missing; shows the result of a capacity again."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:the runs were compared",
            "1:not even the smallest load of a capacity meets the objectives",
            "4:nothing can be said: something else differed, or nothing could be compared"
        },
        footer = {"  ./siemload compare target/siemload/experiments/hints-20261121-101500"})
final class CompareCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "the directory of an experiment, or of a capacity")
    private Path directory = Path.of("");

    @Option(
            names = "--accept-differences",
            description = "give verdicts although something else differed between the runs")
    private boolean acceptDifferences;

    @Override
    public Integer call() throws IOException {
        ProcessHost host = new ProcessHost();
        host.protectResults();
        if (CapacityResult.FILE.isIn(directory)) {
            return writeCapacity(host, directory);
        }
        if (!Ledger.FILE.isIn(directory)) {
            throw new ConfigException(
                    new Origin.WholeFile(directory.toString()),
                    "is no directory of an experiment (needed: one with an experiment.json, such as"
                            + " target/siemload/experiments/hints-20261121-101500)");
        }
        return (write(host, directory, acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD)
                                .saysSomething()
                        ? ExitCode.OK
                        : ExitCode.INCONCLUSIVE)
                .number();
    }

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
        Comparison comparison = Comparer.compare(directory, others);
        ResultFile.COMPARISON.write(directory, comparison);
        host.line("");
        ComparisonReports.text(comparison).forEach(host::line);
        if (!comparison.differences().isEmpty() && others == OtherDifferences.WITHHOLD) {
            host.line("(verdicts nevertheless: ./siemload compare --accept-differences " + directory + ")");
        }
        files(host, ResultFile.COMPARISON.in(directory), ComparisonReports.write(directory, comparison));
        return comparison;
    }

    /** Writes the reports beside {@code capacity.json}, and prints what the largest load is. */
    static int writeCapacity(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        host.line("");
        ComparisonReports.text(result).forEach(host::line);
        files(host, CapacityResult.FILE.in(directory), ComparisonReports.write(directory, result));
        return result.exitCode().number();
    }

    /** Says where results are: what a program reads, and what people do. */
    static void files(ProcessHost host, Path file, List<Path> reports) {
        host.line("results: " + file);
        reports.forEach(report -> host.line("         " + report));
    }
}
