package siemload.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.ByteSize;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
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
    @Command(
            name = "selftest",
            description = {
                "Proves on this machine that measurements are right.",
                "Takes about two minutes: known answer times and a stall, the hand-over of searches, counted events, and"
                        + " the time of a long search beside the server's own. Its figures go to selftest.json in the"
                        + " directory of the results."
            },
            footer = {"  ./siemload selftest", "  ./siemload selftest --results /var/tmp/siemload"})
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
    @Command(
            name = "storage",
            description = {
                "Measures a disk with fio.",
                "Measures what the disk below a directory can do, by fio, in the form of ORION: small random operations of"
                        + " 8 and 32 KiB by IOPS and latency, large sequential ones of 1 MiB by MBPS, at rising depths of"
                        + " the queue. With --eps once more beside a feeder that inserts into an embedded database on the"
                        + " same disk.",
                "It makes one file of its own there and deletes it at the end; nothing else is written to, with --write"
                        + " neither. The figures go to storage.json in the directory of the results."
            },
            footer = {
                "  ./siemload storage .",
                "  ./siemload storage /srv/data --write 65 --duration 120s --verbose",
                "  ./siemload storage /srv/data --eps 1000 --cache /srv/data/siemload"
            })
    static final class StorageCommand extends SiemloadCommand {
        private static final ValueType<Integer> PERCENT = ValueType.wholeNumber(0, 100);
        private static final ValueType<List<Integer>> DEPTHS = ValueType.wholeNumbers(1, 1024);
        private static final ValueType<Duration> DURATION =
                ValueType.duration(Duration.ofSeconds(1), Duration.ofHours(1));

        @Parameters(paramLabel = "DIR", description = "a directory on the disk that is to be measured")
        private Path directory = Path.of("");

        @Option(
                names = "--write",
                paramLabel = "PERCENT",
                description = "how many of a hundred operations write (default: ${DEFAULT-VALUE})")
        private String write = "0";

        @Option(
                names = {"-e", "--eps"},
                paramLabel = "RATE",
                description = "measures once more while a feeder inserts so many events a second into an embedded"
                        + " database, whose data lie in the cache (default: ${DEFAULT-VALUE}, no feeder)")
        private String eps = "0";

        @Option(
                names = {"-d", "--duration"},
                paramLabel = "TIME",
                description = "how long each point is measured (default: ${DEFAULT-VALUE})")
        private String duration = "10s";

        @Option(
                names = "--size",
                paramLabel = "SIZE",
                description = "the file's size: more than controllers and hosts cache (default: ${DEFAULT-VALUE})")
        private String size = "4g";

        @Option(
                names = "--small",
                paramLabel = "DEPTH",
                description = "how many small operations are under way at any time, point by point (default:"
                        + " ${DEFAULT-VALUE})")
        private String small = "1,2,3,4,5,8,16,32";

        @Option(
                names = "--large",
                paramLabel = "DEPTH",
                description = "how many large ones (default: ${DEFAULT-VALUE})")
        private String large = "1,2,4,8";

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
            Problems problems = new Problems();
            Duration ofPoint = parsed("duration", DURATION, duration, Duration.ZERO, problems);
            if (!ofPoint.truncatedTo(ChronoUnit.SECONDS).equals(ofPoint)) {
                problems.add(
                        new Origin.Option("duration"),
                        duration + " is no whole number of seconds (write for example 10s)");
            }
            DiskMeter.Plan plan = new DiskMeter.Plan(
                    directory,
                    parsed("size", ByteSize.of("the file"), size, 0L, problems),
                    ofPoint,
                    parsed("write", PERCENT, write, 0, problems),
                    parsed("eps", Property.EPS.type(), eps, 0.0, problems),
                    parsed("small", DEPTHS, small, List.of(), problems),
                    parsed("large", DEPTHS, large, List.of(), problems));
            problems.throwIfAny();
            return plan;
        }

        private static <T> T parsed(String option, ValueType<T> type, String text, T standIn, Problems problems) {
            return problems.collect(new Origin.Option(option), () -> type.parse(text))
                    .orElse(standIn);
        }
    }

    /** Tries a layout of one's own, or makes the folder of one to begin with. */
    @Command(
            name = "check-layout",
            description = {
                "Checks the answers of a layout of your own.",
                "Holds the answers of a layout of your own against the events: with some of the data set loaded,"
                        + " every search that siemload brings, in every order, page by page, counted and summed up,"
                        + " with each index set and each hint that the layout has. The first wrong answer is told."
            },
            footer = {
                "  ./siemload check-layout --copy mentat layouts/mine",
                "  ./siemload check-layout --copy address --partitions day layouts/mine",
                "  ./siemload check-layout layouts/mine",
                "  ./siemload check-layout --target mongodb --copy idea layouts/mine"
            })
    static final class CheckLayoutCommand extends SiemloadCommand {
        @Parameters(paramLabel = "FOLDER", description = "the folder of the layout")
        private String folder = "";

        @Option(
                names = "--copy",
                paramLabel = "LAYOUT",
                description = "one of the target's layouts, whose files are written into the folder, which must be new"
                        + " or empty")
        private Optional<String> copied = Optional.empty();

        @Override
        ExitCode run() throws IOException {
            if (copied.isPresent()) {
                return copy(copied.get());
            }
            ProcessHost.addOption(
                    Property.LAYOUT.name(),
                    folder.contains("/") ? folder : "./" + folder,
                    new Origin.Argument("FOLDER"));
            return LayoutTrial.run(host);
        }

        private ExitCode copy(String layout) throws IOException {
            Map<String, String> files = files(layout, host.settings());
            Path path = Path.of(folder);
            requireEmpty(path);
            Files.createDirectories(path);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(
                        path.resolve(file.getKey()),
                        file.getValue(),
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE_NEW);
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

        private void requireEmpty(Path path) throws IOException {
            if (Files.notExists(path)) {
                return;
            }
            if (!Files.isDirectory(path)) {
                throw new ConfigException(
                        new Origin.WholeFile(folder), "is no directory (needed: a new or an empty one)");
            }
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isPresent()) {
                    throw new ConfigException(
                            new Origin.WholeFile(folder),
                            "is not empty (needed: a new or an empty directory; nothing in it is written over)");
                }
            }
        }
    }
}
