package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.ExperimentReader;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.Ledger;
import siemload.compare.report.SuiteReports;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.TimestampName;

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

    /** Marks a suite of which everything was made. */
    private static final String COMPLETE = "complete";

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
        host.protectResults();
        Content content = ExperimentReader.read(host.home(), name);
        List<Experiment> planned = new ArrayList<>();
        for (Experiment experiment : experiments(content)) {
            ExperimentPlan plan = ExperimentPlan.of(experiment, host, repeats, values);
            plan.describe().forEach(host::line);
            planned.add(plan.experiment());
        }
        if (planOnly) {
            return ExitCode.OK.number();
        }
        if (content instanceof Content.Suite suite) {
            return runTogether(suite, planned);
        }
        Path below = root();
        Optional<Path> begun = fresh ? Optional.empty() : Ledger.findUnfinished(below, planned.get(0));
        return exitCode(List.of(run(planned.get(0), begun, below).comparison()));
    }

    /** What a suite has made already is not made again, unless all of it is made. */
    private int runTogether(Content.Suite suite, List<Experiment> members) throws IOException, InterruptedException {
        Path together = suiteDirectory(suite);
        List<Comparison> comparisons = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        for (Experiment member : members) {
            Optional<Path> begun = Ledger.find(together, member);
            Made made = run(member, begun, together);
            comparisons.add(made.comparison());
            directories.add(made.directory());
            // After each one, so that there is a report of those that were made, whatever happens to the others.
            List<Path> written = SuiteReports.write(together, suite.name(), suite.question(), directories);
            host.line("together: " + written.get(0));
        }
        Files.writeString(together.resolve(COMPLETE), "");
        return exitCode(comparisons);
    }

    /** The directory of a suite that was interrupted, or a new one. */
    private Path suiteDirectory(Content.Suite suite) throws IOException {
        Path fallback = root().resolve(suite.name() + "-" + TimestampName.of(Instant.now()));
        if (fresh || !Files.isDirectory(root())) {
            return fallback;
        }
        try (Stream<Path> directories = Files.list(root())) {
            return directories
                    .filter(directory -> directory
                            .getFileName()
                            .toString()
                            .matches(Pattern.quote(suite.name()) + "-[0-9]{8}-[0-9]{6}"))
                    .filter(directory -> !Files.exists(directory.resolve(COMPLETE)))
                    .max(Comparator.naturalOrder())
                    .orElse(fallback);
        }
    }

    private static int exitCode(List<Comparison> comparisons) {
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

    /** What an experiment says, and where it lies. */
    private record Made(Comparison comparison, Path directory) {}

    private Made run(Experiment experiment, Optional<Path> begun, Path below) throws IOException, InterruptedException {
        try (Ledger ledger = open(experiment, begun, below)) {
            try {
                new ExperimentRuns(host, new RunProcesses(host), experiment, ledger).makeMissing();
            } catch (TargetException brokeDown) {
                throw new TargetException(
                        brokeDown.getMessage() + "; start the experiment again to go on from there", brokeDown);
            }
            Comparison comparison = ExperimentReports.write(
                    host, ledger.directory(), acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD);
            return new Made(comparison, ledger.directory());
        }
    }

    private Ledger open(Experiment experiment, Optional<Path> begun, Path below) throws IOException {
        if (begun.isPresent()) {
            RunProcesses.awaitOrphans();
            Ledger ledger = Ledger.resume(begun.get(), experiment);
            host.line(experiment.name() + ": goes on after " + ledger.entries().size() + " of " + experiment.runs()
                    + " runs (--fresh starts anew)");
            return ledger;
        }
        return Ledger.create(below.resolve(experiment.name() + "-" + TimestampName.of(Instant.now())), experiment);
    }

    private Path root() {
        return host.settings().value(Property.RESULTS).toAbsolutePath().resolve("experiments");
    }
}
