package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.QuotaResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.ScheduleResult;
import siemload.results.SearchResult;
import siemload.results.TableReader;

/** Whole runs whose groups search by the clock, or share a quota. */
class TasksAndQuotasRunTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    /** Both tasks of a group take 250 ms for each search, and are due each 100 ms: two ticks of three are missed. */
    @Test
    @Tag("exhaustive")
    void ticksOfTasksAreRunOrMissedAndNoneIsLost() throws Exception {
        ChildProcess.Ended run = slowly("tasks");
        assertThat(run.exitCode())
                .as("saturated, or not valid beside other programs: %s", run.output())
                .isIn(1, 4);

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

    /**
     * Six users ask for answers of 250 ms, of which two are worked on at once: each waits for two turns of the others, or 500 ms,
     * and loses patience meanwhile. No search is lost for that, and no place either: eight a second are answered to the end.
     */
    @Test
    @Tag("exhaustive")
    void usersOfAGroupShareItsQuotaAndNoPlaceOfItIsLost() throws Exception {
        ChildProcess.Ended run = slowly("quota");
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);

        QuotaResult quota =
                LatestRun.result(directory).measured().loads().quotas().get(0);
        SearchResult searches =
                LatestRun.result(directory).measured().searches().get(0);
        assertThat(quota.group()).isEqualTo("shared");
        assertThat(quota.mostRunning()).isEqualTo(2);
        assertThat(searches.ko()).isZero();
        assertThat(searches.count()).isEqualTo(quota.letIn()).isGreaterThan(24);
        assertThat(quota.waited()).isBetween(searches.count() - 10, searches.count());
        assertThat(quota.waitMicros().p50()).isGreaterThan(450_000);
        assertThat(searches.times().responseTimeMicros().max())
                .as("the wait is in it")
                .isGreaterThanOrEqualTo(quota.waitMicros().max() + 249_000);
        assertThat(run.output()).contains("quota, times in ms").doesNotContain("found all workers busy");
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
