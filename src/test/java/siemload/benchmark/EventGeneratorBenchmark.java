package siemload.benchmark;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Events per second on one thread. Run in the directory of the project, after {@code mvn test-compile
 * dependency:build-classpath -Dmdep.outputFile=target/classpath}:
 * {@code java -cp target/classes:target/test-classes:$(cat target/classpath) siemload.benchmark.EventGeneratorBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EventGeneratorBenchmark {
    private final IdeaWriter writer = new IdeaWriter();
    private final IdeaReader reader = new IdeaReader();
    private EventGenerator generator;
    private byte[][] lines;
    private long index;

    @Setup
    public void open() {
        generator = new EventGenerator(DatasetReader.read(Path.of("datasets/cesnet-week.yaml")));
        lines = new byte[1_000][];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = writer.toBytes(generator.event(i));
        }
    }

    @Benchmark
    public SecurityEvent objects() {
        return generator.event(next());
    }

    @Benchmark
    public byte[] ideaJson() {
        return writer.toBytes(generator.event(next()));
    }

    @Benchmark
    public SecurityEvent readingIdeaJson() {
        return reader.read(lines[(int) (next() % lines.length)]);
    }

    private long next() {
        index = (index + 1) % generator.count();
        return index;
    }

    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(EventGeneratorBenchmark.class.getName())
                        .build())
                .run();
    }
}
