package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run says of the input and output of its reports. */
@Tag("any-java")
class ReportIoTest {
    @TempDir
    private Path directory;

    @Test
    void aTargetThatCountsNothingSaysSo() throws Exception {
        ChildProcess.Ended run = run();

        assertThat(run.output()).contains("input and output of each report: not told by memory");
        assertThat(LatestRun.result(directory).plans())
                .allSatisfy(plan -> assertThat(plan.io()).isEmpty());
    }

    private ChildProcess.Ended run() throws IOException, InterruptedException {
        return Siemload.run(
                directory,
                ("run reports --dataset src/test/resources/datasets/tiny.yaml --target memory"
                                + " --users 1 --tasks 2 --eps 0 --warmup 0s --duration 1s --probes=false")
                        .split(" "));
    }
}
