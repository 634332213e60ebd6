package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.Learner;
import siemload.event.EventLineReader;
import siemload.event.IdeaLineWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.report.FitPage;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.LayoutTrial;
import siemload.run.RunHost.ProgressBar;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.run.selftest.SelftestRuns;
import siemload.run.selftest.SelftestRuns.Check;
import siemload.run.storage.DiskMeter;

/** The commands that turn what somebody has recorded into what siemload reads, and those that try siemload itself, a disk, or a layout. */
final class ToolCommands {
    private ToolCommands() {}

    /** The option with which a command replaces the files that it makes. */
    private static final class ForceOption {
        @Option(names = "--force")
        private boolean force;

        /** Refuses a file that is to be made, named by this option, if it is there already. */
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
        private static final int SHOWN_PROBLEMS = 10;
        private static final int EVENTS_BETWEEN_SIGNS = 10_000;

        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "FILE")
        private Path output = Path.of("");

        /** How many events have something that has no place in IDEA, by the key under which they keep it. */
        private final Map<String, Long> unheld = new TreeMap<>();

        private long unreadable;
        private long events;

        @Override
        ExitCode run() {
            Settings settings = host.settings();
            Path written = output.toAbsolutePath().normalize();
            for (Path file : files) {
                if (file.toAbsolutePath().normalize().equals(written)) {
                    throw new ConfigException(
                            new Origin.WholeFile(file.toString()), "cannot be read and be the output (name another)");
                }
            }
            RegularFile.requireAll(files);
            try (IdeaLineWriter writer = IdeaLineWriter.open(output, host::onShutdown)) {
                for (Path file : files) {
                    convert(file, settings, writer);
                }
                if (events == 0) {
                    throw new ConfigException(new Origin.WholeFile(output.toString()), "there was no event to write");
                }
                writer.finish();
            }
            host.status("");
            host.line(String.format(Locale.ROOT, "%s: %,d events, %,d unreadable lines", output, events, unreadable));
            unheld.forEach((key, count) -> host.line(String.format(
                    Locale.ROOT, "%,d events keep what has no place in IDEA under the key %s", count, key)));
            return ExitCode.OK;
        }

