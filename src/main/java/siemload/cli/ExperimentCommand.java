package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.comparison.SuiteReports;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.experiment.Comparer.OtherDifferences;
import siemload.experiment.Comparison;
import siemload.experiment.Experiment;
import siemload.experiment.ExperimentReader;
import siemload.experiment.ExperimentReader.Content;
import siemload.experiment.Ledger;
import siemload.run.ExitCode;

/** Answers a question with runs that differ in one thing. */
@Command(
        name = "experiment",
        description = {
            "Answers a question with runs that differ in one thing, interleaved and repeated, and says what was decided. An"
                    + " experiment that was interrupted goes on where it was. All properties of a run are taken as well:"
                    + " they win over those of the file."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the runs were made and compared",
            "2:invalid input or usage",
            "3:a run broke down",
            "4:nothing can be said: something else differed, or no run is valid",
            "130:interrupted"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ./siemload experiment hints",
            "  ./siemload experiment ts2.1 -Dtarget=postgresql --repeats 3",
            "  ./siemload experiment cesnet --dataset cesnet-day",
            "  ./siemload experiment upgrade --values postgres:17,postgres:18"
        })
final class ExperimentCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Parameters(paramLabel = "NAME", description = "a name in experiments/, or a YAML file")
    private String name = "";

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "runs of each variant, 3 or more; the file's unless given")
    private Optional<Integer> repeats = Optional.empty();

    @Option(
            names = "--values",
            split = ",",
            paramLabel = "VALUE",
            description = "other values of what varies, separated by commas; the first one is the baseline")
    private List<String> values = new ArrayList<>();

    @Option(names = "--fresh", description = "start anew, also where one that was interrupted could go on")
    private boolean fresh;

    @Option(
            names = "--accept-differences",
            description = "give verdicts although something else differed between the runs")
    private boolean acceptDifferences;

    @Option(names = "--plan", description = "say what would be run, and for how long, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Content content = ExperimentReader.read(host.home(), name);
        List<Comparison> comparisons = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        String started = STAMP.format(Instant.now());
        for (Experiment experiment : experiments(content)) {
            ExperimentPlan plan = ExperimentPlan.of(experiment, host, repeats, values);
            plan.describe().forEach(host::line);
            if (!planOnly) {
                comparisons.add(run(plan.experiment(), directories));
                if (content instanceof Content.Suite suite) {
                    tellTogether(suite, root().resolve(suite.name() + "-" + started), directories);
                }
            }
        }
        if (planOnly) {
            return ExitCode.OK.number();
        }
        boolean saysNothing = comparisons.stream().noneMatch(Comparison::saysSomething);
        return (saysNothing ? ExitCode.INCONCLUSIVE : ExitCode.OK).number();
    }

    private List<Experiment> experiments(Content content) {
        if (content instanceof Content.Single single) {
            return List.of(single.experiment());
        }
        List<Experiment> experiments = new ArrayList<>();
        if (content instanceof Content.Suite suite) {
            for (String member : suite.experiments()) {
                if (ExperimentReader.read(host.home(), member) instanceof Content.Single single) {
                    experiments.add(single.experiment());
                } else {
                    throw new ConfigException(
                            new Origin.WholeFile("experiments/" + suite.name() + ".yaml"),
                            "suite: '" + member + "' is a suite itself (name the experiments in it)");
                }
            }
        }
        return experiments;
    }

    /** After each one, so that there is a report of those that were made, whatever happens to the others. */
    private void tellTogether(Content.Suite suite, Path together, List<Path> directories) throws IOException {
        List<Path> written = SuiteReports.write(together, suite.name(), suite.question(), directories);
        host.line("together: " + written.get(0));
    }

    private Comparison run(Experiment experiment, List<Path> directories) throws IOException, InterruptedException {
        try (Ledger ledger = open(experiment)) {
            directories.add(ledger.directory());
            new ExperimentRuns(host, new RunProcesses(host), experiment, ledger).makeMissing();
            return ExperimentReports.write(
                    host, ledger.directory(), acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD);
        }
    }

    private Ledger open(Experiment experiment) throws IOException {
        Optional<Path> unfinished = fresh ? Optional.empty() : Ledger.findUnfinished(root(), experiment);
        if (unfinished.isPresent()) {
            RunProcesses.awaitOrphans(unfinished.get());
            Ledger ledger = Ledger.resume(unfinished.get(), experiment);
            host.line(experiment.name() + ": goes on after " + ledger.entries().size() + " of " + experiment.runs()
                    + " runs (--fresh starts anew)");
            return ledger;
        }
        return Ledger.create(root().resolve(experiment.name() + "-" + STAMP.format(Instant.now())), experiment);
    }

    private Path root() {
        return host.settings().value(Property.RESULTS).toAbsolutePath().resolve("experiments");
    }
}
