package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult.StepRecord;

/** Servers that take a data set each, from the command line to the reports. */
@Tag("any-java")
class IngestRunTest {
    @TempDir
    private Path directory;

    /** Of 2,000 events nothing is super-sparse. */
    @Test
    void aClassThatTheDataSetHasNotMakesTheRunNotValidByItsName() throws Exception {
        ChildProcess.Ended run = run(
                "memory",
                "{dense: {search: HAWAT3, leastRatio: 0.1}, super-sparse: {search: HAWAT1, least: 2, mostRatio: 0.00009}}",
                "");

        assertThat(run.exitCode()).as(run.output()).isEqualTo(4);
        assertThat(run.output())
                .contains("NOT VALID: step super-sparse failed: no HAWAT1 that was tried is super-sparse")
                .containsPattern("\nload +1 +0 ")
                .containsPattern("\nsuper-sparse +0 +[12]\\b");
    }

    @Test
    @Tag("exhaustive")
    @Tag("database")
    void twoEmbeddedServersTakeTheDataSetEach() throws Exception {
        ChildProcess.Ended run = run(
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

    private ChildProcess.Ended run(String target, String matching, String options) throws Exception {
        Path scenario = Files.writeString(directory.resolve("ingest.yaml"), """
                description: takes events
                procedure: {steps: [load, read], connections: 2, passes: 2, matching: %s}
                """.formatted(matching));
        String command = "run " + scenario + " --target " + target + " --dataset src/test/resources/datasets/tiny.yaml";
        return Siemload.run(directory, (command + options).split(" "));
    }
}
