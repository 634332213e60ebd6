package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
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
import siemload.compare.experiment.ExperimentPlan;
import siemload.compare.experiment.ExperimentReader;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.VariantConnections;
import siemload.compare.report.ComparisonReports;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.TimestampName;

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

    /** Marks a suite of which everything was made. */
    private static final String COMPLETE = "complete";

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
            names = "--plan",
            description = "say what would be run, for how long, and whether all that it needs is there, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        Content content = ExperimentReader.read(host.home(), name);
        VariantConnections.requireKnown(
                content.experiments().stream()
                        .flatMap(one -> one.names().stream())
                        .toList(),
                host.variantOptions());
        List<ExperimentPlan> plans = new ArrayList<>();
        for (Experiment experiment : content.experiments()) {
            ExperimentPlan plan = ExperimentPlan.of(experiment, host, repeats, values);
            plan.describe().forEach(host::line);
            plans.add(plan);
        }
        if (plans.size() > 1) {
            host.line(ExperimentPlan.together(plans));
        }
        int servers = 0;
        for (ExperimentPlan plan : plans) {
            servers += plan.checkServers();
        }
        if (planOnly) {
            if (servers > 0) {
                host.line("ready: the same command without --plan makes these runs");
            }
            return ExitCode.OK.number();
        }
        List<Experiment> planned =
                plans.stream().map(ExperimentPlan::experiment).toList();
        Path root = host.settings().value(Property.RESULTS).toAbsolutePath().resolve("experiments");
        if (content.isSuite()) {
            return runTogether(content, planned, suiteDirectory(root, content.suite()));
        }
        Experiment only = planned.get(0);
        Optional<Path> begun = fresh ? Optional.empty() : Ledger.findUnfinished(root, only);
        return exitCode(
                List.of(CompareCommand.write(host, Ledger.make(host, only, root, begun), OtherDifferences.WITHHOLD)));
    }

    /** The directory of a suite that was interrupted, or a new one. */
    private Path suiteDirectory(Path root, String suite) throws IOException {
        Path otherwise = root.resolve(suite + "-" + TimestampName.of(Instant.now()));
        if (fresh || !Files.isDirectory(root)) {
            return otherwise;
        }
        Pattern name = Pattern.compile(Pattern.quote(suite) + "-[0-9]{8}-[0-9]{6}");
        try (Stream<Path> directories = Files.list(root)) {
            return directories
                    .filter(directory ->
                            name.matcher(directory.getFileName().toString()).matches())
                    .filter(directory -> !Files.exists(directory.resolve(COMPLETE)))
                    .max(Comparator.naturalOrder())
                    .orElse(otherwise);
        }
    }

    /**
     * What a suite has made already is not made again, unless all of it is made. An experiment that breaks down, as on a server
     * whose caches cannot be emptied, does not keep the others from being made.
     */
    private int runTogether(Content suite, List<Experiment> members, Path together)
            throws IOException, InterruptedException {
        List<Comparison> comparisons = new ArrayList<>();
        List<Path> directories = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (Experiment member : members) {
            try {
                Path made = Ledger.make(host, member, together, Ledger.find(together, member));
                comparisons.add(CompareCommand.write(host, made, OtherDifferences.WITHHOLD));
                directories.add(made);
            } catch (TargetException brokeDown) {
                host.status("");
                broken.add(member.name() + " was not made: " + brokeDown.getMessage());
                host.line(broken.get(broken.size() - 1));
                continue;
            }
            // After each one, so that there is a report of those that were made, whatever happens to the others.
            host.line("together: "
                    + ComparisonReports.write(together, suite.suite(), suite.question(), members, directories));
        }
        host.line("");
        ComparisonReports.conclusions(members, comparisons).forEach(host::line);
        if (broken.isEmpty()) {
            Files.writeString(together.resolve(COMPLETE), "");
            return exitCode(comparisons);
        }
        broken.forEach(host::line);
        return ExitCode.TARGET_FAILED.number();
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
