package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRuns;
import siemload.compare.experiment.ResultFile;
import siemload.compare.report.ComparisonReports;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.TimestampName;

/** Decides whether a candidate may pass. */
@Command(
        name = "gate",
        description = {
            "Decides whether a candidate is worse than a baseline.",
            "It does so in one job: by facts that are free of noise, and by pairs of runs in random order, beside"
                    + " which the baseline is compared with itself. What cannot be trusted is never green. All options of"
                    + " a run are taken as well, and hold for both sides."
        },
        mixinStandardHelpOptions = true,
        customSynopsis = "siemload gate --baseline NAME=VALUE --candidate NAME=VALUE [OPTIONS]",
        exitCodeList = {
            "0:no regression was decided",
            "1:a regression was decided",
            "2:invalid input or usage",
            "3:a run broke down",
            "4:the host is too noisy, or the runs cannot be trusted",
            "130:interrupted"
        },
        footer = {
            "  ./siemload gate --scenario hawat --baseline hint=none --candidate hint=full-scan",
            "  ./siemload gate --baseline image=postgres:17 --candidate image=postgres:18 --tolerate blocks,wal",
            "  ./siemload gate --baseline parameters.jit=off --candidate parameters.jit=on --pairs 15",
            "  ./siemload gate --scenario mine.yaml --data existing --url.baseline URL --url.candidate URL --plan"
        })
final class GateCommand implements Callable<Integer> {
    private static final int FEWEST_PAIRS = 6;
    private static final int MOST_PAIRS = 100;
    private static final String JUNIT = "junit.xml";

    @Option(
            names = "--baseline",
            split = ",",
            paramLabel = "NAME=VALUE",
            description =
                    "the properties of what is known, separated by commas; may be left out where --url.baseline or"
                            + " the candidate says what differs")
    private Map<String, String> baseline = new LinkedHashMap<>();

    @Option(names = "--candidate", split = ",", paramLabel = "NAME=VALUE", description = "those of what is to pass")
    private Map<String, String> candidate = new LinkedHashMap<>();

    @Option(names = "--pairs", paramLabel = "N", description = "pairs of runs, 6 to 100; default ${DEFAULT-VALUE}")
    private int pairs = 11;

    @Option(
            names = "--tolerate",
            split = ",",
            paramLabel = "FACT",
            description = "facts whose change is meant: answers, blocks, plan, rows, wal")
    private List<String> tolerated = new ArrayList<>();

    @Option(
            names = "--plan",
            description = "say what would be run, for how long, and whether all that it needs is there, and end")
    private boolean planOnly;

    private final ProcessHost host = new ProcessHost();

    @Override
    public Integer call() throws IOException, InterruptedException {
        host.protectResults();
        Instant started = Instant.now();
        GateRuns runs = new GateRuns(host, baseline, candidate, checkedPairs(), directory(started));
        requireKnown("tolerate", tolerated, runs.facts());
        Set<String> meant = new LinkedHashSet<>(tolerated);
        runs.describe().forEach(host::line);
        int servers = runs.checkServers();
        if (planOnly) {
            if (servers > 0) {
                host.line("ready: the same command without --plan makes these runs");
            }
            return ExitCode.OK.number();
        }
        GateResult result = decide(runs, started, meant);
        write(runs.directory(), result);
        return switch (result.outcome()) {
            case PASSED -> ExitCode.OK.number();
            case REGRESSION -> ExitCode.MISSED.number();
            case HOST_TOO_NOISY, INVALID -> ExitCode.INCONCLUSIVE.number();
        };
    }

    /** A gate that breaks down says so to the CI server, too. */
    private static GateResult decide(GateRuns runs, Instant started, Set<String> meant)
            throws IOException, InterruptedException {
        try {
            return runs.decide(started.toString(), meant);
        } catch (TargetException | InterruptedException brokeDown) {
            String why = String.valueOf(brokeDown.getMessage());
            Files.writeString(
                    runs.directory().resolve(JUNIT),
                    ComparisonReports.brokenDown(runs.name(), started.toString(), why));
            throw brokeDown;
        }
    }

    private Path directory(Instant started) {
        Path results = host.settings().value(Property.RESULTS).toAbsolutePath();
        return results.resolve("gates").resolve("gate-" + TimestampName.of(started));
    }

    private int checkedPairs() {
        if (pairs < FEWEST_PAIRS || pairs > MOST_PAIRS) {
            throw new ConfigException(
                    new Origin.Option("pairs"),
                    pairs + " is out of range (allowed: " + FEWEST_PAIRS + " to " + MOST_PAIRS + "; fewer than "
                            + FEWEST_PAIRS + " pairs decide nothing)");
        }
        return pairs;
    }

    private static void requireKnown(String option, List<String> given, Collection<String> known) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new ConfigException(
                        new Origin.Option(option),
                        "'" + name + "' is unknown (" + Choices.names(known).help(name) + ")");
            }
        }
    }

    /** Writes what a gate decided, and says it. */
    private void write(Path directory, GateResult result) throws IOException {
        ResultFile.GATE.write(directory, result);
        Path pairs = directory.resolve(GateRuns.PAIRS);
        ResultFile.COMPARISON.write(pairs, result.paired());
        host.line("");
        ComparisonReports.text(result).forEach(host::line);
        CompareCommand.files(
                host,
                ResultFile.GATE.in(directory),
                List.of(
                        Files.writeString(directory.resolve("summary.md"), ComparisonReports.markdown(result)),
                        Files.writeString(directory.resolve(JUNIT), ComparisonReports.junit(result)),
                        ComparisonReports.write(pairs, result.paired()).get(0)));
    }
}
