package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;
import siemload.results.RunResult.StepRecord;

class ProcedureRunTest {
    private static final int IN_FLIGHT = 3;
    private static final String READS =
            "--target memory --scenario src/test/resources/scenarios/reads.yaml --set procedure.";
    private static final String JOBS = "--target scripted --scenario audit --set procedure.itemSearches=8"
            + " --set procedure.inFlight=" + IN_FLIGHT + " --set procedure.levels=";

    @TempDir
    private Path directory;

    @Test
    void everyPassOfEverySearchIsAStep() throws Exception {
        ChildProcess.Ended run = run(READS + "passes=3");

        RunResult result = LatestRun.result(directory);
        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(result.steps().stream().map(StepRecord::name))
                .hasSize(12)
                .startsWith("MENTAT", "MENTAT", "MENTAT", "HAWAT1")
                .endsWith("OTHER1", "TIMELINE", "TIMELINE", "TIMELINE");
        StepRecord first = result.steps().get(0);
        assertThat(first.figures()).containsEntry("rows", 2000.0).containsKeys("firstEventMicros", "lastEventMicros");
        assertThat(first.facts())
                .containsEntry("pass", "1")
                .containsEntry("caches", "hot")
                .containsEntry("page", "whole");
        assertThat(run.output()).containsPattern("step +done +failed").containsPattern("MENTAT +3 +0");
        assertThat(directory.resolve("results/latest/summary.md")).content().contains("| MENTAT | 3 | 0 |");
        assertThat(result.measured().searches()).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void whatTheStudySearchedForIsThereAndNamesThatNobodyKnowsAreRefused() throws Exception {
        run(READS + "searched=study --searches MENTAT,HAWAT1");

        assertThat(LatestRun.result(directory).steps().get(0).figures())
                .as("six of seven days")
                .containsEntry("rows", 1714.0);
        assertThat(LatestRun.result(directory).steps().get(2).figures())
                .as("the address of the study")
                .containsEntry("rows", 1.0);
        ChildProcess.Ended refused = run(READS + "searched=others");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output())
                .contains("--set: data set tiny has no values with the name 'others' (it has study;"
                        + " searched=drawn draws values that occur in it)");
    }

    @Test
    void allItemsAreWorkedOnAndNeverMoreAtOnceThanAllowed() throws Exception {
        ChildProcess.Ended run = run(JOBS + "1,4,30 --set procedure.servers=2");

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
        ChildProcess.Ended run = run(JOBS + "1,12 --timeout 60ms --failOn breakdown");

        // Three of ten HAWAT1 take 120 ms.
        assertThat(run.output())
                .containsPattern("NOT VALID: job of 12 items \\(number 2\\): \\d items failed, with \\d+ of"
                        + " their searches \\(the first one: ");
        Map<String, Double> job = LatestRun.result(directory).steps().get(1).figures();
        assertThat(job).containsEntry("items", 12.0);
        assertThat(job.get("failedItems")).isBetween(1.0, job.get("failedSearches"));
    }

    @Test
    @Tag("exhaustive")
    void anInterruptedJobLeavesWhatWasDone() throws Exception {
        ChildProcess run = ChildProcess.siemload(directory, command(JOBS + "100000"));
        run.awaitOutput("job 1 of 1");

        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(LatestRun.result(directory).identity().interrupted()).isTrue();
        StepRecord job = LatestRun.result(directory).steps().get(0);
        assertThat(job.facts().get("interrupted")).matches("after \\d+ of 100000 items");
        assertThat(job.figures().get("failedItems")).as("at work").isLessThanOrEqualTo(IN_FLIGHT);
    }

    /** Of 2,000 events nothing is super-sparse. */
    @Test
    void aClassThatTheDataSetHasNotMakesTheRunNotValidByItsName() throws Exception {
        ChildProcess.Ended run = ingest(
                "memory",
                "{dense: {search: HAWAT3, leastRatio: 0.1}, super-sparse: {search: HAWAT1, least: 2, mostRatio: 0.00009}}",
                "");

        assertThat(run.exitCode()).as(run.output()).isEqualTo(4);
        assertThat(run.output())
                .contains("NOT VALID: step super-sparse failed: none of the HAWAT1 searches tried is super-sparse")
                .containsPattern("\nload +1 +0 ")
                .containsPattern("\nsuper-sparse +0 +[12]\\b");
    }

    @Test
    @Tag("exhaustive")
    @Tag("database")
    void twoEmbeddedServersTakeTheDataSetEach() throws Exception {
        ChildProcess.Ended run = ingest(
                "postgresql",
                "{dense: {search: HAWAT3, leastRatio: 0.1}, rare: {search: DETAIL, most: 1}}",
                " --set procedure.servers=2 --set procedure.writing=inserts");

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(LatestRun.result(directory).steps()).noneMatch(StepRecord::failed);
        assertThat(LatestRun.result(directory).steps().stream()
                        .filter(step -> step.name().equals("load")))
                .extracting(step -> step.facts().get("server"))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(run.output()).containsPattern("\nload +2 +0 ");
    }

    private ChildProcess.Ended ingest(String target, String matching, String options) throws Exception {
        Path scenario = Files.writeString(directory.resolve("ingest.yaml"), """
                description: takes events
                procedure: {steps: [load, read], connections: 2, passes: 2, matching: %s}
                """.formatted(matching));
        return run("--scenario " + scenario + " --target " + target + options);
    }

    private ChildProcess.Ended run(String options) throws Exception {
        return Siemload.run(directory, command(options));
    }

    private static String[] command(String options) {
        return ("run --dataset src/test/resources/datasets/tiny.yaml " + options).split(" ");
    }
}
