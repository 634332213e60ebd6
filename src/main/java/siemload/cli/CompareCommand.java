package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Ledger;
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
            return ExperimentReports.writeCapacity(host, directory).number();
        }
        if (!Ledger.isIn(directory)) {
            throw new ConfigException(
                    new Origin.WholeFile(directory.toString()),
                    "is no directory of an experiment (needed: one with an experiment.json, such as"
                            + " target/siemload/experiments/hints-20261121-101500)");
        }
        Comparison comparison = ExperimentReports.write(
                host, directory, acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD);
        return (comparison.saysSomething() ? ExitCode.OK : ExitCode.INCONCLUSIVE).number();
    }
}
