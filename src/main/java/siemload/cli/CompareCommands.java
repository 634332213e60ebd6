package siemload.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityRuns;
import siemload.compare.capacity.VariedLoad;
import siemload.compare.experiment.Comparer;
import siemload.compare.experiment.Comparer.OtherDifferences;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.ExperimentPlan;
import siemload.compare.experiment.ExperimentReader;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRuns;
import siemload.compare.experiment.History;
import siemload.compare.experiment.History.HistoryEntry;
import siemload.compare.experiment.Ledger;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.VariantConnections;
import siemload.compare.report.ComparisonReports;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.load.SiemSimulation;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.TimestampName;

/** The commands that make several runs and compare them, or compare those that were made. */
final class CompareCommands {
    private CompareCommands() {}

    /** One that makes runs, or says which it would make. */
    private abstract static class MakesRuns extends SiemloadCommand {
        @Option(
                names = "--plan",
                description = "say what would be run, for how long, and whether all that it needs is there, and end")
        private boolean planOnly;

        /** Whether nothing is to be run, which is said of servers that were looked at. */
        boolean endsWithPlan(int servers) {
            if (planOnly && servers > 0) {
                host.line("ready: the same command without --plan makes these runs");
            }
            return planOnly;
        }

        static void requireWithin(boolean within, String option, Object value, String allowed) {
            if (!within) {
                throw refused(option, value + " is out of range (allowed: " + allowed + ")");
            }
        }

        final Path results(String kind) {
            return host.settings().value(Property.RESULTS).toAbsolutePath().resolve(kind);
        }
    }

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    private static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
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
    private static ExitCode writeCapacity(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        host.line("");
        ComparisonReports.text(result).forEach(host::line);
        files(host, CapacityResult.FILE.in(directory), ComparisonReports.write(directory, result));
        return result.exitCode();
    }

    /** Says where results are: what a program reads, and what people do. */
    private static void files(ProcessHost host, Path file, List<Path> reports) {
        host.line("results: " + file);
        reports.forEach(report -> host.line("         " + report));
    }

    private static ExitCode exitCode(List<Comparison> comparisons) {
        return comparisons.stream().anyMatch(Comparison::saysSomething) ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }

