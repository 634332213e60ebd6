package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.results.ResultValue;
import siemload.results.WholeFile;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.LayoutTrial;
import siemload.run.selftest.SelftestRuns;
import siemload.run.selftest.SelftestRuns.Check;
import siemload.run.selftest.SelftestRuns.SelftestResult;
import siemload.run.storage.DiskMeter;

/** The commands that try siemload itself, a disk, or a layout. */
final class ToolCommands {
    private ToolCommands() {}

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
            SelftestRuns runs = new SelftestRuns(host, results.resolve("selftest"), cache);
            SelftestResult result = SelftestResult.of(
                    when, Runtime.version().toString(), Runtime.getRuntime().availableProcessors(), runs.checks());
            Path file = results.resolve("selftest.json");
            WholeFile.write(file, ResultValue.text(result));
            tell(result);
            host.line("results: " + file);
            return result.lacksRuns() ? ExitCode.TARGET_FAILED : result.passed() ? ExitCode.OK : ExitCode.MISSED;
        }

        private void tell(SelftestResult result) {
            Table table = Table.titled("", "<check", "<expected", "<measured");
            for (Check check : result.checks()) {
                table.row(check.passed() ? "ok" : "FAILED", check.name(), check.expected(), check.measured());
            }
            host.line(table.lines() + "\n");
            List<Check> failed =
                    result.checks().stream().filter(check -> !check.passed()).toList();
            failed.forEach(check -> host.line("FAILED: " + check.name() + ": " + check.why()));
            int all = result.checks().size();
            host.line(
                    failed.isEmpty()
                            ? "all " + all + " checks passed: what is measured here is what happens"
                            : failed.size() + " of " + all
                                    + " checks failed: do not trust what is measured on this machine as it is now");
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
            return new DiskMeter.Plan(directory, bytes, ofPoint, write, fed, small, large);
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
                throw refused(option, depths + " has a number twice (leave one out)");
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
            if (Files.exists(path) && !Files.isDirectory(path)) {
                throw new ConfigException(
                        new Origin.WholeFile(folder), "is no directory (needed: a new or an empty one)");
            }
            String[] files = path.toFile().list();
            if (Files.exists(path) && (files == null || files.length > 0)) {
                throw new ConfigException(
                        new Origin.WholeFile(folder),
                        "is not empty (needed: a new or an empty directory; nothing in it is written over)");
            }
        }
    }
}
