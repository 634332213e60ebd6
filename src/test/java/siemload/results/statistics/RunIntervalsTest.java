package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.MicrosInterval;
import siemload.results.MicrosSummary;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.SearchResult;
import siemload.results.TimeMetric;
import siemload.results.report.ExampleRun;

/** With a run of an earlier version, which wrote no intervals. */
class RunIntervalsTest {
    @TempDir
    private Path results;

    private Path directory;
    private RunResult run;

    @BeforeEach
    void read() throws IOException {
        directory = ExampleRun.copyTo(results);
        run = RunResultFile.read(RunFile.RUN.in(directory));
    }

    @Test
    void aResultOfAnEarlierVersionGetsTheIntervalsOfItsLogs() {
        assertThat(response(run, 0).intervals95()).isEmpty();

        RunResult completed = RunIntervals.completed(run, directory);

        for (SearchResult search : completed.measured().searches()) {
            assertThat(search.times().responseTimeMicros().intervals95())
                    .containsOnlyKeys("p50", "p90", "p95", "p99", "p999");
            assertThat(search.times().firstEventMicros().intervals95()).hasSize(5);
        }
        MicrosInterval p50 = response(completed, 0).intervals95().get("p50");
        assertThat(response(run, 0).p50()).isBetween(p50.low(), p50.high());
    }

    @Test
    void aResultWithIntervalsStaysAsItIs() {
        RunResult completed = RunIntervals.completed(run, directory);

        assertThat(RunIntervals.completed(completed, results)).isSameAs(completed);
    }

    @Test
    void whereALogCannotBeReadThereAreNone() throws IOException {
        Files.writeString(RunFile.RESPONSE_TIME.in(directory), "broken");

        RunIntervals intervals = RunIntervals.read(directory);

        assertThat(intervals.of(TimeMetric.RESPONSE_TIME, "all")).isEmpty();
        assertThat(intervals.of(TimeMetric.FIRST_EVENT, "all")).isNotEmpty();
    }

    private static MicrosSummary response(RunResult run, int index) {
        return run.measured().searches().get(index).times().responseTimeMicros();
    }
}
