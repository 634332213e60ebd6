package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.ExperimentPlan;
import siemload.compare.experiment.ExperimentReader;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.Experiments;
import siemload.compare.experiment.VariantConnections;
import siemload.compare.report.ComparisonReports;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.ForeignServerCheck.Occasion;

/** Answers a question with runs that differ in one thing. */
@Command(
        name = "experiment",
        description = {
            "Compares variants by interleaved, repeated runs.",
            "The runs differ in one thing. An experiment that was interrupted goes on where it was. All options of a"
                    + " run are taken as well: they win over those of the file."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:the runs were made and compared",
            "2:invalid input or usage",
            "3:a run broke down",
            "4:nothing can be said: something else differed, or no run is valid",
            "130:interrupted"
        },
        footer = {
            "  ./siemload experiment hints",
            "  ./siemload experiment ts2.1 -Dtarget=postgresql --repeats 3",
            "  ./siemload experiment cesnet --dataset cesnet-day",
            "  ./siemload experiment bunker --plan",
            "  ./siemload experiment upgrade --values postgres:17,postgres:18",
            "  ./siemload experiment servers --url.ours postgresql://db1/siem --url.theirs" + " mongodb://db2:27017"
        })
final class ExperimentCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description = "a name in experiments/, or a YAML file")
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

    @Option(
            names = "--plan",
            description = "say what would be run, for how long, and whether all that it needs is there, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        Content content = ExperimentReader.read(host.home(), name);
        List<Experiment> read = content.experiments();
        VariantConnections.requireKnown(
                        read.stream().flatMap(one -> one.names().stream()).toList(),
                        host.variantOptions(),
                        host.launcher().environment())
                .forEach(host::line);
        List<ExperimentPlan> plans = new ArrayList<>();
        for (Experiment experiment : read) {
            ExperimentPlan plan = ExperimentPlan.of(experiment, host, repeats, values);
            plan.describe().forEach(host::line);
            plans.add(plan);
        }
        if (plans.size() > 1) {
            host.line(ExperimentPlan.together(plans));
        }
        List<Experiment> planned =
                plans.stream().map(ExperimentPlan::experiment).toList();
        Occasion occasion = planOnly ? Occasion.PLAN : Occasion.RUN;
        int servers = 0;
        for (ExperimentPlan plan : plans) {
            servers += plan.checkServers(occasion);
        }
        if (planOnly) {
            if (servers > 0) {
                host.line("ready: the same command without --plan makes these runs");
            }
            return ExitCode.OK.number();
        }
        Experiments experiments =
                new Experiments(host, fresh ? Experiments.Start.ANEW : Experiments.Start.WHERE_IT_WAS);
        if (content.isSuite()) {
            return runTogether(content, planned, experiments);
        }
        return exitCode(List.of(report(experiments.make(planned.get(0)))));
    }

    /**
     * What a suite has made already is not made again, unless all of it is made. An experiment that breaks down, as on a server
     * whose caches cannot be emptied, does not keep the others from being made.
     */
    private int runTogether(Content suite, List<Experiment> members, Experiments experiments)
            throws IOException, InterruptedException {
        Path together = experiments.suiteDirectory(suite.suite());
        List<Comparison> comparisons = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (Experiment member : members) {
            try {
                Path made = experiments.makeIn(together, member);
                comparisons.add(report(made));
                directories.add(made);
            } catch (TargetException brokeDown) {
                host.status("");
                broken.add(member.name() + " was not made: " + brokeDown.getMessage());
                host.line(broken.get(broken.size() - 1));
                continue;
            }
            // After each one, so that there is a report of those that were made, whatever happens to the others.
            List<Path> written =
                    ComparisonReports.write(together, suite.suite(), suite.question(), members, directories);
            host.line("together: " + written.get(0));
        }
        host.line("");
        ComparisonReports.conclusions(members, comparisons).forEach(host::line);
        if (broken.isEmpty()) {
            experiments.complete(together);
            return exitCode(comparisons);
        }
        broken.forEach(host::line);
        return ExitCode.TARGET_FAILED.number();
    }

    private Comparison report(Path experiment) throws IOException {
        return ExperimentReports.write(
                host, experiment, acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD);
    }

    private static int exitCode(List<Comparison> comparisons) {
        boolean saysNothing = comparisons.stream().noneMatch(Comparison::saysSomething);
        return (saysNothing ? ExitCode.INCONCLUSIVE : ExitCode.OK).number();
    }

    /** What a shell may complete. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ExperimentReader.names(new ProcessHost().home()).iterator();
        }
    }
}
