package siemload.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
import siemload.compare.CapacityResult;
import siemload.compare.CapacityRuns;
import siemload.compare.Comparer;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Comparison;
import siemload.compare.ComparisonReports;
import siemload.compare.Experiment;
import siemload.compare.ExperimentPlan;
import siemload.compare.ExperimentReader;
import siemload.compare.ExperimentReader.Content;
import siemload.compare.GateResult;
import siemload.compare.GateRuns;
import siemload.compare.HistoryEntry;
import siemload.compare.Ledger;
import siemload.compare.ResultFile;
import siemload.compare.VariantConnections;
import siemload.compare.VariedLoad;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.directory.Reason;
import siemload.database.TargetException;
import siemload.load.SiemSimulation;
import siemload.results.report.Report;
import siemload.run.ExitCode;
import siemload.run.RunDirectory;

/** The commands that make several runs and compare them, or compare those that were made. */
final class CompareCommands {
    private CompareCommands() {}

    /** One that makes runs, or says which it would make. */
    private abstract static class MakesRuns extends SiemloadCommand {
        @Option(names = "--plan")
        private boolean planOnly;

        /** Whether nothing is to be run, which is said of servers that were looked at. */
        boolean endsWithPlan(int servers) {
            if (planOnly && servers > 0) {
                host.line("ready: run the same command without --plan");
            }
            return planOnly;
        }

        final Path results(String kind) {
            return host.settings().value(Property.RESULTS).toAbsolutePath().resolve(kind);
        }
    }

    /** Compares the runs in the directory of an experiment, writes the reports beside them, and prints the verdicts. */
    private static Comparison write(ProcessHost host, Path directory, OtherDifferences others) throws IOException {
        Comparison comparison = Comparer.compare(directory, others);
        ResultFile.COMPARISON.write(directory, comparison);
        List<Path> reports = ComparisonReports.write(directory, comparison);
        tell(host, ComparisonReports.report(comparison), ResultFile.COMPARISON.in(directory), reports);
        if (!comparison.differences().isEmpty() && others == OtherDifferences.WITHHOLD) {
            host.line("(verdicts nevertheless: ./siemload compare --accept-differences " + directory + ")");
        }
        return comparison;
    }

    /** Writes the reports beside {@code capacity.json}, and prints what the largest load is. */
    private static ExitCode writeCapacity(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        List<Path> reports = ComparisonReports.write(directory, result);
        tell(host, ComparisonReports.report(result), CapacityResult.FILE.in(directory), reports);
        return result.exitCode();
    }

    /** Says what was found, and where results are: what a program reads, and what people do. */
    private static void tell(ProcessHost host, Report report, Path result, List<Path> reports) {
        host.line("");
        ComparisonReports.text(report).forEach(host::line);
        host.line("results: " + result);
        reports.forEach(file -> host.line("         " + file));
    }

    private static ExitCode exitCode(List<Comparison> comparisons) {
        return comparisons.stream().anyMatch(Comparison::saysSomething) ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }

    /** Answers a question with runs that differ in one thing. */
    @Command(name = "experiment")
    static final class ExperimentCommand extends MakesRuns {
        /** Marks a suite of which everything was made. */
        private static final String COMPLETE = "complete";

        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Option(names = "--repeats", paramLabel = "N")
        private Optional<Integer> repeats = Optional.empty();

        @Option(names = "--values", split = ",", paramLabel = "VALUE")
        private List<String> values = new ArrayList<>();

