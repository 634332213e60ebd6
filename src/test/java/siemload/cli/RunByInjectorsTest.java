package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.ServerDirectory;
import siemload.results.RunResult;
import siemload.results.RunResult.InjectorResult;
import siemload.results.RunResult.SearchResult;

class RunByInjectorsTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final String LOAD = "run --dataset " + TINY
            + " --users 20 --set analysts.all.thinkTime.mean=100ms --warmup 1s --eps 300 --set feeder.batch=10 --injectors ";

    @TempDir
    private Path directory;

    @Test
    @Tag("database")
    void twoInjectorsLoseNothingAndFeedNothingTwiceAndALaterRunStartsAfresh() throws Exception {
        requireWhole(run("2 --duration 4s --checks 1"));

        Path scenario = Files.writeString(
                directory.resolve("drops.yaml"),
                Files.readString(Path.of("scenarios/hawat.yaml")) + "retention: {after: 1s}\n");
        ChildProcess.Ended later = run("1 --duration 3s --checks 1 --scenario " + scenario);

        assertThat(later.exitCode()).as(later.output()).isIn(0, 1, 4);
        assertThat(later.output()).doesNotContain("loaded tiny");
        RunResult result = LatestRun.result(directory);
        // The feeder feeds the same ids again: were they still there, fewer events than fed would be new.
        assertThat(result.measured().feeder().acknowledged()).isPositive();
        assertThat(result.measured().feeder().lost()).isZero();
        assertThat(result.measured().feeder().failed()).isZero();
        assertThat(result.measured().retention()).singleElement().satisfies(removed -> {
            assertThat(removed.day() + removed.failure()).isEqualTo("2016-06-06");
            assertThat(removed.means()).isNotEmpty();
            assertThat(removed.fromSecond()).isBetween(1.0, 3.0);
        });
        assertThat(result.answers().answersChecked()).isPositive();
        assertThat(result.answers().answersWrong()).as(later.output()).isZero();
    }

    /** Whatever reaches them; here it is a shell of this machine. */
    @Test
    @Tag("exhaustive")
    void injectorsMayBeStartedElsewhereByACommand() throws Exception {
        String inject = ProcessHandle.current().info().command().orElseThrow()
                + " --add-opens=java.base/java.lang=ALL-UNNAMED -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + " inject";
        List<String> arguments = new ArrayList<>(List.of((LOAD + "2 --duration 3s --target scripted").split(" ")));
        arguments.addAll(List.of("--via", "echo injector {n} >&2; exec " + inject));

        ChildProcess.Ended run = Siemload.run(directory, arguments.toArray(String[]::new));

        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        assertThat(LatestRun.result(directory).measured().injectors())
                .extracting(InjectorResult::injector)
                .containsExactly(1, 2);
    }

    private void requireWhole(ChildProcess.Ended run) throws Exception {
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = LatestRun.result(directory);
        List<InjectorResult> injectors = result.measured().injectors();
        assertThat(injectors).extracting(InjectorResult::injector).containsExactly(1, 2);
        assertThat(injectors).allSatisfy(one -> assertThat(one.searches()).isPositive());
        assertThat(injectors)
                .allSatisfy(one -> assertThat(one.eventsAcknowledged()).isPositive());
        assertThat(injectors.stream().mapToLong(one -> one.searches()).sum())
                .isEqualTo(result.measured().searches().stream()
                        .mapToLong(SearchResult::count)
                        .sum());
        assertThat(injectors.stream().mapToLong(one -> one.eventsAcknowledged()).sum())
                .isEqualTo(result.measured().feeder().acknowledged());
        assertThat(result.measured().feeder().lost()).isZero();
        assertThat(result.measured().feeder().duplicated()).isZero();
        assertThat(result.measured().feeder().failed()).isZero();
        assertThat(result.measured().visibility().seen()).isPositive();
        assertThat(result.measured().visibility().unseen()).isZero();
        assertThat(result.identity().dataset().events()).isEqualTo(2_000);
        assertThat(result.plans())
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.io()).isNotEmpty());
        assertThat(result.answers().answersChecked()).isPositive();
        assertThat(result.answers().answersWrong()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("loaded tiny: 2,000 events", "injector, times in ms", "by the database's clock");
        assertThat(injectors)
                .allSatisfy(one -> assertThat(one.clockUncertaintyMicros()).isLessThan(1_000_000));
    }

    private ChildProcess.Ended run(String more) throws IOException, InterruptedException {
        Path unused = ServerDirectory.furnished(directory.resolve("cache"));
        return Siemload.run(directory, (LOAD + more).split(" "));
    }
}
