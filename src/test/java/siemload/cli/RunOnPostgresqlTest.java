package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.ServerDirectory;
import siemload.database.provision.TestImage;

/** Whole runs on a PostgreSQL of their own, from the command line to run.json and to the end of the server. */
class RunOnPostgresqlTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final String LOAD =
            "run --dataset " + TINY + " --users 40 --set analysts.all.thinkTime.mean=100ms --warmup 0s --duration ";

    @TempDir
    private Path directory;

    @Test
    @Tag("database")
    void aDataSetIsLoadedOnceAndEveryRunStartsFromItAfresh() throws Exception {
        ChildProcess.Ended first = postgresqlRun();
        assertThat(first.output()).contains("loaded tiny: 2,000 events");
        assertThat(LatestRun.result(directory).measured().feeder().acknowledged())
                .as(first.output())
                .isPositive();
        assertThat(LatestRun.result(directory).answers().answersChecked())
                .as(first.output())
                .isPositive();
        assertThat(LatestRun.result(directory).answers().answersWrong())
                .as(first.output())
                .isZero();
        assertThat(LatestRun.result(directory).measured().visibility().seen())
                .as(first.output())
                .isPositive();
        assertThat(LatestRun.result(directory).measured().visibility().unseen()).isZero();
        assertThat(LatestRun.result(directory).plans())
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.io()).as(first.output()).isNotEmpty());

        // The feeder feeds the same ids again: were they still there, fewer events than fed would be new.
        ChildProcess.Ended second = postgresqlRun();
        assertThat(second.output()).doesNotContain("loaded tiny");
        assertThat(LatestRun.result(directory).identity().dataset().events()).isEqualTo(2_000);
        assertThat(LatestRun.result(directory).measured().feeder().lost()).isZero();
        assertThat(LatestRun.result(directory).measured().feeder().failed()).isZero();
    }

    @Test
    @Tag("container")
    void aRunInAContainerLeavesResultsAndNoContainer() throws Exception {
        TestImage.require(TestImage.POSTGRESQL, "postgresql-container");

        ChildProcess.Ended run = Siemload.run(directory, containerRun("3s"));

        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        assertThat(LatestRun.result(directory).identity().target().provision()).isEqualTo("container");
        assertThat(LatestRun.result(directory).identity().target().container())
                .containsEntry("image", TestImage.POSTGRESQL)
                .containsEntry("memory", "1024m");
        assertThat(LatestRun.result(directory).measured().searches())
                .isNotEmpty()
                .allSatisfy(search -> assertThat(search.ko()).isZero());
        assertThat(LatestRun.result(directory).measured().feeder().lost()).isZero();
        assertThat(TestImage.containers()).isEmpty();
    }

    private static String[] containerRun(String duration) {
        return (LOAD + duration + " --provision container --containerMemory 1g --image " + TestImage.POSTGRESQL)
                .split(" ");
    }

    private ChildProcess.Ended postgresqlRun() throws IOException, InterruptedException {
        Path unused = ServerDirectory.furnished(directory.resolve("cache"));
        return Siemload.run(directory, (LOAD + "2s --eps 500 --checks 1").split(" "));
    }
}
