package siemload.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import siemload.config.Settings;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.format.EventFile;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Events per second on one thread. {@code benchmarks/generator.sh} has them made, as objects and as JSON; {@code benchmarks/readers.sh} has
 * lines read, generated ones of IDEA and captured ones of other formats.
 */
public class EventBenchmark {
    private static final Path CAPTURED = Path.of("src/test/resources/recordings/real");

    /** Events that are made. */
    @State(Scope.Thread)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @Warmup(iterations = 3, time = 2)
    @Measurement(iterations = 5, time = 2)
    @Fork(1)
    public static class Made {
        private final IdeaWriter writer = new IdeaWriter();
        private final EventGenerator generator = generator();
        private long index;

        @Benchmark
        public SecurityEvent objects() {
            return generator.event(next());
        }

        @Benchmark
        public byte[] ideaJson() {
            return writer.toBytes(generator.event(next()));
        }

        private long next() {
            index = (index + 1) % generator.count();
            return index;
        }
    }

    /** Events that are read. */
    @State(Scope.Thread)
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @Warmup(iterations = 3, time = 2)
    @Measurement(iterations = 5, time = 2)
    @Fork(1)
    public static class Read {
        @Param({EventFile.IDEA, "cef", "ecs", "ocsf", "suricata", "zeek"})
        private String format = EventFile.IDEA;

        private EventReader reader = new IdeaReader();
        private List<byte[]> lines = List.of();
        private int index;

        @Setup
        public void open() throws IOException {
            Settings settings = Settings.of(Map.of("format", format), Map.of(), Map.of());
            reader = EventFile.of(Path.of(""), Path.of("pom.xml"), settings).reader();
            lines = switch (format) {
                case EventFile.IDEA ->
                    IntStream.range(0, 1_000)
                            .mapToObj(generator()::event)
                            .map(new IdeaWriter()::toBytes)
                            .toList();
                case "cef" -> lines(CAPTURED.resolve("cef.log"));
                case "ecs", "ocsf" -> lines(CAPTURED.resolve(format + ".ndjson"));
                // Between them stand comments, and the events that they become, indented.
                default ->
                    lines(Path.of("src/test/resources/golden/formats", format + ".txt")).stream()
                            .filter(line -> line.length > 0 && line[0] == '{')
                            .toList();
            };
            double bytes =
                    lines.stream().mapToInt(line -> line.length).average().orElseThrow();
            System.out.printf(Locale.ROOT, "%s: %.0f bytes a line%n", format, bytes);
        }

        private static List<byte[]> lines(Path file) throws IOException {
            return Files.readAllLines(file).stream()
                    .map(line -> line.getBytes(StandardCharsets.UTF_8))
                    .toList();
        }

        @Benchmark
        public SecurityEvent reading() {
            byte[] line = next();
            return reader.read(line, 0, line.length, index);
        }

        private byte[] next() {
            index = (index + 1) % lines.size();
            return lines.get(index);
        }
    }

    private static EventGenerator generator() {
        return new EventGenerator(DatasetSpec.read(Path.of("datasets/cesnet-week.yaml")));
    }
}
