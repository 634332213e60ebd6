package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.Comparison.Series;
import siemload.compare.GateResult;
import siemload.compare.GateResult.Outcome;
import siemload.compare.ResultFile;

/** Gates whose sides take turns in one process, on the scripted target, whose answers take a known time. */
@Tag("any-java")
class GateCommandTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aSideThatTakesTwiceAsLongIsFoundBySlices() throws Exception {
        ChildProcess.Ended ended = gate("--candidate parameters.delay=100% --pairs 8");

        Path gate = only();
        GateResult result = ResultFile.GATE.read(gate);
        assertThat(median(result, "candidate") / median(result, "baseline")).isGreaterThan(1.3);
        assertThat(median(result, "control") / median(result, "baseline")).isLessThan(1.3);
        assertThat(result.paired().runs())
                .hasSizeBetween(24, 48)
                .allSatisfy(run -> assertThat(
                                gate.resolve("pairs").resolve(run.directory()).resolve("run.json"))
                        .exists());
        // Whether runs of a busy machine can be trusted nobody knows.
        if (result.blocksValid() >= 8 && result.outcome() != Outcome.HOST_TOO_NOISY) {
            assertThat(result.outcome()).as("%s", result.reasons()).isEqualTo(Outcome.REGRESSION);
            assertThat(ended.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void itSaysBeforehandWhatItWillFind() throws Exception {
        ChildProcess.Ended ended = gate("--candidate parameters.delay=1% --plan");

        assertThat(ended.output())
                .contains("24 pairs and a control, 72 runs", "in slices that take turns in one process")
                .containsPattern(
                        "finds a median in 4 of 5 cases that is slower by 5 % where pairs differ by \\S+ % or less");
        assertThat(ended.exitCode()).isZero();
    }

    private ChildProcess.Ended gate(String more) throws IOException {
        String command =
                "gate --scenario arrivals --arrivals 60 --searches HAWAT1 --target scripted --parameters median=3ms"
                        + " --dataset src/test/resources/datasets/tiny.yaml --duration 1s --settle false --checks 0 "
                        + more;
        return Siemload.run(directory, command.split(" "));
    }

    private static double median(GateResult result, String side) {
        return result.paired().figures().stream()
                .filter(series -> series.subject().equals("HAWAT1")
                        && series.metric().equals("p50")
                        && series.variant().equals(side))
                .mapToDouble(Series::median)
                .findFirst()
                .orElseThrow();
    }

    private Path only() throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("results/gates"))) {
            return all.reduce((one, other) -> {
                        throw new AssertionError("several: " + one + " and " + other);
                    })
                    .orElseThrow();
        }
    }
}
