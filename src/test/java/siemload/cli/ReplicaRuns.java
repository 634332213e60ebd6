package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import siemload.database.ServerAddress;
import siemload.results.ReplicaResult;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.SearchResult;
import siemload.results.TableReader;

/**
 * Runs whose searches two replicas answer, in processes of their own, and what must hold of them.
 *
 * @param directory of its own
 * @param prompt the url of a replica that does at once what its primary does
 * @param late that of one which does it late
 */
record ReplicaRuns(Path directory, ServerAddress primary, String prompt, String late, Duration by) {
    /** The newest events all the time, so that many an answer would have some that were just fed. */
    private static final String SCENARIO = """
            description: eight people who read what is new
            dataset: smoke
            analysts:
              - name: readers
                users: 8
                load: closed
                actions: {min: 5, max: 5}
                thinkTime: {distribution: exponential, mean: 200ms}
                pause: {distribution: constant, value: 200ms}
                window: {1h: 1}
                mix: {MENTAT: 1, HAWAT3: 1}
                values: {typical: 1}
                order: {newestFirst: 1}
                page: {size: 50, deeper: 0.2, maximum: 3, lastPage: 0.05}
                followUp: 0.1
                patience: 10s
                maxRunning: 7
            feeder: {eps: 300, batch: 10, connections: 1}
            phases: {warmup: 1s, measurement: 6s}
            """;

    /** A run to its end. */
    ChildProcess.Ended run(String... more) throws IOException, InterruptedException {
        return Siemload.run(directory, primary, List.of("SIEMLOAD_READ_URLS=" + prompt + "," + late), arguments(more));
    }

    /** What it is started with. */
    List<String> arguments(String... more) throws IOException {
        Path scenario = Files.writeString(directory.resolve("readers.yaml"), SCENARIO);
        List<String> all = new ArrayList<>(
                List.of("run", scenario.toString(), "--dataset", "src/test/resources/datasets/tiny.yaml"));
        all.addAll(List.of("--checks", "1", "--allowBusyServer", "--yes"));
        all.addAll(List.of(more));
        return all;
    }

    /** What a late replica lacks is no wrong answer, and each replica is reported apart. */
    RunResult requireToldApart(ChildProcess.Ended run) throws IOException {
        RunResult result = requireRight(run);
        List<ReplicaResult> replicas = result.measured().places().replicas();
        assertThat(replicas).extracting(ReplicaResult::url).containsExactly(prompt, late);
        assertThat(replicas.get(1).lagMicros().p50()).isLessThan(by.toMillis() * 5_000);
        assertThat(replicas.get(0).lagMicros().p50())
                .isLessThan(replicas.get(1).lagMicros().p50());
        assertThat(result.answers().answersChecked()).as(run.output()).isGreaterThan(40);
        assertThat(result.measured().feeder().events().lost()).isZero();
        assertThat(run.output()).contains("replica, times in ms").contains("1 127.0.0.1:");
        Map<Long, Long> byReplica = new TreeMap<>();
        new TableReader(directory.resolve("results/latest"), RunFile.REPLICAS).read(row -> {
            byReplica.merge(row.wholeNumber("replica", 1, 2), row.wholeNumber("searches", 0, 1_000_000), Long::sum);
        });
        assertThat(byReplica)
                .containsExactly(
                        Map.entry(1L, replicas.get(0).searches()),
                        Map.entry(2L, replicas.get(1).searches()));
        return result;
    }

    /** Injectors search on the same replicas, and their figures are added up. */
    void requireAddedUp(ChildProcess.Ended run, int injectors) throws IOException {
        RunResult result = requireRight(run);
        assertThat(result.measured().places().injectors()).hasSize(injectors);
        assertThat(result.answers().answersChecked()).as(run.output()).isPositive();
    }

    private RunResult requireRight(ChildProcess.Ended run) throws IOException {
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = RunResultFile.read(directory.resolve("results/latest/run.json"));
        List<ReplicaResult> replicas = result.measured().places().replicas();
        assertThat(replicas)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.searches()).isGreaterThan(20));
        assertThat(replicas.stream().mapToLong(ReplicaResult::searches).sum())
                .isEqualTo(result.measured().searches().stream()
                        .mapToLong(SearchResult::count)
                        .sum());
        assertThat(replicas.get(1).lagMicros().p50()).isGreaterThan(by.toMillis() * 800);
        assertThat(result.answers().answersWrong()).as(run.output()).isZero();
        return result;
    }
}