        private void convert(Path file, Settings settings, IdeaLineWriter writer) {
            EventFile recorded = EventFile.of(host.home(), file, settings);
            String extension = recorded.extension();
            try (EventLineReader reader = EventLineReader.open(file, recorded.reader(), this::note)) {
                for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                    writer.write(List.of(event.get()));
                    if (event.get().other().containsKey(extension)) {
                        unheld.merge(extension, 1L, Long::sum);
                    }
                    if (++events % EVENTS_BETWEEN_SIGNS == 0) {
                        host.status(String.format(Locale.ROOT, "converting %s: %,d events", file, events));
                    }
                }
            }
            host.line(file + ": read as " + extension.substring(1));
        }

        private void note(LineProblem problem) {
            if (unreadable++ < SHOWN_PROBLEMS) {
                host.line(problem.toString());
            }
        }
    }

    /** Makes a data set that looks like recorded events. */
    @Command(name = "learn")
    static final class LearnCommand extends SiemloadCommand {
        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = List.of();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "NAME",
                defaultValue = "learnt")
        private String output = "";

        @Option(names = "--fit", paramLabel = "FILE")
        private Optional<Path> page = Optional.empty();

        @Mixin
        private ForceOption force = new ForceOption();

        @Override
        ExitCode run() throws IOException {
            long seed = host.settings().value(Property.SEED);
            RegularFile.requireAll(files);
            List<EventFile> recorded = files.stream()
                    .map(file -> EventFile.of(host.home(), file, host.settings()))
                    .toList();
            Path dataset = outputFile();
            force.require("output", dataset);
            page.ifPresent(file -> force.require("fit", file));
            Learner.Learnt learnt;
            try (ProgressBar bar = new ProgressBar(host, "learning", expectedEvents(), "events")) {
                learnt = Learner.learn(recorded, dataset, seed, bar::advance);
            }
            FitPage.lines(learnt).forEach(host::line);
            host.line("");
            host.line("data set: " + dataset);
            if (page.isPresent()) {
                Files.writeString(page.get(), FitPage.of(learnt));
                host.line("page:     " + page.get());
            }
            return ExitCode.OK;
        }

        private Path outputFile() {
            if (output.toLowerCase(Locale.ROOT).endsWith(NamedFile.ENDING)) {
                return Path.of(output);
            }
            if (!output.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
                throw refused(
                        "output",
                        "'" + output
                                + "' is neither a name (allowed: letters, digits, - and _) nor the path of a .yaml file");
            }
            return host.home().resolve("datasets").resolve(output + NamedFile.ENDING);
        }

        /** About as many as there are, by the size of the files, for the bar. */
        private long expectedEvents() throws IOException {
            long bytes = 0;
            for (Path file : files) {
                boolean packed = String.valueOf(file).toLowerCase(Locale.ROOT).endsWith(".gz");
                bytes += Files.size(file) * (packed ? 8 : 1);
            }
            return Math.max(1, bytes / 400);
        }
    }

    /** Makes a scenario of what a database has logged. */
    @Command(name = "learn-queries")
    static final class LearnQueriesCommand extends SiemloadCommand {
        @Parameters(paramLabel = "LOG", arity = "1..*")
        private List<Path> logs = List.of();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                required = true)
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
            if (!String.valueOf(output.getFileName()).matches("(?i).+" + NamedFile.ENDING.replace(".", "\\."))) {
                throw refused(
                        "output", "'" + output + "' is not a name of a scenario (needed: one that ends with .yaml)");
            }
            QueryLearner.Taken taken = new QueryLearner.Taken(database, program, without, writes);
            LearntScenario scenario = new LearntScenario(output, replay);
            Path beside = scenario.beside();
            if (without.stream().anyMatch(String::isBlank)) {
                throw refused(
                        "without", "leaves out every statement (needed: a part of a program, a user or a statement)");
            }
            force.require("output", output);
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

    /** Proves on this machine that what is measured is what happens. */
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

        /** What the self-test found: since when, by which version of Java, on how many logical processors. */
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

    /** Measures what a disk can do. */
    @Command(name = "storage")
    static final class StorageCommand extends SiemloadCommand {
        @Parameters(paramLabel = "DIR")
        private Path directory = Path.of("");

        @Option(names = "--write", paramLabel = "PERCENT")
        private int write;

        @Option(
                names = {"-e", "--eps"},
                paramLabel = "RATE")
        private String eps = "0";

        @Option(
                names = {"-d", "--duration"},
                paramLabel = "TIME")
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
            Duration ofPoint = Durations.parse(duration).orElse(Duration.ZERO);
            boolean isWhole = ofPoint.equals(Duration.ofSeconds(ofPoint.toSeconds()));
            requireWithin(write >= 0 && write <= 100, "write", write, "0 to 100");
            requireWithin(
                    isWhole && ofPoint.toSeconds() >= 1 && ofPoint.toSeconds() <= 3600,
                    "duration",
                    duration,
                    "whole seconds, 1s to 1h");
            requireDepths("small", small);
            requireDepths("large", large);
            long bytes = parsed("size", ValueType.byteSize("the file"), size);
            double fed = parsed("eps", Property.EPS.type(), eps);
            return new DiskMeter.Plan(directory, bytes, ofPoint.toSeconds(), write, fed, small, large);
        }

        private static <T> T parsed(String option, ValueType<T> type, String text) {
            try {
                return type.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw refused(option, String.valueOf(wrong.getMessage()));
            }
        }

        private static void requireDepths(String option, List<Integer> depths) {
            requireWithin(depths.stream().allMatch(depth -> depth >= 1 && depth <= 1024), option, depths, "1 to 1024");
            if (depths.stream().distinct().count() < depths.size()) {
                throw refused(option, depths + " has a number twice (remove one)");
            }
        }
    }

    /** Tries a layout of one's own, or makes the folder of one to begin with. */
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
            host.line(folder + ": " + files.size() + " files of layout " + layout + " (run it by --layout " + folder
                    + ")");
            return ExitCode.OK;
        }

        private static Map<String, String> files(String layout, Settings settings) {
            String target = settings.value(Property.TARGET);
            TargetPlugin plugin = TargetPlugin.find(target)
                    .filter(known -> known.ownLayouts().isPresent())
                    .orElseThrow(() -> new ConfigException(
                            settings.origin(Property.TARGET),
                            "'" + target + "' takes no layouts of your own (allowed: "
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
                        "is not an empty directory (needed: a new or an empty one; nothing in it is written over)");
            }
        }
    }
}
