package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import siemload.compare.capacity.CapacityPlan;
import siemload.compare.capacity.CapacityPlan.Against;
import siemload.compare.capacity.CapacityRuns;
import siemload.compare.capacity.VariedLoad;
import siemload.compare.experiment.Experiments;
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
            "  ./siemload capacity --scenario hawat --vary users,eventsPerSecond --runs 15",
            "  ./siemload capacity --scenario hawat --vary users --against eventsPerSecond=0,500,1000",
            "  ./siemload capacity --scenario arrivals --vary arrivals --duration 60s --most 1000"
        })
final class CapacityCommand implements Callable<Integer> {
    private static final double MOST_PERCENT = 50;
    private static final int MOST_RUNS = 1000;
    private static final int FEWEST_RUNS = 2;
    private static final int MOST_POINTS = 20;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    @Option(
            names = "--objective",
            paramLabel = "OBJECTIVE",
            description = "what a load must meet; may be given several times. Those of the scenario unless given")
    private List<String> objectives = new ArrayList<>();

    @Option(
            names = "--vary",
            split = ",",
            paramLabel = "LOAD",
            description =
                    "what grows: users, eventsPerSecond or arrivals; two of them with a comma between for the most of"
                            + " the first one at several values of the second. Default users")
    private List<String> vary = new ArrayList<>();

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
            description = "ends after so many runs, 2 to 1000, of each search; default ${DEFAULT-VALUE}")
    private int runs = 30;

    @Option(
            names = "--points",
            paramLabel = "N",
            description = "of two loads: at how many values of the second one, 2 to 20; default 5")
    private Optional<Integer> points = Optional.empty();

    @Option(
            names = "--against",
            paramLabel = "LOAD=N,...",
            description = "values of another load, 20 at most: looks beside each of them for the most of what grows")
    private Optional<String> against = Optional.empty();

    @Option(names = "--fresh", description = "start anew, also where a search that was interrupted could go on")
    private boolean fresh;

    @Option(names = "--plan", description = "say what would be run, and for how long at most, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        CapacityPlan plan = plan();
        plan.describe().forEach(host::line);
        if (planOnly) {
            return ExitCode.OK.number();
        }
        Path directory = CapacityRuns.make(host, plan, fresh ? Experiments.Start.ANEW : Experiments.Start.WHERE_IT_WAS);
        return ExperimentReports.writeCapacity(host, directory).number();
    }

    /**
     * What is to be run, of which nothing has started.
     *
     * @throws ConfigException if the options, or the scenario with them, do not say that
     */
    CapacityPlan plan() {
        useObjectives();
        return CapacityPlan.of(host, request());
    }

    private CapacityPlan.Request request() {
        List<VariedLoad> varied = varied();
        if (!(precision > 0 && precision <= MOST_PERCENT)) {
            throw refused("precision", precision + " is out of range (allowed: above 0 and up to 50 percent)");
        }
        if (runs < FEWEST_RUNS || runs > MOST_RUNS) {
            throw refused("runs", runs + " is out of range (allowed: 2 to 1000)");
        }
        return new CapacityPlan.Request(
                varied,
                least,
                start,
                most,
                precision,
                runs,
                checkedPoints(varied),
                against.map(values -> against(values, varied)));
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

    private List<VariedLoad> varied() {
        List<VariedLoad> varied = vary.isEmpty()
                ? List.of(VariedLoad.USERS)
                : vary.stream().map(name -> load("vary", name)).toList();
        if (varied.size() > 2 || varied.stream().distinct().count() < varied.size()) {
            throw refused(
                    "vary",
                    "'" + String.join(",", vary) + "' cannot vary together (allowed: one, or two different ones)");
        }
        return varied;
    }

    private Optional<Integer> checkedPoints(List<VariedLoad> varied) {
        if (points.isPresent() && varied.size() < 2) {
            throw refused(
                    "points",
                    "says at how many values of a second load, and there is none (give two to --vary; --against says"
                            + " the values themselves)");
        }
        points.filter(some -> some < 2 || some > MOST_POINTS).ifPresent(some -> {
            throw refused("points", some + " is out of range (allowed: 2 to 20)");
        });
        return points;
    }

    private static ConfigException refused(String option, String message) {
        return new ConfigException(new Origin.Option(option), message);
    }

    /**
     * Reads values of a load: {@code eventsPerSecond=0,500,1000}.
     *
     * @param varied what grows beside them
     * @throws ConfigException if they are none, or of what grows
     */
    private static Against against(String text, List<VariedLoad> varied) {
        String[] parts = text.split("=", 2);
        VariedLoad load = load("against", parts[0].strip());
        if (varied.size() > 1 || varied.contains(load)) {
            String labels = varied.stream().map(VariedLoad::label).collect(Collectors.joining(","));
            throw refused(
                    "against",
                    "says values of " + load.label() + " beside --vary " + labels
                            + " (allowed: one load to vary, and values of another one)");
        }
        if (parts.length < 2 || parts[1].isBlank()) {
            throw refused("against", "says no values (allowed: " + load.label() + "=0,500,1000)");
        }
        List<Double> loads = new ArrayList<>();
        for (String number : parts[1].split(",", -1)) {
            if (!NUMBER.matcher(number.strip()).matches()) {
                throw refused("against", "'" + number.strip() + "' is no number (allowed: 0 or more)");
            }
            loads.add(Double.parseDouble(number.strip()));
        }
        if (loads.size() > MOST_POINTS || loads.stream().distinct().count() < loads.size()) {
            throw refused("against", "'" + parts[1] + "' (allowed: different values, " + MOST_POINTS + " at most)");
        }
        return new Against(load, loads);
    }

    private static VariedLoad load(String option, String name) {
        Choices<VariedLoad> known = Choices.camelCase(VariedLoad.class);
        return known.find(name)
                .orElseThrow(() -> refused(option, "'" + name + "' is unknown (" + known.help(name) + ")"));
    }
}
