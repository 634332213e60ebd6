package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.InjectorResult;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.SearchResult;

/** Whole runs whose load several processes make. */
class RunByInjectorsTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final String LOAD =
            "run --dataset " + TINY + " --users 20 --thinkTime 100ms --warmup 1s --eps 300 --batch 10 --injectors ";

    @TempDir
    private Path directory;

    @Test
    @Tag("database")
    void threeInjectorsLoseNothingAndFeedNothingTwice() throws Exception {
        ChildProcess.Ended run = run("3 --duration 6s --checks 1");

        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = latest();
        List<InjectorResult> injectors = result.measured().injectors();
        assertThat(injectors).extracting(InjectorResult::injector).containsExactly(1, 2, 3);
        assertThat(injectors).allSatisfy(one -> assertThat(one.share().searches()).isPositive());
        assertThat(injectors)
                .allSatisfy(one -> assertThat(one.share().eventsAcknowledged()).isPositive());
        assertThat(injectors.stream().mapToLong(one -> one.share().searches()).sum())
                .isEqualTo(result.measured().searches().stream()
                        .mapToLong(SearchResult::count)
                        .sum());
        assertThat(injectors.stream()
                        .mapToLong(one -> one.share().eventsAcknowledged())
                        .sum())
                .isEqualTo(result.measured().feeder().events().acknowledged());
        assertThat(result.measured().feeder().events().lost()).isZero();
        assertThat(result.measured().feeder().events().duplicated()).isZero();
        assertThat(result.measured().feeder().events().failed()).isZero();
        assertThat(result.measured().probes().visibility().unseen()).isZero();
        assertThat(result.answers().answersChecked()).isPositive();
        assertThat(result.answers().answersWrong()).as(run.output()).isZero();
        assertThat(run.output()).contains("injector, times in ms", "by the database's clock");
        assertThat(injectors)
                .allSatisfy(one -> assertThat(one.punctuality().clockUncertaintyMicros()).isLessThan(1_000_000));
    }

    @Test
    void theEventsThatAScriptedTargetTookAreLookedForByWhoFedThem() throws Exception {
        ChildProcess.Ended run = run("2 --duration 3s --target scripted --checks 0");

        RunResult result = latest();
        assertThat(result.measured().injectors()).as(run.output()).hasSize(2);
        assertThat(result.measured().feeder().events().acknowledged()).isPositive();
        assertThat(result.measured().feeder().events().lost()).isZero();
        assertThat(result.identity().interrupted()).isFalse();
    }

    @Test
    void anInjectorThatIsKilledMakesTheRunInvalidByItsName() throws Exception {
        ChildProcess run =
                ChildProcess.siemload(directory, (LOAD + "3 --duration 5m --target scripted --checks 0").split(" "));
        run.awaitOutput("measuring");
        long killed = System.nanoTime();
        run.children().get(1).destroyForcibly();

        ChildProcess.Ended ended = run.await();

        assertThat((System.nanoTime() - killed) / 1e9).isLessThan(60);
        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(4);
        assertThat(ended.output())
                .containsPattern("stopping: injector [1-3] of 3 [(]on this machine[)] has ended with exit code 137");
        RunResult result = latest();
        assertThat(result.validity().valid()).isFalse();
        assertThat(result.validity().warnings().get(0)).contains("of 3 (on this machine) has ended");
        assertThat(result.measured().injectors())
                .as("the others left what they had")
                .hasSize(2);
        assertThat(result.measured().feeder().events().acknowledged())
                .isGreaterThanOrEqualTo(result.measured().injectors().stream()
                        .mapToLong(one -> one.share().eventsAcknowledged())
                        .sum())
                .isPositive();
    }

    @Test
    void anInterruptedRunLeavesWhatItsInjectorsMeasuredAndNoInjector() throws Exception {
        ChildProcess run =
                ChildProcess.siemload(directory, (LOAD + "2 --duration 5m --target scripted --checks 0").split(" "));
        run.awaitOutput("measuring");
        List<ProcessHandle> injectors = run.children();
        assertThat(injectors).hasSize(2);

        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(latest().identity().interrupted()).isTrue();
        assertThat(latest().measured().injectors()).hasSize(2);
        assertThat(injectors).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void anInjectorOfAKilledRunEnds() throws Exception {
        ChildProcess run =
                ChildProcess.siemload(directory, (LOAD + "2 --duration 5m --target scripted --checks 0").split(" "));
        run.awaitOutput("measuring");
        List<ProcessHandle> injectors = run.children();

        run.kill();

        for (ProcessHandle injector : injectors) {
            injector.onExit().get(60, java.util.concurrent.TimeUnit.SECONDS);
        }
        assertThat(injectors).noneMatch(ProcessHandle::isAlive);
    }

    private ChildProcess.Ended run(String more) throws IOException, InterruptedException {
        return ChildProcess.siemload(directory, (LOAD + more).split(" ")).await();
    }

    private RunResult latest() throws IOException {
        return RunResultFile.read(directory.resolve("results/latest/run.json"));
    }
}
