package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;
import siemload.results.RunResult.StepRecord;

/** Whole procedures, from the command line to run.json. */
@Tag("any-java")
class ProcedureRunTest {
    @TempDir
    private Path directory;

    @Test
    void everyPassOfEverySearchIsAStep() throws Exception {
        ChildProcess.Ended run = run("passes=3");

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
        run("searched=study --searches MENTAT,HAWAT1");

        assertThat(LatestRun.result(directory).steps().get(0).figures())
                .as("six of seven days")
                .containsEntry("rows", 1714.0);
        assertThat(LatestRun.result(directory).steps().get(2).figures())
                .as("the address of the study")
                .containsEntry("rows", 1.0);
        ChildProcess.Ended refused = run("searched=others");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output())
                .contains("--set: data set tiny has no values with the name 'others' (it has study;"
                        + " searched=drawn draws values that occur in it)");
    }

    private ChildProcess.Ended run(String options) throws Exception {
        String command = "run --target memory --scenario src/test/resources/scenarios/reads.yaml"
                + " --dataset src/test/resources/datasets/tiny.yaml --set procedure." + options;
        return Siemload.run(directory, command.split(" "));
    }
}