    /** What a shell may complete. */
    static final class Experiments implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ExperimentReader.names(new ProcessHost().home()).iterator();
        }
    }

    /** Answers a question with runs that differ in one thing. */
    @Command(
            name = "experiment",
            description = {
                "Compares variants by interleaved, repeated runs.",
                "The runs differ in one thing. An experiment that was interrupted goes on where it was. All options of a"
                        + " run are taken as well: they win over those of the file."
            },
            footer = {
                "  ./siemload experiment hints",
                "  ./siemload experiment ts2.1 -Dtarget=postgresql --repeats 3",
                "  ./siemload experiment cesnet --dataset cesnet-day",
                "  ./siemload experiment bunker --plan",
                "  ./siemload experiment upgrade --values postgres:17,postgres:18",
                "  ./siemload experiment servers --url.ours postgresql://db1/siem --url.theirs" + " mongodb://db2:27017"
            })
    static final class ExperimentCommand extends MakesRuns {
        /** Marks a suite of which everything was made. */
        private static final String COMPLETE = "complete";

        @Parameters(
                paramLabel = "NAME",
                completionCandidates = Experiments.class,
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

        @Override
        ExitCode run() throws IOException, InterruptedException {
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
            if (endsWithPlan(servers)) {
                return ExitCode.OK;
            }
            List<Experiment> planned =
                    plans.stream().map(ExperimentPlan::experiment).toList();
            Path root = results("experiments");
            if (content.isSuite()) {
                return runTogether(content, planned, suiteDirectory(root, content.suite()));
            }
            Experiment only = planned.get(0);
            Optional<Path> begun = fresh ? Optional.empty() : Ledger.findUnfinished(root, only);
            return exitCode(List.of(write(host, Ledger.make(host, only, root, begun), OtherDifferences.WITHHOLD)));
        }

        /** The directory of a suite that was interrupted, or a new one. */
        private Path suiteDirectory(Path root, String suite) throws IOException {
            Path otherwise = root.resolve(suite + "-" + TimestampName.of(Instant.now()));
            if (fresh || !Files.isDirectory(root)) {
                return otherwise;
            }
            Pattern named = Pattern.compile(Pattern.quote(suite) + "-[0-9]{8}-[0-9]{6}");
            try (Stream<Path> directories = Files.list(root)) {
                return directories
                        .filter(directory -> named.matcher(
                                        directory.getFileName().toString())
                                .matches())
                        .filter(directory -> !Files.exists(directory.resolve(COMPLETE)))
                        .max(Comparator.naturalOrder())
                        .orElse(otherwise);
            }
        }

        /**
         * What a suite has made already is not made again, unless all of it is made. An experiment that breaks down, as on a server
         * whose caches cannot be emptied, does not keep the others from being made.
         */
        private ExitCode runTogether(Content suite, List<Experiment> members, Path together)
                throws IOException, InterruptedException {
            List<Comparison> comparisons = new ArrayList<>();
            List<Path> directories = new ArrayList<>();
            List<String> broken = new ArrayList<>();
            for (Experiment member : members) {
                try {
                    Path made = Ledger.make(host, member, together, Ledger.find(together, member));
                    comparisons.add(write(host, made, OtherDifferences.WITHHOLD));
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
            return ExitCode.TARGET_FAILED;
        }
    }

    /** Decides whether a candidate may pass. */
    @Command(
            name = "gate",
            description = {
                "Decides whether a candidate is worse than a baseline.",
                "It does so in one job: by facts that are free of noise, and by pairs of runs in random order, beside"
                        + " which the baseline is compared with itself. What cannot be trusted is never green. All"
                        + " options of a run are taken as well, and hold for both sides."
            },
            customSynopsis = "siemload gate --baseline NAME=VALUE --candidate NAME=VALUE [OPTIONS]",
            footer = {
                "  ./siemload gate --scenario hawat --baseline hint=none --candidate hint=full-scan",
                "  ./siemload gate --baseline image=postgres:17 --candidate image=postgres:18 --tolerate blocks,wal",
                "  ./siemload gate --baseline parameters.jit=off --candidate parameters.jit=on --pairs 15",
                "  ./siemload gate --scenario mine.yaml --data existing --url.baseline URL --url.candidate URL --plan"
            })
    static final class GateCommand extends MakesRuns {
        private static final String JUNIT = "junit.xml";

        @Option(
                names = "--baseline",
                split = ",",
                paramLabel = "NAME=VALUE",
                description = "the properties of what is known, separated by commas; may be left out where"
                        + " --url.baseline or the candidate says what differs")
        private Map<String, String> baseline = new LinkedHashMap<>();

        @Option(names = "--candidate", split = ",", paramLabel = "NAME=VALUE", description = "those of what is to pass")
        private Map<String, String> candidate = new LinkedHashMap<>();

        @Option(
                names = "--pairs",
                paramLabel = "N",
                description = "pairs of runs at most, 6 to 100; default 24 of slices in one process, 11 of processes")
        private Optional<Integer> pairs = Optional.empty();

        @Option(
                names = "--tolerate",
                split = ",",
                paramLabel = "FACT",
                description = "facts whose change is meant: answers, blocks, plan, rows, wal")
        private Set<String> tolerated = new LinkedHashSet<>();

        @Override
        ExitCode run() throws IOException, InterruptedException {
            host.protectResults();
            Instant started = Instant.now();
            pairs.ifPresent(wanted -> requireWithin(
                    wanted >= 6 && wanted <= 100, "pairs", wanted, "6 to 100; fewer than 6 pairs decide nothing"));
            Path directory = results("gates").resolve("gate-" + TimestampName.of(started));
            GateRuns runs = new GateRuns(host, baseline, candidate, pairs, directory, SiemSimulation::runWithoutReport);
            for (String fact : tolerated) {
                if (!runs.facts().contains(fact)) {
                    String known = Choices.names(runs.facts()).help(fact);
                    throw refused("tolerate", "'" + fact + "' is unknown (" + known + ")");
                }
            }
            runs.describe().forEach(host::line);
            if (endsWithPlan(runs.checkServers())) {
                return ExitCode.OK;
            }
            // A gate that breaks down says so to the CI server, too.
            ProcessHost.tellFailures((why, cause) -> brokeDown(runs, started, why));
            host.onShutdown(() -> {
                if (!Files.exists(runs.directory().resolve(JUNIT))) {
                    brokeDown(runs, started, "the gate was interrupted");
                }
            });
            GateResult result = runs.decide(started.toString(), tolerated);
            write(runs.directory(), result);
            return switch (result.outcome()) {
                case PASSED -> ExitCode.OK;
                case REGRESSION -> ExitCode.MISSED;
                case HOST_TOO_NOISY, INVALID -> ExitCode.INCONCLUSIVE;
            };
        }

        private static void brokeDown(GateRuns runs, Instant started, String why) {
            try {
                Files.writeString(
                        Files.createDirectories(runs.directory()).resolve(JUNIT),
                        ComparisonReports.brokenDown(runs.name(), started.toString(), why));
            } catch (IOException unwritten) {
                throw new UncheckedIOException(unwritten);
            }
        }

        /** Writes what a gate decided, and says it. */
        private void write(Path directory, GateResult result) throws IOException {
            ResultFile.GATE.write(directory, result);
            Path runs = directory.resolve(GateRuns.PAIRS);
            ResultFile.COMPARISON.write(runs, result.paired());
            host.line("");
            ComparisonReports.text(result).forEach(host::line);
            files(
                    host,
                    ResultFile.GATE.in(directory),
                    List.of(
                            Files.writeString(directory.resolve("summary.md"), ComparisonReports.markdown(result)),
                            Files.writeString(directory.resolve(JUNIT), ComparisonReports.junit(result)),
                            ComparisonReports.write(runs, result.paired()).get(0)));
        }
    }

    /** Finds the largest load that still meets the objectives. */
    @Command(
            name = "capacity",
            description = {
                "Finds the largest load that meets all objectives.",
                "Gives it with an interval: doubles the load until one is missed, then runs what halves the doubt, as"
                        + " often as it takes. What was interrupted goes on where it was. All options of a run are"
                        + " taken as well."
            },
            footer = {
                "  ./siemload capacity --scenario hawat --objective \"HAWAT1 responseTime p95 < 2s\"",
                "  ./siemload capacity --scenario hawat --vary eventsPerSecond --plan",
                "  ./siemload capacity --scenario arrivals --vary arrivals --duration 60s --most 1000"
            })
    static final class CapacityCommand extends MakesRuns {
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
                description =
                        "ends when the load is known within so many percent to each side; default ${DEFAULT-VALUE}")
        private double precision = 10;

        @Option(
                names = "--runs",
                paramLabel = "N",
                description = "ends after so many runs, 2 to 1000; default ${DEFAULT-VALUE}")
        private int runs = 30;

        @Option(names = "--fresh", description = "start anew, also where a search that was interrupted could go on")
        private boolean fresh;

        @Override
        ExitCode run() throws IOException, InterruptedException {
            host.protectResults();
            useObjectives();
            Choices<VariedLoad> known = Choices.camelCase(VariedLoad.class);
            VariedLoad varied = known.find(vary)
                    .orElseThrow(() -> refused("vary", "'" + vary + "' is unknown (" + known.help(vary) + ")"));
            requireWithin(precision > 0 && precision <= 50, "precision", precision, "above 0 and up to 50 percent");
            requireWithin(runs >= 2 && runs <= 1000, "runs", runs, "2 to 1000");
            CapacityRuns.Plan plan = CapacityRuns.Plan.of(host, varied, least, start, most, precision, runs);
            plan.describe().forEach(host::line);
            if (endsWithPlan(0)) {
                return ExitCode.OK;
            }
            Optional<Path> begun = fresh ? Optional.empty() : CapacityRuns.findUnfinished(host, plan);
            return writeCapacity(host, CapacityRuns.make(host, plan, begun));
        }

        /** All runs are held to them, in the place of the scenario's. */
        private void useObjectives() {
            if (!objectives.isEmpty()) {
                String all = objectives.stream()
                        .map(one -> "'" + one.replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", "[", "]"));
                ProcessHost.addOption("objectives", all, new Origin.Option("objective"));
            }
        }
    }

    /** Compares the runs of an experiment again, or tells a capacity again. */
    @Command(
            name = "compare",
            description = {
                "Compares the runs of an experiment again.",
                "Reads their files alone, also while some are missing; shows the result of a capacity again."
            },
            footer = {"  ./siemload compare target/siemload/experiments/hints-20261121-101500"})
    static final class CompareCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR", description = "the directory of an experiment, or of a capacity")
        private Path directory = Path.of("");

        @Option(
                names = "--accept-differences",
                description = "give verdicts although something else differed between the runs")
        private boolean acceptDifferences;

        @Override
        ExitCode run() throws IOException {
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
            OtherDifferences others = acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD;
            return exitCode(List.of(write(host, directory, others)));
        }
    }

    /** Shows what was measured night by night. */
    @Command(
            name = "history",
            description = {
                "Plots what was measured night by night.",
                "Reads the directories of gates and runs, however old they are; of a gate its gate.json is enough."
            },
            footer = {"  ./siemload history target/siemload/gates/*", "  ./siemload history nights/*"})
    static final class HistoryCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR", arity = "1..*", description = "directories with results of gates or runs")
        private List<Path> directories = new ArrayList<>();

        @Override
        ExitCode run() throws IOException {
            List<HistoryEntry> entries = new ArrayList<>();
            for (Path directory : directories) {
                try {
                    HistoryEntry entry = HistoryEntry.read(directory);
                    if (entry.figures().isEmpty()) {
                        host.line(directory + ": has no figures that count");
                    }
                    entries.add(entry);
                } catch (IOException without) {
                    // A night that was killed must not hide all others.
                    host.line(Reason.of(without));
                    if (directories.size() == 1) {
                        throw without;
                    }
                }
            }
            History history = new History(entries);
            Table table = Table.titled("", "<figure", "<nights", "<first", "<latest");
            history.courses()
                    .forEach((of, figures) -> figures.forEach((figure, nights) -> {
                        long doubtful = nights.stream()
                                .filter(night -> HistoryEntry.NOT_TRUSTED.contains(night.outcome()))
                                .count();
                        table.row(
                                of,
                                figure,
                                nights.size() + (doubtful == 0 ? "" : " (" + doubtful + " doubtful)"),
                                shown(figure, nights.get(0)),
                                shown(figure, nights.get(nights.size() - 1)));
                    }));
            host.line(table.lines());
            Path page = Files.createDirectories(
                            host.settings().value(Property.RESULTS).toAbsolutePath())
                    .resolve("history.html");
            Files.writeString(page, ComparisonReports.history(history));
            host.line("\nplot: " + page);
            return ExitCode.OK;
        }

        /** In the unit of its metric. */
        private static String shown(String figure, HistoryEntry night) {
            return Metric.ofFigure(figure).inWords().shown(night.figures().getOrDefault(figure, 0.0));
        }
    }
}
