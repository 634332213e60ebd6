package siemload.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.compare.CapacityResult;
import siemload.compare.CapacityResult.VariedLoad;
import siemload.compare.CapacityRuns;
import siemload.compare.Comparer;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Comparison;
import siemload.compare.ComparisonReports;
import siemload.compare.ComparisonReports.HistoryEntry;
import siemload.compare.Experiment;
import siemload.compare.ExperimentPlan;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.compare.ExperimentReader;
import siemload.compare.ExperimentReader.Content;
import siemload.compare.GateRules.GateResult;
import siemload.compare.GateRuns;
import siemload.compare.ResultFile;
import siemload.compare.RunLog.Ledger;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.database.Partitions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.dataset.LineProblems;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.Learner;
import siemload.event.EventLineReader;
import siemload.event.IdeaLineWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.load.SiemSimulation;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.report.FitPage;
import siemload.results.report.Report;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.LayoutTrial;
import siemload.run.RunDirectory;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.run.selftest.SelftestRuns;
import siemload.run.selftest.SelftestRuns.Check;
import siemload.run.storage.DiskMeter;

/** Commands that compare runs, convert recordings or learn from them, or check siemload itself, a disk or a layout. */
final class Commands {
    private Commands() {}

    /** A command that performs runs, or prints a plan of them with {@code --plan}. */
    private abstract static class MakesRuns extends SiemloadCommand {
        @Option(names = "--plan")
        boolean planOnly;

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
            host.line("(to get verdicts anyway: ./siemload compare --accept-differences " + directory + ")");
        }
        return comparison;
    }

    /** Writes the reports next to {@code capacity.json}, and prints the largest load. */
    private static ExitCode writeCapacity(ProcessHost host, Path directory) throws IOException {
        CapacityResult result = CapacityResult.FILE.read(directory);
        List<Path> reports = ComparisonReports.write(directory, result);
        tell(host, ComparisonReports.report(result), CapacityResult.FILE.in(directory), reports);
        return result.exitCode();
    }

    /** Prints the report and the paths of the files: the result for programs first, then the reports for people. */
    private static void tell(ProcessHost host, Report report, Path result, List<Path> reports) {
        host.line("");
        ComparisonReports.text(report).forEach(host::line);
        host.line("results: " + result);
        reports.forEach(file -> host.line("         " + file));
    }

    private static ExitCode exitCode(Collection<Comparison> comparisons) {
        return comparisons.stream().anyMatch(Comparison::saysSomething) ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }

    /** Answers a question with runs that differ in exactly one respect. */
    @Command(name = "experiment")
    static final class ExperimentCommand extends MakesRuns {
        /** The name of the file that marks a suite as complete. */
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
            plans.forEach(ExperimentPlan::checkServers);
            if (planOnly) {
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

        /** Returns the directory of an interrupted suite, or a new directory. */
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
         * Runs the experiments of a suite, except those that are already complete in its directory. An experiment that breaks down, for
         * example on a server whose caches cannot be emptied, does not stop the others.
         */
        private ExitCode runTogether(Content suite, List<Experiment> members, Path together)
                throws IOException, InterruptedException {
            Map<Path, Comparison> made = new LinkedHashMap<>();
            List<String> broken = new ArrayList<>();
            for (Experiment member : members) {
                try {
                    Path directory = Ledger.make(host, member, together, Ledger.find(together, member));
                    made.put(directory, write(host, directory, OtherDifferences.WITHHOLD));
                } catch (TargetException brokeDown) {
                    host.status("");
                    broken.add(member.name() + " was not made: " + brokeDown.getMessage());
                    host.line(broken.get(broken.size() - 1));
                    continue;
                }
                // The report is written after each experiment, so that it exists even if a later one fails.
                host.line("report of the suite: "
                        + ComparisonReports.write(together, suite.suite(), suite.question(), members, made));
            }
            host.line("");
            ComparisonReports.conclusions(members, made.values()).forEach(host::line);
            if (broken.isEmpty()) {
                Files.writeString(together.resolve(COMPLETE), "");
                return exitCode(made.values());
            }
            broken.forEach(host::line);
            return ExitCode.TARGET_FAILED;
        }
    }

    /** Compares a candidate with a baseline, and decides whether it may pass. */
    @Command(name = "gate")
    static final class GateCommand extends MakesRuns {
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
            // Fewer than 6 pairs cannot decide anything.
            pairs.ifPresent(wanted -> parsed("pairs", ValueType.wholeNumber(6, 100), wanted));
            Path directory = results("gates").resolve("gate-" + RunDirectory.timestamp(started));
            GateRuns runs = new GateRuns(host, baseline, candidate, pairs, directory, SiemSimulation::runWithoutReport);
            ValueType<String> facts = ValueType.choice(Choices.names(runs.facts()));
            tolerated.forEach(fact -> parsed("tolerate", facts, fact));
            runs.describe().forEach(host::line);
            runs.checkServers();
            if (planOnly) {
                return ExitCode.OK;
            }
            GateResult result = runs.decide(started.toString(), tolerated);
            ResultFile.GATE.write(directory, result);
            Path paired = directory.resolve(GateRuns.PAIRS);
            ResultFile.COMPARISON.write(paired, result.paired());
            List<Path> reports = List.of(
                    Files.writeString(directory.resolve("summary.md"), ComparisonReports.markdown(result)),
                    Files.writeString(directory.resolve("junit.xml"), ComparisonReports.junit(result)),
                    ComparisonReports.write(paired, result.paired()).get(0));
            tell(host, ComparisonReports.report(result), ResultFile.GATE.in(directory), reports);
            return switch (result.outcome()) {
                case PASSED -> ExitCode.OK;
                case REGRESSION -> ExitCode.MISSED;
                case HOST_TOO_NOISY, INVALID -> ExitCode.INCONCLUSIVE;
            };
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
            if (!objectives.isEmpty()) {
                String all = objectives.stream()
                        .map(one -> "'" + one.replace("'", "''") + "'")
                        .collect(Collectors.joining(", ", "[", "]"));
                ProcessHost.add(new Setting("objectives", all, new Origin.Option("objective")));
            }
            VariedLoad varied = parsed("vary", ValueType.choice(Choices.camelCase(VariedLoad.class)), vary);
            double percent = parsed("precision", ValueType.number(0.1, 50), precision);
            int mostRuns = parsed("runs", ValueType.wholeNumber(2, 1000), runs);
            CapacityRuns.Plan plan = CapacityRuns.Plan.of(host, varied, least, start, most, percent, mostRuns);
            plan.describe().forEach(host::line);
            if (planOnly) {
                return ExitCode.OK;
            }
            Optional<Path> begun = fresh ? Optional.empty() : CapacityRuns.findUnfinished(host, plan);
            return writeCapacity(host, CapacityRuns.make(host, plan, begun));
        }
    }

    /** Compares the runs of an experiment again, or reports the result of a capacity search again. */
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

    /** Shows how the figures of gates and runs change from night to night. */
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
                    // The other results are shown even if those of an interrupted night cannot be read.
                    host.line(RegularFile.reason(without));
                    if (directories.size() == 1) {
                        throw without;
                    }
                }
            }
            entries.stream()
                    .filter(entry -> entry.figures().isEmpty())
                    .forEach(entry -> host.line(entry.label() + ": has no valid figures"));
            Path page = Files.createDirectories(
                            host.settings().value(Property.RESULTS).toAbsolutePath())
                    .resolve("history.html");
            Files.writeString(page, ComparisonReports.history(entries));
            host.line("plot: " + page);
            return ExitCode.OK;
        }
    }

    /** The option that lets a command replace existing files. */
    private static final class ForceOption {
        @Option(names = "--force")
        private boolean force;

        /** Refuses an output file if its name does not end with {@code .yaml}, or if it exists and {@code --force} is missing. */
        void requireYaml(Path file, String what) {
            if (!String.valueOf(file.getFileName()).matches("(?i).+" + NamedFile.ENDING.replace(".", "\\."))) {
                throw SiemloadCommand.refused(
                        "output", "'" + file + "' is not a name of a " + what + " (needed: one that ends with .yaml)");
            }
            require("output", file);
        }

        /** Refuses the output file that this option names, if it exists and {@code --force} is missing. */
        void require(String option, Path file) {
            if (!force && Files.exists(file)) {
                throw SiemloadCommand.refused(
                        option, file + " exists (choose another name, or replace it with --force)");
            }
        }
    }

    /** Turns recordings of other formats into IDEA. */
    @Command(name = "convert")
    static final class ConvertCommand extends SiemloadCommand {
        private static final int EVENTS_BETWEEN_SIGNS = 10_000;
        /** The maximum number of field names that are counted separately. */
        private static final int MOST_FIELDS = 1_000;

        private static final String OTHERS = "(others)";

        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = new ArrayList<>();

        @Option(names = "--output", required = true, paramLabel = "FILE")
        private Path output = Path.of("");

        @Override
        ExitCode run() {
            Path written = output.toAbsolutePath().normalize();
            for (Path file : files) {
                if (file.toAbsolutePath().normalize().equals(written)) {
                    throw new ConfigException(
                            new Origin.WholeFile(file.toString()), "cannot be both input and output (name another)");
                }
            }
            RegularFile.requireAll(files);
            LineProblems problems = new LineProblems();
            // Events with data that have no place in IDEA are counted by the key that keeps the data, and by field.
            Map<String, Long> keeping = new TreeMap<>();
            Map<String, Map<String, Long>> unheld = new TreeMap<>();
            long events = 0;
            try (IdeaLineWriter writer = IdeaLineWriter.open(output, host::onShutdown)) {
                for (Path file : files) {
                    EventFile recorded = EventFile.of(host.home(), file, host.settings());
                    String extension = EventFile.extension(recorded.format());
                    try (EventLineReader reader = EventLineReader.open(file, recorded.reader(), problems)) {
                        for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                            writer.write(List.of(event.get()));
                            JsonNode kept = event.get().other().get(extension);
                            if (kept != null) {
                                Map<String, Long> fields = unheld.computeIfAbsent(extension, key -> new TreeMap<>());
                                keeping.merge(extension, 1L, Long::sum);
                                names("", kept, new TreeSet<>())
                                        .forEach(name -> fields.merge(
                                                fields.size() < MOST_FIELDS || fields.containsKey(name) ? name : OTHERS,
                                                1L,
                                                Long::sum));
                            }
                            if (++events % EVENTS_BETWEEN_SIGNS == 0) {
                                host.status(String.format(Locale.ROOT, "converting %s: %,d events", file, events));
                            }
                        }
                    }
                    host.line(file + ": read as " + extension.substring(1));
                }
                host.status("");
                problems.lines("", LineProblem::toString).forEach(host::line);
                if (events == 0) {
                    throw new ConfigException(new Origin.WholeFile(output.toString()), "there was no event to write");
                }
                writer.finish();
            }
            host.line(String.format(Locale.ROOT, "%s: %,d events", output, events));
            unheld.forEach((key, fields) -> {
                host.line(String.format(
                        Locale.ROOT,
                        "%,d events have data without a place in IDEA, which are kept under the key %s:",
                        keeping.get(key),
                        key));
                fields.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .forEach(field -> host.line(String.format(
                                Locale.ROOT, "%,9d  %s", field.getValue(), ValueType.quoted(field.getKey()))));
            });
            return ExitCode.OK;
        }

        /** Adds the names of all fields that have a value, including fields in lists. */
        private static Set<String> names(String path, JsonNode value, Set<String> names) {
            if (value.isObject()) {
                value.properties()
                        .forEach(
                                one -> names(path + (path.isEmpty() ? "" : ".") + one.getKey(), one.getValue(), names));
            } else if (value.isArray()) {
                value.forEach(one -> names(path, one, names));
            } else {
                names.add(path);
            }
            return names;
        }
    }

    /** Makes a data set that looks like recorded events. */
    @Command(name = "learn")
    static final class LearnCommand extends SiemloadCommand {
        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = List.of();

        @Option(names = "--output", paramLabel = "FILE", required = true)
        private Path output = Path.of("");

        @Option(names = "--fit", paramLabel = "FILE")
        private Optional<Path> page = Optional.empty();

        @Mixin
        private ForceOption force = new ForceOption();

        @Override
        ExitCode run() throws IOException {
            long seed = host.settings().value(Property.SEED);
            RegularFile.requireAll(files);
            force.requireYaml(output, "data set");
            page.ifPresent(file -> force.require("fit", file));
            List<EventFile> recorded = files.stream()
                    .map(file -> EventFile.of(host.home(), file, host.settings()))
                    .toList();
            Learner.Learnt learnt =
                    Learner.learn(recorded, output, seed, read -> host.status("learning: " + read + " events"));
            host.status("");
            FitPage.lines(learnt).forEach(host::line);
            host.line("");
            host.line("data set: " + output);
            if (page.isPresent()) {
                Files.writeString(page.get(), FitPage.of(learnt));
                host.line("page:     " + page.get());
            }
            return ExitCode.OK;
        }
    }

    /** Makes a scenario from the log of a database. */
    @Command(name = "learn-queries")
    static final class LearnQueriesCommand extends SiemloadCommand {
        @Parameters(paramLabel = "LOG", arity = "1..*")
        private List<Path> logs = List.of();

        @Option(names = "--output", paramLabel = "FILE", required = true)
        private Path output = Path.of("");

        @Option(names = "--from", paramLabel = "DATABASE")
        private Optional<String> database = Optional.empty();

        @Option(names = "--program", paramLabel = "NAME")
        private Optional<String> program = Optional.empty();

        @Option(names = "--without", paramLabel = "TEXT")
        private List<String> without = List.of();

        @Option(names = "--replay")
        private boolean replay;

        @Option(names = "--writes")
        private boolean writes;

        @Mixin
        private ForceOption force = new ForceOption();

        @Override
        ExitCode run() throws IOException {
            long seed = host.settings().value(Property.SEED);
            RegularFile.requireAll(logs);
            force.requireYaml(output, "scenario");
            QueryLearner.Taken taken = new QueryLearner.Taken(database, program, without, writes);
            LearntScenario scenario = new LearntScenario(output, replay);
            Path beside = scenario.beside();
            if (without.stream().anyMatch(String::isBlank)) {
                throw refused(
                        "without", "is blank: every statement has it (needed: a part of a program, user or statement)");
            }
            force.require("output", beside);
            host.protectResults();
            LearntQueries learnt = scenario.write(logs, taken, seed, log -> host.status("reading " + log));
            host.status("");
            learnt.lines().forEach(host::line);
            host.line("");
            host.line("scenario:  " + output);
            if (Files.exists(beside)) {
                host.line((replay ? "recording: " : "values:    ") + beside);
            }
            return ExitCode.OK;
        }
    }

    /** Checks on this machine that measurements are right. */
    @Command(name = "selftest")
    static final class SelftestCommand extends SiemloadCommand {
        @Override
        ExitCode run() throws IOException, InterruptedException {
            host.protectResults();
            Instant when = Instant.now();
            Settings settings = host.settings();
            Path results = settings.value(Property.RESULTS).toAbsolutePath();
            Path cache = settings.value(Property.CACHE).toAbsolutePath();
            List<Check> checks = new SelftestRuns(host, results.resolve("selftest"), cache).checks();
            boolean passed = checks.stream().allMatch(Check::passed);
            String java = Runtime.version().toString();
            int cpus = Runtime.getRuntime().availableProcessors();
            Path file = results.resolve("selftest.json");
            WholeFile.write(file, ResultValue.text(new SelftestResult(when, java, cpus, passed, checks)));
            tell(checks);
            host.line("results: " + file);
            boolean lacksRuns =
                    checks.stream().anyMatch(check -> check.measured().equals(Check.NO_RUN));
            return lacksRuns ? ExitCode.TARGET_FAILED : passed ? ExitCode.OK : ExitCode.MISSED;
        }

        /** The result of the self-test, with its start time, the version of Java, and the number of logical processors. */
        private record SelftestResult(Instant when, String java, int cpus, boolean passed, List<Check> checks) {}

        private void tell(List<Check> checks) {
            Table table = Table.titled("", "<check", "<expected", "<measured");
            for (Check check : checks) {
                table.row(check.passed() ? "ok" : "FAILED", check.name(), check.expected(), check.measured());
            }
            host.line(table.lines() + "\n");
            List<Check> failed =
                    checks.stream().filter(check -> !check.passed()).toList();
            failed.forEach(check -> host.line("FAILED: " + check.name() + ": " + check.why()));
            int all = checks.size();
            host.line(
                    failed.isEmpty()
                            ? "all " + all + " checks passed: this machine measures correctly"
                            : failed.size() + " of " + all
                                    + " checks failed: do not trust measurements on this machine as it is now");
        }
    }

    /** Measures the performance of a disk. */
    @Command(name = "storage")
    static final class StorageCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR")
        private Path directory = Path.of("");

        @Option(names = "--write", paramLabel = "PERCENT")
        private int write;

        @Option(names = "--eps", paramLabel = "RATE")
        private String eps = "0";

        @Option(names = "--duration", paramLabel = "TIME")
        private String duration = "10s";

        @Option(names = "--size", paramLabel = "SIZE")
        private String size = "4g";

        @Option(names = "--small", paramLabel = "DEPTH", split = ",", defaultValue = "1,2,3,4,5,8,16,32")
        private List<Integer> small = List.of();

        @Option(names = "--large", paramLabel = "DEPTH", split = ",", defaultValue = "1,2,4,8")
        private List<Integer> large = List.of();

        @Override
        ExitCode run() throws IOException, InterruptedException {
            host.protectResults();
            try (DiskMeter meter = new DiskMeter(host, plan())) {
                meter.measure().forEach(host::line);
            }
            Path results = host.settings().value(Property.RESULTS).toAbsolutePath();
            host.line("\nresults: " + results.resolve("storage.json"));
            return ExitCode.OK;
        }

        private DiskMeter.Plan plan() {
            int writes = parsed("write", ValueType.wholeNumber(0, 100), write);
            ValueType<Duration> time = ValueType.duration(Duration.ofSeconds(1), Duration.ofHours(1));
            Duration ofPoint = parsed("duration", time, duration);
            if (ofPoint.toNanosPart() > 0) {
                throw refused("duration", duration + " is not in whole seconds");
            }
            requireDepths("small", small);
            requireDepths("large", large);
            long bytes = parsed("size", ValueType.byteSize("the file"), size);
            double fed = parsed("eps", Property.EPS.type(), eps);
            return new DiskMeter.Plan(directory, bytes, ofPoint.toSeconds(), writes, fed, small, large);
        }

        private static void requireDepths(String option, List<Integer> depths) {
            depths.forEach(depth -> parsed(option, ValueType.wholeNumber(1, 1024), depth));
            if (depths.stream().distinct().count() < depths.size()) {
                throw refused(option, depths + " has a number twice (remove one)");
            }
        }
    }

    /** Tests a user's own layout, or copies one of siemload's layouts to start from. */
    @Command(name = "check-layout")
    static final class CheckLayoutCommand extends SiemloadCommand {
        @Parameters(paramLabel = "FOLDER")
        private String folder = "";

        @Option(names = "--copy", paramLabel = "LAYOUT")
        private Optional<String> copied = Optional.empty();

        @Override
        ExitCode run() throws IOException {
            if (copied.isPresent()) {
                return copy(copied.get());
            }
            String path = folder.contains("/") ? folder : "./" + folder;
            ProcessHost.add(new Setting(Property.LAYOUT.name(), path, new Origin.WholeFile("FOLDER")));
            return LayoutTrial.run(host);
        }

        private ExitCode copy(String layout) throws IOException {
            Map<String, String> files = files(layout, host.settings());
            Path path = Path.of(folder);
            requireEmpty(path);
            Files.createDirectories(path);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(path.resolve(file.getKey()), file.getValue(), StandardOpenOption.CREATE_NEW);
            }
            host.line(folder + ": " + files.size() + " files of layout " + layout + " (run it with --layout " + folder
                    + ")");
            return ExitCode.OK;
        }

        private static Map<String, String> files(String layout, Settings settings) {
            String target = settings.value(Property.TARGET);
            TargetPlugin plugin = TargetPlugin.find(target)
                    .filter(known -> known.ownLayouts().isPresent())
                    .orElseThrow(() -> new ConfigException(
                            settings.origin(Property.TARGET),
                            "'" + target + "' does not accept your own layouts (allowed: "
                                    + TargetPlugin.names(one -> one.ownLayouts().isPresent()) + ")"));
            if (!plugin.abilities().layouts().contains(layout)) {
                String known = Choices.names(plugin.abilities().layouts()).help(layout);
                throw refused("copy", "target " + target + " does not offer '" + layout + "' (" + known + ")");
            }
            Partitions partitions = settings.find(Property.PARTITIONS)
                    .flatMap(Choices.of(Partitions.class, Partitions::label)::find)
                    .orElse(plugin.abilities().partitions().get(0));
            return plugin.ownLayouts().orElseThrow().files(layout, partitions);
        }

        private void requireEmpty(Path path) {
            String[] files = path.toFile().list();
            if (Files.exists(path) && (files == null || files.length > 0)) {
                throw new ConfigException(
                        new Origin.WholeFile(folder),
                        "is not an empty directory (needed: a new or an empty one; files are never overwritten)");
            }
        }
    }
}
