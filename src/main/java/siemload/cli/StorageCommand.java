package siemload.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.config.ByteSize;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.ValueType;
import siemload.run.ExitCode;
import siemload.run.storage.DiskMeter;

/** Measures what a disk can do. */
@Command(
        name = "storage",
        description = {
            "Measures a disk with fio.",
            "Measures what the disk below a directory can do, by fio, in the form of ORION: small random operations of 8 and 32"
                    + " KiB by IOPS and latency, large sequential ones of 1 MiB by MBPS, at rising depths of the queue. With"
                    + " --eps once more beside a feeder that inserts into an embedded database on the same disk.",
            "It makes one file of its own there and deletes it at the end; nothing else is written to, with --write neither."
                    + " The figures go to storage.json, where later runs on that disk find them for their reports."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {
            "0:measured",
            "2:fio is missing, the directory or an option cannot be used",
            "3:fio or the feeder failed",
            "130:interrupted"
        },
        footer = {
            "  ./siemload storage .",
            "  ./siemload storage /srv/data --write 65 --duration 120s --verbose",
            "  ./siemload storage /srv/data --eps 1000 --cache /srv/data/siemload"
        })
final class StorageCommand implements Callable<Integer> {
    private static final ValueType<Integer> PERCENT = ValueType.wholeNumber(0, 100);
    private static final ValueType<List<Integer>> DEPTHS = ValueType.wholeNumbers(1, 1024);
    private static final ValueType<Duration> DURATION = ValueType.duration(Duration.ofSeconds(1), Duration.ofHours(1));

    @Parameters(paramLabel = "DIR", description = "a directory on the disk that is to be measured")
    private Path directory = Path.of("");

    @Option(
            names = "--write",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "how many of a hundred operations write (default: ${DEFAULT-VALUE})")
    private String write = "";

    @Option(
            names = {"-e", "--eps"},
            paramLabel = "RATE",
            defaultValue = "0",
            description =
                    "measures once more while a feeder inserts so many events a second into an embedded database, whose"
                            + " data lie in the cache (default: ${DEFAULT-VALUE}, no feeder)")
    private String eps = "";

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "how long each point is measured (default: ${DEFAULT-VALUE})")
    private String duration = "";

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "4g",
            description = "the file's size: more than controllers and hosts cache (default: ${DEFAULT-VALUE})")
    private String size = "";

    @Option(
            names = "--small",
            paramLabel = "DEPTH",
            defaultValue = "1,2,3,4,5,8,16,32",
            description =
                    "how many small operations are under way at any time, point by point (default: ${DEFAULT-VALUE})")
    private String small = "";

    @Option(
            names = "--large",
            paramLabel = "DEPTH",
            defaultValue = "1,2,4,8",
            description = "how many large ones (default: ${DEFAULT-VALUE})")
    private String large = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        ProcessHost host = new ProcessHost();
        host.protectResults();
        try (DiskMeter meter = new DiskMeter(host, plan())) {
            meter.measure().summary().forEach(host::line);
        }
        host.line("");
        host.line("results: "
                + host.settings().value(Property.RESULTS).toAbsolutePath().resolve("storage.json"));
        return ExitCode.OK.number();
    }

    private DiskMeter.Plan plan() {
        Problems problems = new Problems();
        Duration ofPoint = parsed("duration", DURATION, duration, Duration.ZERO, problems);
        if (!ofPoint.truncatedTo(ChronoUnit.SECONDS).equals(ofPoint)) {
            problems.add(
                    new Origin.Option("duration"), duration + " is no whole number of seconds (write for example 10s)");
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
