package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;
import siemload.results.StepRecord;

/** Whole procedures, from the command line to run.json. */
@Tag("any-java")
class ProcedureRunTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    @Test
    void everyPassOfEverySearchIsAStep() throws Exception {
        ChildProcess.Ended run = run("memory", "reads", "--set", "procedure.passes=3");

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
        run("memory", "reads", "--set", "procedure.searched=study", "--searches", "MENTAT,HAWAT1");

        assertThat(LatestRun.result(directory).steps().get(0).figures())
                .as("six of seven days")
                .containsEntry("rows", 1714.0);
        assertThat(LatestRun.result(directory).steps().get(2).figures())
                .as("the address of the study")
                .containsEntry("rows", 1.0);
        ChildProcess.Ended refused = run("memory", "reads", "--set", "procedure.searched=others");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output())
                .contains("--set: data set tiny has no values with the name 'others' (it has study;"
                        + " searched=drawn draws values that occur in it)");
    }

    private ChildProcess.Ended run(String target, String scenario, String... options) throws Exception {
        return Siemload.run(directory, command(target, scenario, options));
    }

    private static String[] command(String target, String scenario, String... options) {
        String[] command = {
            "run",
            "--target",
            target,
            "--scenario",
            "src/test/resources/scenarios/" + scenario + ".yaml",
            "--dataset",
            TINY
        };
        return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
    }
}
