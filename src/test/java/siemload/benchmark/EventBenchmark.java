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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Events per second that one thread makes, as objects and as JSON, for {@code benchmarks/generator.sh}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EventBenchmark {
    private final IdeaWriter writer = new IdeaWriter();
    private final EventGenerator generator =
            new EventGenerator(DatasetSpec.read(Path.of("datasets/cesnet-week.yaml")));
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
