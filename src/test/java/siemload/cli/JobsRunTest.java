package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult.StepRecord;

/** Jobs of many items, from the command line to the files of the run. */
@Tag("any-java")
class JobsRunTest {
    private static final int IN_FLIGHT = 3;

    @TempDir
    private Path directory;

    @Test
    void allItemsAreWorkedOnAndNeverMoreAtOnceThanAllowed() throws Exception {
        ChildProcess.Ended run = run("--set procedure.levels=1,4,30 --set procedure.servers=2");

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        List<StepRecord> jobs = LatestRun.result(directory).steps();
        assertThat(jobs).extracting(job -> job.figures().get("items")).containsExactly(1.0, 4.0, 30.0);
        assertThat(jobs).extracting(job -> job.figures().get("failedSearches")).containsOnly(0.0);
        assertThat(jobs.get(2).figures().get("mostInFlight"))
                .as("answers of 5 ms or more, at once")
                .isEqualTo(2.0 * IN_FLIGHT);
        assertThat(jobs.get(1).figures()).as("never all places").doesNotContainKey("steadyItemsPerMinute");
        assertThat(jobs.get(2).figures().get("steadyItemsPerMinute")).isPositive();
        assertThat(run.output()).containsPattern("\njob of 30 items +1 +0 ");
        assertThat(directory.resolve("results/latest/summary.md")).content().contains("| job of 30 items | 1 |");
    }

    @Test
    void searchesThatFailAreCountedAndMakeTheirItemsFailed() throws Exception {
        ChildProcess.Ended run = run("--set procedure.levels=1,12 --timeout 60ms --failOn breakdown");

        // Three of ten HAWAT1 take 120 ms.
        assertThat(run.output())
                .containsPattern("NOT VALID: job of 12 items \\(number 2\\): \\d items failed, with \\d+ of"
                        + " their searches \\(the first one: ");
        Map<String, Double> job = LatestRun.result(directory).steps().get(1).figures();
        assertThat(job).containsEntry("items", 12.0);
        assertThat(job.get("failedItems")).isBetween(1.0, job.get("failedSearches"));
    }

    @Test
    void anInterruptedJobLeavesWhatWasDone() throws Exception {
        ChildProcess run = ChildProcess.siemload(directory, command("--set procedure.levels=100000"));
        run.awaitOutput("job 1 of 1");

        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(LatestRun.result(directory).identity().interrupted()).isTrue();
        StepRecord job = LatestRun.result(directory).steps().get(0);
        assertThat(job.facts().get("interrupted")).matches("after \\d+ of 100000 items");
        assertThat(job.figures().get("failedItems")).as("at work").isLessThanOrEqualTo(IN_FLIGHT);
    }

    private ChildProcess.Ended run(String options) throws Exception {
        return Siemload.run(directory, command(options));
    }

    private static String[] command(String options) {
        return ("run --target scripted --scenario audit --dataset src/test/resources/datasets/tiny.yaml"
                        + " --set procedure.itemSearches=8 --set procedure.inFlight=" + IN_FLIGHT + " " + options)
                .split(" ");
    }
}
