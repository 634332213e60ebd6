package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;

/** Whole runs whose groups search by the clock. */
@Tag("any-java")
class TasksRunTest {
    @TempDir
    private Path directory;

    @Test
    void trendsAreStoredAtTheirTicks() throws Exception {
        ChildProcess.Ended run = trendRun("memory");
        RunResult result = LatestRun.result(directory);

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(result.measured().searches())
                .extracting(search -> search.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
        assertThat(result.measured().schedules())
                .filteredOn(group -> group.group().equals("hourly"))
                .singleElement()
                .satisfies(hourly -> assertThat(hourly.due()).isEqualTo(20));
        assertThat(result.plans())
                .extracting(plan -> plan.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
    }

    private ChildProcess.Ended trendRun(String target) throws Exception {
        return Siemload.run(
                directory, "run", "--scenario", "src/test/resources/scenarios/trends.yaml", "--target", target);
    }
}
