package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import siemload.compare.capacity.CapacityPlan;
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
            description = "ends after so many runs, 2 to 1000, of each search; default ${DEFAULT-VALUE}")
    private int runs = 30;

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
        useObjectives();
        CapacityPlan plan = CapacityPlan.of(host, request());
        plan.describe().forEach(host::line);
        if (planOnly) {
            return ExitCode.OK.number();
        }
        Optional<Path> begun = fresh ? Optional.empty() : CapacityRuns.findUnfinished(host, plan);
        Path directory = CapacityRuns.make(host, plan, begun);
        return ExperimentReports.writeCapacity(host, directory).number();
    }

    private CapacityPlan.Request request() {
        VariedLoad varied = load("vary", vary);
        if (!(precision > 0 && precision <= MOST_PERCENT)) {
            throw refused("precision", precision + " is out of range (allowed: above 0 and up to 50 percent)");
        }
        if (runs < FEWEST_RUNS || runs > MOST_RUNS) {
            throw refused("runs", runs + " is out of range (allowed: 2 to 1000)");
        }
        String[] parts = against.orElse("").split("=", 2);
        VariedLoad beside = against.isPresent() ? load("against", parts[0].strip()) : varied;
        if (against.isPresent() && beside == varied) {
            throw refused(
                    "against",
                    "says values of " + beside.label() + ", which is what grows (allowed: values of another load)");
        }
        List<Double> values = against.isPresent() ? values(parts) : List.of();
        return new CapacityPlan.Request(varied, least, start, most, precision, runs, beside, values);
    }

    /** Values of a load: {@code eventsPerSecond=0,500,1000}. */
    private static List<Double> values(String[] parts) {
        List<Double> values = new ArrayList<>();
        for (String number : parts.length < 2 ? new String[] {""} : parts[1].split(",", -1)) {
            if (!NUMBER.matcher(number.strip()).matches()) {
                throw refused(
                        "against",
                        "'" + number.strip() + "' is no number (allowed: " + parts[0] + "=0,500,1000, of 0 or more)");
            }
            values.add(Double.parseDouble(number.strip()));
        }
        if (values.size() > MOST_POINTS || values.stream().distinct().count() < values.size()) {
            throw refused("against", "'" + parts[1] + "' (allowed: different values, " + MOST_POINTS + " at most)");
        }
        return values;
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

    private static VariedLoad load(String option, String name) {
        Choices<VariedLoad> known = Choices.camelCase(VariedLoad.class);
        return known.find(name)
                .orElseThrow(() -> refused(option, "'" + name + "' is unknown (" + known.help(name) + ")"));
    }
}
