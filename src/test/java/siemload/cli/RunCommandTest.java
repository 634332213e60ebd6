package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.provision.TestImage;
import siemload.results.RunResult;
import siemload.results.RunResult.SearchResult;

@Tag("every-java")
class RunCommandTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private Path directory;

    @Test
    void aRunLeavesResultsAndGatlingsReport() throws Exception {
        ChildProcess.Ended run = Siemload.withGatlingsReport(
                directory,
                command(
                        "--target memory --users 100 --warmup 1s --duration 3s --set analysts.all.thinkTime.mean=100ms"));

        RunResult result = LatestRun.result(directory);
        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(result.identity().interrupted()).isFalse();
        assertThat(result.identity().measuredSeconds()).isEqualTo(3.0);
        assertThat(result.measured().searches())
                .isNotEmpty()
                .allSatisfy(search -> assertThat(search.ko()).isZero());
        assertThat(result.measured().feeder().lost()).isZero();
        assertThat(result.measured().feeder().acknowledged())
                .isEqualTo(result.measured().feeder().sent())
                .isPositive();
        assertThat(result.identity().settings())
                .contains(new RunResult.SettingRecord("phases.measurement", "3s", "--duration"));
        assertThat(directory.resolve("results/latest/report.txt")).content().contains("HAWAT1");
        assertThat(directory.resolve("results/latest/report.html")).content().contains("echarts", "\"HAWAT1\"");
        assertThat(directory.resolve("results/latest/summary.md")).content().contains("| HAWAT1");
        assertThat(directory.resolve("results/latest/junit.xml")).content().contains("<testsuite");
        long searches = result.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        try (Stream<Path> reports = Files.walk(directory.resolve("results/gatling"))) {
            Path report = reports.filter(file -> file.endsWith("index.html"))
                    .findAny()
                    .orElseThrow();
            assertThat(report)
                    .as("Gatling counts the same")
                    .content()
                    .contains("hawat on memory")
                    .contains("<td class=\"value total col-2\">" + searches + "</td>");
        }
        assertThat(openToOthers()).as("searched values are personal data").isEmpty();
    }

    /** What others than the owner may read, write or enter. */
    private List<Path> openToOthers() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
            List<Path> open = new ArrayList<>();
            for (Path file : files.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (!permissions.endsWith("------")) {
                    open.add(file);
                }
            }
            return open;
        }
    }

    @Test
    void aRunThatDoesHarmStopsByItselfAndLeavesWhatItMeasured() throws Exception {
        String[] command = command(
                "--target scripted --parameters median=300ms --users 20 --set analysts.all.thinkTime.mean=10ms --warmup 0s --duration 5m",
                "--abortIf",
                "errorRatio > 0.2 for 1s, p50 > 100ms for 2s");
        ChildProcess.Ended ended = ChildProcess.siemload(directory, command).await();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
        assertThat(ended.output())
                .contains("stopping: p50 was 0.3 s (abortIf p50 > 100ms for 2s)")
                .contains("NOT VALID: stopped by itself, since the load did harm: p50 was 0.3 s");
        RunResult result = LatestRun.result(directory);
        assertThat(result.identity().interrupted()).isTrue();
        assertThat(result.identity().measuredSeconds()).isBetween(1.0, 60.0);
        assertThat(result.validity().faults())
                .anyMatch(fault -> fault.startsWith("stopped by itself, since the load did harm: p50 was 0.3 s"));
    }

    @Test
    void anInterruptedRunLeavesWhatItMeasured() throws Exception {
        ChildProcess run =
                ChildProcess.siemload(directory, command("--target memory --users 20 --warmup 0s --duration 5m"));
        run.awaitOutput("measuring");
        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(ended.output()).contains("NOT VALID: interrupted after");
        assertThat(LatestRun.result(directory).identity().interrupted()).isTrue();
        assertThat(LatestRun.result(directory).identity().measuredSeconds()).isBetween(0.1, 120.0);
    }

    @Test
    void trendsAreStoredAtTheirTicks() throws Exception {
        ChildProcess.Ended run = Siemload.run(
                directory, "run", "--scenario", "src/test/resources/scenarios/trends.yaml", "--target", "memory");
        RunResult result = LatestRun.result(directory);

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        assertThat(result.measured().searches())
                .extracting(search -> search.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
        assertThat(result.measured().schedules())
                .filteredOn(group -> group.group().equals("hourly"))
                .singleElement()
                .satisfies(hourly -> assertThat(hourly.due()).isEqualTo(20));
        assertThat(result.plans())
                .extracting(plan -> plan.kind().label())
                .contains("CATEGORYTREND summary", "SOURCETREND summary");
    }

    @Test
    @Tag("container")
    void aRunInAContainerLeavesResultsAndNoContainer() throws Exception {
        TestImage.require(TestImage.POSTGRESQL, "postgresql-container");

        String command =
                "run --dataset src/test/resources/datasets/tiny.yaml --users 40 --set analysts.all.thinkTime.mean=100ms"
                        + " --warmup 0s --duration 3s --provision container --containerMemory 1g --image "
                        + TestImage.POSTGRESQL;
        ChildProcess.Ended run = Siemload.run(directory, command.split(" "));

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

    @Test
    @Tag("exhaustive")
    void gatlingItselfIsToldTheSameAndEndsInTheSameWay() throws Exception {
        ChildProcess.Ended run = gatling("siemload.load.SiemSimulation", "-Dscenario=hawta");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output()).contains("scenario: 'hawta' is unknown (did you mean hawat?");
    }

    @Test
    @Tag("exhaustive")
    void aSimulationOfOnesOwnRuns() throws Exception {
        ChildProcess.Ended run = gatling(
                "siemload.example.TriageSimulation",
                "-Ddataset=" + TINY,
                "-Dwarmup=1s",
                "-Dduration=2s",
                "-Ddetails=false");

        assertThat(run.output())
                .contains("\nMENTAT ", "\nHAWAT3 ", "\nHAWAT1 ")
                .doesNotContain("Global Information", "Reports generated");
        assertThat(LatestRun.result(directory).measured().searches())
                .allSatisfy(search -> assertThat(search.ko()).isZero());
    }

    private ChildProcess.Ended gatling(String simulation, String... properties) throws Exception {
        List<String> java = Stream.concat(Stream.of("-Dtarget=memory"), Stream.of(properties))
                .toList();
        List<String> arguments =
                List.of("-s", simulation, "-rf", directory.resolve("gatling").toString());
        return ChildProcess.start(directory, "io.gatling.app.Gatling", java, arguments)
                .await();
    }

    private static String[] command(String options, String... withSpaces) {
        Stream<String> words = Stream.of(("run --dataset " + TINY + " " + options).split(" "));
        return Stream.concat(words, Stream.of(withSpaces)).toArray(String[]::new);
    }
}
