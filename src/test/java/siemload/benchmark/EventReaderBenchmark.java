package siemload.benchmark;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.format.EventFile;
import siemload.dataset.format.EventFormat;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.EventReader;
import siemload.event.EventReader.Outline;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Lines per second on one thread, of a thousand generated events: read as events, and looked through for an index, which only
 * lines of IDEA can be without being read. Run by {@code benchmarks/readers.sh}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EventReaderBenchmark {
    private static final Map<EventFormat, Function<SecurityEvent, String>> WRITERS = Map.of(
            EventFormat.IDEA, event -> new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8),
            EventFormat.CEF, EventReaderBenchmark::cef,
            EventFormat.ECS, EventReaderBenchmark::ecs,
            EventFormat.OCSF, EventReaderBenchmark::ocsf);

    @Param({"IDEA", "CEF", "ECS", "OCSF"})
    private EventFormat format = EventFormat.IDEA;

    private EventReader reader = EventFile.reader(Path.of(""), EventFormat.IDEA, Path.of("pom.xml"));
    private byte[][] lines = new byte[0][];
    private int index;

    @Setup
    public void open() {
        EventGenerator generator = new EventGenerator(DatasetReader.read(Path.of("datasets/cesnet-week.yaml")));
        reader = EventFile.reader(Path.of(""), format, Path.of("pom.xml"));
        lines = new byte[1_000][];
        long bytes = 0;
        for (int i = 0; i < lines.length; i++) {
            String line = Optional.ofNullable(WRITERS.get(format)).orElseThrow().apply(generator.event(i));
            lines[i] = line.getBytes(StandardCharsets.UTF_8);
            bytes += lines[i].length;
        }
        System.out.printf(Locale.ROOT, "%s: %d bytes a line%n", format, bytes / lines.length);
    }

    @Benchmark
    public SecurityEvent reading() {
        byte[] line = next();
        return reader.read(line, 0, line.length, index);
    }

    @Benchmark
    public Outline lookingThrough() {
        byte[] line = next();
        return reader.outline(line, 0, line.length)
                .orElseGet(() -> Outline.of(reader.read(line, 0, line.length, index)));
    }

    private byte[] next() {
        index = (index + 1) % lines.length;
        return lines[index];
    }

    private static String cef(SecurityEvent event) {
        return String.format(
                Locale.ROOT,
                "<134>1 %s %s ids - - - CEF:0|Example|Sensor|1.0|100|%s|5|rt=%d src=%s spt=%s dst=%s dpt=%s proto=tcp"
                        + " cnt=7 act=blocked cs1Label=Rule cs1=a rule with five words deviceDirection=0 cat=%s",
                event.detectTime(),
                event.detector().orElse("sensor"),
                event.description(),
                event.detectTime().toEpochMilli(),
                address(event.sources()),
                port(event.sources()),
                address(event.targets()),
                port(event.targets()),
                event.categories().get(0));
    }

    private static String ecs(SecurityEvent event) {
        return String.format(
                Locale.ROOT,
                "{\"@timestamp\":\"%s\",\"ecs\":{\"version\":\"8.11\"},\"event\":{\"id\":\"%s\",\"kind\":\"alert\",\"category\":"
                        + "[\"intrusion_detection\"],\"severity\":5},\"message\":\"%s\",\"source\":{\"ip\":\"%s\",\"port\":%s},"
                        + "\"destination\":{\"ip\":\"%s\",\"port\":%s},\"network\":{\"transport\":\"tcp\",\"bytes\":1200},"
                        + "\"observer\":{\"name\":\"%s\",\"vendor\":\"Example\",\"product\":\"Sensor\"},\"rule\":{\"name\":\"rule\"}}",
                event.detectTime(),
                event.id(),
                event.description(),
                address(event.sources()),
                port(event.sources()),
                address(event.targets()),
                port(event.targets()),
                event.detector().orElse("sensor"));
    }

    private static String ocsf(SecurityEvent event) {
        return String.format(
                Locale.ROOT,
                "{\"class_uid\":2004,\"category_uid\":2,\"type_uid\":200401,\"time\":%d,\"severity_id\":4,\"finding_info\":"
                        + "{\"title\":\"%s\",\"uid\":\"%s\"},\"metadata\":{\"version\":\"1.3.0\",\"product\":{\"name\":\"%s\","
                        + "\"vendor_name\":\"Example\"}},\"evidences\":[{\"src_endpoint\":{\"ip\":\"%s\",\"port\":%s},"
                        + "\"dst_endpoint\":{\"ip\":\"%s\",\"port\":%s},\"connection_info\":{\"protocol_name\":\"tcp\"}}]}",
                event.detectTime().toEpochMilli(),
                event.description(),
                event.id(),
                event.detector().orElse("sensor"),
                address(event.sources()),
                port(event.sources()),
                address(event.targets()),
                port(event.targets()));
    }

    private static String address(Iterable<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            for (AddressRange address : endpoint.addresses()) {
                return address.toString();
            }
        }
        return "192.0.2.1";
    }

    private static String port(Iterable<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            for (int port : endpoint.ports()) {
                return Integer.toString(port);
            }
        }
        return "40000";
    }
}
