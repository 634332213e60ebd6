package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.CapacityResult;
import siemload.compare.CapacityResult.Trial;

/** Whether runs of a busy machine are valid nobody knows: what follows from them is tested without runs. */
@Tag("any-java")
class CapacityCommandTest {
    private static final String[] STARTED = ("capacity --scenario arrivals --vary arrivals --target scripted"
                    + " --parameters workers=8,median=20ms --dataset src/test/resources/datasets/tiny.yaml --duration 2s"
                    + " --warmup 0s --settle false --checks 0 --start 50 --runs 4")
            .split(" ");

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aKilledSearchGoesOnAndEndsWithEachRunMadeOnce() throws Exception {
        ChildProcess search = ChildProcess.siemload(directory, STARTED);
        search.awaitOutput("arrivals: run 2 of at most 4");
        search.kill();

        ChildProcess.Ended ended = Siemload.run(directory, STARTED);
        assertThat(ended.output()).contains("goes on after 1 runs");

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        assertThat(ended.output()).contains("the largest load that meets all responseTime p95 < 1s");
        Path capacity = onlyCapacity();
        List<Trial> trials = CapacityResult.FILE.read(capacity).trials();
        assertThat(trials).hasSizeBetween(2, 4).extracting(Trial::directory).doesNotHaveDuplicates();
        assertThat(trials.get(0).load()).isEqualTo(50);
        assertThat(capacity.resolve("report.html")).content().contains("arrivals/s");
        assertThat(capacity.resolve("summary.md")).content().contains("| arrivals/s | p50, ms |");
    }

    private Path onlyCapacity() throws IOException {
        try (Stream<Path> capacities = Files.list(directory.resolve("results").resolve("capacities"))) {
            return capacities
                    .reduce((one, other) -> {
                        throw new AssertionError("several: " + one + " and " + other);
                    })
                    .orElseThrow();
        }
    }
}
