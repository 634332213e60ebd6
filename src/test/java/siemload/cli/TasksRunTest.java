package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.ScheduleResult;
import siemload.results.TableReader;

/** Whole runs whose groups search by the clock. */
class TasksRunTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    /** Both tasks of a group take 250 ms for each search, and are due each 100 ms: two ticks of three are missed. */
    @Test
    @Tag("exhaustive")
    void ticksOfTasksAreRunOrMissedAndNoneIsLost() throws Exception {
        ChildProcess.Ended run = slowly("tasks");
        assertThat(run.exitCode()).as("saturated: %s", run.output()).isZero();

        ScheduleResult slow =
                LatestRun.result(directory).measured().loads().schedules().get(0);
        ScheduleResult views =
                LatestRun.result(directory).measured().loads().schedules().get(1);
        assertThat(slow.group()).isEqualTo("slow");
        assertThat(slow.ticks().due()).isEqualTo(40);
        assertThat(slow.ticks().run() + slow.ticks().missed() + slow.ticks().unfinished())
                .isEqualTo(40);
        assertThat(slow.ticks().missed()).isGreaterThan(20);
        assertThat(views.ticks().due()).isEqualTo(2);
        assertThat(views.responseTimeMicros().min()).as("rows and count").isGreaterThanOrEqualTo(499_000);
        assertThat(run.output())
                .contains("SATURATED: the time between the ticks of a task", "of 40 ticks of slow were missed");
        List<String> outcomes = new ArrayList<>();
        new TableReader(directory.resolve("results/latest"), RunFile.TICKS)
                .read(row -> outcomes.add(row.text("outcome")));
        assertThat(outcomes)
                .hasSize(Math.toIntExact(
                        42 - slow.ticks().unfinished() - views.ticks().unfinished()));
        assertThat(outcomes.stream().filter("missed"::equals))
                .hasSize(Math.toIntExact(slow.ticks().missed() + views.ticks().missed()));
    }

    @Test
    void trendsAreStoredAndHeldAgainstTheEvents() throws Exception {
        ChildProcess.Ended run = trendRun("memory");
        RunResult result = LatestRun.result(directory);

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(run.output())
                .containsPattern("the trends have \\d+ lines of \\d+ hours, all of them as the events say");
        assertThat(result.measured().searches())
                .extracting(search -> search.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
        assertThat(result.measured().loads().schedules())
                .filteredOn(group -> group.group().equals("hourly"))
                .singleElement()
                .satisfies(hourly -> assertThat(hourly.ticks().due()).isEqualTo(20));
        assertThat(result.plans())
                .extracting(plan -> plan.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
    }

    private ChildProcess.Ended trendRun(String target) throws Exception {
        return Siemload.run(
                directory, "run", "--scenario", "src/test/resources/scenarios/trends.yaml", "--target", target);
    }

    /** A run in which each search takes 250 ms. */
    private ChildProcess.Ended slowly(String scenario) throws Exception {
        return Siemload.run(
                directory,
                "run",
                "--scenario",
                "src/test/resources/scenarios/" + scenario + ".yaml",
                "--target",
                "scripted",
                "--dataset",
                TINY,
                "--parameters",
                "median=250ms,sigma=0",
                "--checks",
                "0");
    }
}
