package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.mongodb.MongodbTestServer;
import siemload.database.oracle.H2Plugin;
import siemload.results.InjectorResult;
import siemload.results.RunResult;
import siemload.results.SearchResult;

/** Whole runs whose load several processes make. */
class RunByInjectorsTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final String LOAD =
            "run --dataset " + TINY + " --users 20 --thinkTime 100ms --warmup 1s --eps 300 --batch 10 --injectors ";

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Test
    @Tag("database")
    void threeInjectorsLoseNothingAndFeedNothingTwice() throws Exception {
        requireWhole(run("3 --duration 6s --checks 1"));
    }

    /** Its clock shows milliseconds, of which half are uncertain. */
    @Test
    @Tag("exhaustive")
    void theyWorkOnOneCollectionOfMongodbAsWell() throws Exception {
        try (EmbeddedServer server = MongodbTestServer.standIn(6)) {
            requireLoadedAndWhole(
                    ChildProcess.siemload(directory, server.address(), List.of(), onTarget("mongodb", "60")));
            assertThat(LatestRun.result(directory).measured().places().injectors())
                    .allSatisfy(one -> assertThat(one.punctuality().clockUncertaintyMicros())
                            .isGreaterThanOrEqualTo(500));
            assertThat(MongodbTestServer.collections(server, "siemload_run_"))
                    .as("the copy is dropped, since nobody writes into it any more")
                    .isEmpty();
        }
    }

    @Test
    @Tag("exhaustive")
    void theyWorkOnTheTablesOfOracleAsWell() throws Exception {
        try (EmbeddedServer server = H2Plugin.listening()) {
            requireLoadedAndWhole(
                    ChildProcess.siemload(directory, server.address(), H2Plugin.class, onTarget("oracle-on-h2", "20")));
        }
    }

    private static List<String> onTarget(String target, String users) {
        List<String> arguments = new ArrayList<>(List.of((LOAD + "3 --duration 6s --checks 1").split(" ")));
        arguments.addAll(List.of("--target", target, "--allowBusyServer", "--yes"));
        arguments.set(arguments.indexOf("--users") + 1, users);
        return arguments;
    }

    private void requireLoadedAndWhole(ChildProcess started) throws Exception {
        ChildProcess.Ended run = started.await();
        assertThat(run.output()).contains("events stored by 3 processes in ");
        requireWhole(run);
    }

    private void requireWhole(ChildProcess.Ended run) throws Exception {
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        RunResult result = LatestRun.result(directory);
        List<InjectorResult> injectors = result.measured().places().injectors();
        assertThat(injectors).extracting(InjectorResult::injector).containsExactly(1, 2, 3);
        assertThat(injectors)
                .allSatisfy(one -> assertThat(one.share().searches()).isPositive());
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
                .allSatisfy(one ->
                        assertThat(one.punctuality().clockUncertaintyMicros()).isLessThan(1_000_000));
    }

    @Test
    @Tag("exhaustive")
    void theEventsThatAScriptedTargetTookAreLookedForByWhoFedThem() throws Exception {
        ChildProcess.Ended run = run("2 --duration 3s --target scripted --checks 0");

        RunResult result = LatestRun.result(directory);
        assertThat(result.measured().places().injectors()).as(run.output()).hasSize(2);
        assertThat(result.measured().feeder().events().acknowledged()).isPositive();
        assertThat(result.measured().feeder().events().lost()).isZero();
        assertThat(result.identity().interrupted()).isFalse();
    }

    @Test
    @Tag("exhaustive")
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
        RunResult result = LatestRun.result(directory);
        assertThat(result.validity().valid()).isFalse();
        assertThat(result.validity().warnings().get(0)).contains("of 3 (on this machine) has ended");
        assertThat(result.measured().places().injectors())
                .as("the others left what they had")
                .hasSize(2);
        assertThat(result.measured().feeder().events().acknowledged())
                .isGreaterThanOrEqualTo(result.measured().places().injectors().stream()
                        .mapToLong(one -> one.share().eventsAcknowledged())
                        .sum())
                .isPositive();
    }

    @Test
    @Tag("exhaustive")
    void anInterruptedRunLeavesWhatItsInjectorsMeasuredAndNoInjector() throws Exception {
        ChildProcess run = measuring();
        List<ProcessHandle> injectors = run.children();
        assertThat(injectors).hasSize(2);

        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(LatestRun.result(directory).identity().interrupted()).isTrue();
        assertThat(LatestRun.result(directory).measured().places().injectors()).hasSize(2);
        assertThat(injectors).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    @Tag("exhaustive")
    void anInjectorOfAKilledRunEnds() throws Exception {
        ChildProcess run = measuring();
        List<ProcessHandle> injectors = run.children();

        run.kill();

        for (ProcessHandle injector : injectors) {
            injector.onExit().get(60, java.util.concurrent.TimeUnit.SECONDS);
        }
        assertThat(injectors).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    @Tag("exhaustive")
    void aLoadThatDoesHarmIsStoppedByWhatAllSee() throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of((LOAD + "2 --duration 5m --target scripted --checks 0").split(" ")));
        arguments.addAll(List.of("--abortIf", "p95 > 1ms for 2s"));
        ChildProcess run = ChildProcess.siemload(directory, arguments.toArray(String[]::new));
        run.awaitOutput("measuring");
        List<ProcessHandle> injectors = run.children();

        ChildProcess.Ended ended = run.await();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output()).containsOnlyOnce("stopping: p95 was ").contains("(abortIf p95 > 1ms for 2s)");
        assertThat(LatestRun.result(directory).measured().places().injectors()).hasSize(2);
        assertThat(LatestRun.result(directory).identity().measuredSeconds()).isLessThan(60);
        assertThat(injectors).hasSize(2).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    @Tag("exhaustive")
    void theLiveViewShowsWhatAllDoTogether() throws Exception {
        ChildProcess run = ChildProcess.siemload(
                directory,
                (LOAD + "2 --duration 4s --target scripted --checks 0 --live --liveAddress 127.0.0.1:0").split(" "));
        run.awaitOutput("live: http");
        Matcher url = Pattern.compile("live: (http://127\\.0\\.0\\.1:\\d+/)").matcher(run.output());
        assertThat(url.find()).isTrue();
        Map<Integer, JsonNode> seen = new TreeMap<>();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url.group(1) + "events")).build();
        try (Stream<String> lines = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()) {
            for (String line : (Iterable<String>) lines.filter(text -> text.startsWith("data: "))::iterator) {
                JsonNode load = JSON.readTree(line.substring("data: ".length()));
                if (load.has("second") && load.has("load")) {
                    seen.put(load.get("second").asInt(), load.get("load"));
                }
            }
        }
        ChildProcess.Ended ended = run.await();

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        assertThat(seen.values()).extracting(load -> load.get("phase").asText()).contains("measured");
        List<String> timeline = Files.readAllLines(directory.resolve("results/latest/timeline.csv"));
        List<String> columns = List.of(timeline.get(0).split(","));
        long searches = 0;
        for (String row : timeline.subList(1, timeline.size())) {
            List<String> cells = List.of(row.split(","));
            int second = (int) Math.round(Double.parseDouble(cells.get(columns.indexOf("second"))));
            for (String column : List.of("finished", "eventsAcknowledged")) {
                assertThat(seen.get(second).get(column).asLong())
                        .as(column + " of second " + second)
                        .isEqualTo(Long.parseLong(cells.get(columns.indexOf(column))));
            }
            searches += Long.parseLong(cells.get(columns.indexOf("finished")));
        }
        assertThat(searches)
                .as("with the warm-up")
                .isGreaterThan(LatestRun.result(directory).measured().places().injectors().stream()
                        .mapToLong(one -> one.share().searches())
                        .max()
                        .orElseThrow())
                .isGreaterThanOrEqualTo(LatestRun.result(directory).measured().searches().stream()
                        .mapToLong(SearchResult::count)
                        .sum());
    }

    private ChildProcess.Ended run(String more) throws IOException, InterruptedException {
        return ChildProcess.siemload(directory, (LOAD + more).split(" ")).await();
    }

    /** A run by two injectors, in its measured phase. */
    private ChildProcess measuring() throws Exception {
        ChildProcess run =
                ChildProcess.siemload(directory, (LOAD + "2 --duration 5m --target scripted --checks 0").split(" "));
        run.awaitOutput("measuring");
        return run;
    }
}
