package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import siemload.compare.capacity.CapacityRuns;
import siemload.compare.capacity.VariedLoad;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.run.ExitCode;

/** Finds the largest load that still meets the objectives. */
@Command(
        name = "capacity",
        description = {
            "Finds the largest load that meets all objectives.",
            "Gives it with an interval: doubles the load until one is missed, then runs what halves the doubt, as"
                    + " often as it takes. What was interrupted goes on where it was. All options of a run are taken as"
                    + " well."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:the largest load is known, or the largest that was allowed meets the objectives",
            "1:not even the smallest load meets the objectives",
            "2:invalid input or usage",
            "3:a run broke down",
            "4:the largest load is not known, or not as exactly as was asked for",
            "130:interrupted"
        },
        footer = {
            "  ./siemload capacity --scenario hawat --objective \"HAWAT1 responseTime p95 < 2s\"",
            "  ./siemload capacity --scenario hawat --vary eventsPerSecond --plan",
            "  ./siemload capacity --scenario arrivals --vary arrivals --duration 60s --most 1000"
        })
final class CapacityCommand implements Callable<Integer> {
    private static final double MOST_PERCENT = 50;
    private static final int MOST_RUNS = 1000;
    private static final int FEWEST_RUNS = 2;

    @Option(
            names = "--objective",
            paramLabel = "OBJECTIVE",
            description = "what a load must meet; may be given several times. Those of the scenario unless given")
    private List<String> objectives = new ArrayList<>();

    @Option(
            names = "--vary",
            paramLabel = "LOAD",
            description = "what grows: users, eventsPerSecond or arrivals; default ${DEFAULT-VALUE}")
    private String vary = "users";

    @Option(
            names = "--start",
            paramLabel = "LOAD",
            description = "where to begin; the load of the scenario unless given")
    private Optional<Double> start = Optional.empty();

    @Option(
            names = "--least",
            paramLabel = "LOAD",
            description = "the smallest load; one user a group unless given, or one batch of the feeder")
    private Optional<Double> least = Optional.empty();

    @Option(
            names = "--most",
            paramLabel = "LOAD",
            description = "the largest load; 1024 times the first one unless given")
    private Optional<Double> most = Optional.empty();

    @Option(
            names = "--precision",
            paramLabel = "PERCENT",
            description = "ends when the load is known within so many percent to each side; default ${DEFAULT-VALUE}")
    private double precision = 10;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "ends after so many runs, 2 to 1000; default ${DEFAULT-VALUE}")
    private int runs = 30;

    @Option(names = "--fresh", description = "start anew, also where a search that was interrupted could go on")
    private boolean fresh;

    @Option(names = "--plan", description = "say what would be run, and for how long at most, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        useObjectives();
        CapacityRuns.Plan plan = plan();
        plan.describe().forEach(host::line);
        if (planOnly) {
            return ExitCode.OK.number();
        }
        Optional<Path> begun = fresh ? Optional.empty() : CapacityRuns.findUnfinished(host, plan);
        Path directory = CapacityRuns.make(host, plan, begun);
        return CompareCommand.writeCapacity(host, directory);
    }

    private CapacityRuns.Plan plan() {
        Choices<VariedLoad> known = Choices.camelCase(VariedLoad.class);
        VariedLoad varied = known.find(vary)
                .orElseThrow(() -> refused("vary", "'" + vary + "' is unknown (" + known.help(vary) + ")"));
        if (!(precision > 0 && precision <= MOST_PERCENT)) {
            throw refused("precision", precision + " is out of range (allowed: above 0 and up to 50 percent)");
        }
        if (runs < FEWEST_RUNS || runs > MOST_RUNS) {
            throw refused("runs", runs + " is out of range (allowed: 2 to 1000)");
        }
        return CapacityRuns.Plan.of(host, varied, least, start, most, precision, runs);
    }

    /** All runs are held to them, so they are the property of runs. */
    private void useObjectives() {
        if (objectives.isEmpty()) {
            return;
        }
        String name = Property.OBJECTIVES.name();
        if (ProcessHost.option(name).isPresent()) {
            throw new ConfigException(
                    ProcessHost.originOfOption(name),
                    "says the objectives a second time, beside --objective (leave one out)");
        }
        ProcessHost.addOption(name, String.join(", ", objectives), new Origin.Option("objective"));
    }

    private static ConfigException refused(String option, String message) {
        return new ConfigException(new Origin.Option(option), message);
    }
}