        @Option(names = "--fresh")
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
            if (endsWithPlan(
                    plans.stream().mapToInt(ExperimentPlan::checkServers).sum())) {
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
            String named = Pattern.quote(suite) + "-[0-9]{8}-[0-9]{6}";
            try (Stream<Path> directories = fresh || !Files.isDirectory(root) ? Stream.of() : Files.list(root)) {
                return directories
                        .filter(directory ->
                                String.valueOf(directory.getFileName()).matches(named)
                                        && !Files.exists(directory.resolve(COMPLETE)))
                        .max(Comparator.naturalOrder())
                        .orElseGet(() -> root.resolve(suite + "-" + RunDirectory.timestamp(Instant.now())));
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
    @Command(name = "gate")
    static final class GateCommand extends MakesRuns {
        private static final String JUNIT = "junit.xml";

        @Option(names = "--baseline", split = ",", paramLabel = "NAME=VALUE")
        private Map<String, String> baseline = new LinkedHashMap<>();

        @Option(names = "--candidate", split = ",", paramLabel = "NAME=VALUE")
        private Map<String, String> candidate = new LinkedHashMap<>();

        @Option(names = "--pairs", paramLabel = "N")
        private Optional<Integer> pairs = Optional.empty();

        @Option(names = "--tolerate", split = ",", paramLabel = "FACT")
        private Set<String> tolerated = new LinkedHashSet<>();

        @Override
        ExitCode run() throws IOException, InterruptedException {
            host.protectResults();
            Instant started = Instant.now();
            pairs.ifPresent(wanted -> requireWithin(
                    wanted >= 6 && wanted <= 100, "pairs", wanted, "6 to 100; fewer than 6 pairs decide nothing"));
            Path directory = results("gates").resolve("gate-" + RunDirectory.timestamp(started));
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
            List<Path> reports = List.of(
                    Files.writeString(directory.resolve("summary.md"), ComparisonReports.markdown(result)),
                    Files.writeString(directory.resolve(JUNIT), ComparisonReports.junit(result)),
                    ComparisonReports.write(runs, result.paired()).get(0));
            tell(host, ComparisonReports.report(result), ResultFile.GATE.in(directory), reports);
        }
    }

    /** Finds the largest load that still meets the objectives. */
    @Command(name = "capacity")
    static final class CapacityCommand extends MakesRuns {
        @Option(names = "--objective", paramLabel = "OBJECTIVE")
        private List<String> objectives = new ArrayList<>();

        @Option(names = "--vary", paramLabel = "LOAD")
        private String vary = "users";

        @Option(names = "--start", paramLabel = "LOAD")
        private Optional<Double> start = Optional.empty();

        @Option(names = "--least", paramLabel = "LOAD")
        private Optional<Double> least = Optional.empty();

        @Option(names = "--most", paramLabel = "LOAD")
        private Optional<Double> most = Optional.empty();

        @Option(names = "--precision", paramLabel = "PERCENT")
        private double precision = 10;

        @Option(names = "--runs", paramLabel = "N")
        private int runs = 30;

        @Option(names = "--fresh")
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
                ProcessHost.add(new Setting("objectives", all, new Origin.Option("objective")));
            }
        }
    }

    /** Compares the runs of an experiment again, or tells a capacity again. */
    @Command(name = "compare")
    static final class CompareCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR")
        private Path directory = Path.of("");

        @Option(names = "--accept-differences")
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
                        "is not a directory of an experiment (needed: one with an experiment.json, such as"
                                + " target/siemload/experiments/hints-20261121-101500)");
            }
            OtherDifferences others = acceptDifferences ? OtherDifferences.ACCEPT : OtherDifferences.WITHHOLD;
            return exitCode(List.of(write(host, directory, others)));
        }
    }

    /** Shows what was measured night by night. */
    @Command(name = "history")
    static final class HistoryCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR", arity = "1..*")
        private List<Path> directories = new ArrayList<>();

        @Override
        ExitCode run() throws IOException {
            List<HistoryEntry> entries = new ArrayList<>();
            for (Path directory : directories) {
                try {
                    entries.add(HistoryEntry.read(directory));
                } catch (IOException without) {
                    // A night that was killed must not hide all others.
                    host.line(Reason.of(without));
                    if (directories.size() == 1) {
                        throw without;
                    }
                }
            }
            entries.stream()
                    .filter(entry -> entry.figures().isEmpty())
                    .forEach(entry -> host.line(entry.label() + ": has no figures that count"));
            Path page = Files.createDirectories(
                            host.settings().value(Property.RESULTS).toAbsolutePath())
                    .resolve("history.html");
            Files.writeString(page, ComparisonReports.history(entries));
            host.line("plot: " + page);
            return ExitCode.OK;
        }
    }
}
