package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.CapacityResult;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.Comparison;
import siemload.compare.Comparison.Series;
import siemload.compare.GateRules.GateResult;
import siemload.compare.GateRules.GateResult.Outcome;
import siemload.compare.ResultFile;
import siemload.compare.RunLog.Ledger;
import siemload.results.RunResult;
import siemload.results.RunResult.StepRecord;

class ExperimentCommandTest {
    private static final String ORDERS = "src/test/resources/experiments/orders.yaml";
    private static final String[] CAPACITY = ("capacity --scenario arrivals --vary arrivals --target scripted"
                    + " --parameters workers=8,median=20ms --dataset src/test/resources/datasets/tiny.yaml --duration 2s"
                    + " --warmup 0s --settle false --checks 0 --start 50 --runs 4")
            .split(" ");

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aKilledExperimentGoesOnAndEndsWithEachRunMadeOnce() throws Exception {
        started(ORDERS, "orders: run 3 of 6").kill();

        // With the same options of Java, else the runs of both would not be compared.
        ChildProcess.Ended ended = started(ORDERS, "orders: continues after ").await();

        assertThat(ended.output())
                .containsPattern("orders: continues after \\d runs")
                .containsAnyOf("nothing can be decided", "no verdict: no run is valid");
        assertThat(ended.exitCode()).isZero();
        Path experiment = LatestRun.only(directory, "experiments");
        assertThat(Ledger.entries(experiment))
                .hasSize(6)
                .extracting(entry -> entry.block() + " " + entry.variant())
                .doesNotHaveDuplicates();
        Comparison comparison = ResultFile.COMPARISON.read(experiment);
        assertThat(comparison.differences()).isEmpty();
        assertThat(comparison.verdicts())
                .extracting(Comparison.PairVerdict::subject)
                .contains("MENTAT", "HAWAT1");
    }

    /** As by a terminal, which tells all processes at once: the run ends first, and none follows it. */
    @Test
    @Tag("exhaustive")
    void whoeverInterruptsARunInterruptsTheSuite() throws Exception {
        ChildProcess suite = started("src/test/resources/experiments/both.yaml", "asked: run 1 of ");

        suite.children().forEach(ProcessHandle::destroy);
        ChildProcess.Ended ended = suite.await();

        assertThat(ended.output()).contains(" was interrupted (see ").doesNotContain("asked was not made", "a bug");
        assertThat(ended.exitCode()).isEqualTo(130);
    }

    @Test
    @Tag("exhaustive")
    void aSuiteTellsHowEachConclusionStandsAlsoWhereOneOfItsExperimentsBreaksDown() throws Exception {
        ChildProcess.Ended ended = Siemload.run(directory, "experiment", "src/test/resources/experiments/both.yaml");

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
        assertThat(ended.output())
                .containsPattern(
                        "cold was not made: cold: run 1 of 3, cold broke down .*no caches that could be emptied")
                .containsPattern("CESNET 8: It is answered fast\\. +not decidable")
                .containsPattern("- asked +not decidable +\\S+")
                .containsPattern("- cold +no conclusion +not measured yet");
        Path suite = LatestRun.only(directory, "experiments");
        assertThat(suite.resolve("complete")).doesNotExist();
        assertThat(suite.resolve("report.html")).content().contains("CESNET 8: It is answered fast.");
        try (Stream<Path> members = Files.list(suite)) {
            Path asked = members.filter(
                            member -> member.getFileName().toString().startsWith("asked"))
                    .findFirst()
                    .orElseThrow();
            List<StepRecord> steps = RunResult.read(
                            asked.resolve(Ledger.entries(asked).get(0).directory())
                                    .resolve("run.json"))
                    .steps();
            assertThat(steps.stream()
                            .filter(step -> step.name().equals("HAWAT1 narrower"))
                            .map(step -> step.facts().get("asked")))
                    .containsExactly("first", "afterwards", "afterwards", "first");
            assertThat(steps.stream()
                            .filter(step -> step.name().startsWith("HAWAT4 narrower"))
                            .map(step -> step.facts().get("search")))
                    .containsExactly("HAWAT5", "HAWAT4", "HAWAT5", "HAWAT4", "HAWAT5", "HAWAT5");
        }
    }

    private ChildProcess started(String file, String awaited) throws Exception {
        ChildProcess experiment = ChildProcess.siemload(directory, "experiment", file);
        experiment.awaitOutput(awaited);
        return experiment;
    }

    @Test
    @Tag("exhaustive")
    void aKilledSearchGoesOnAndEndsWithEachRunMadeOnce() throws Exception {
        ChildProcess search = ChildProcess.siemload(directory, CAPACITY);
        search.awaitOutput("arrivals: run 2 of at most 4");
        search.kill();

        ChildProcess.Ended ended = Siemload.run(directory, CAPACITY);
        assertThat(ended.output()).contains("continues after 1 runs");

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        assertThat(ended.output()).contains("the largest load that meets all responseTime p95 < 1s");
        Path capacity = LatestRun.only(directory, "capacities");
        List<Trial> trials = CapacityResult.FILE.read(capacity).trials();
        assertThat(trials).hasSizeBetween(2, 4).extracting(Trial::directory).doesNotHaveDuplicates();
        assertThat(trials.get(0).load()).isEqualTo(50);
        assertThat(capacity.resolve("report.html")).content().contains("arrivals/s");
        assertThat(capacity.resolve("summary.md")).content().contains("| arrivals/s | p50, ms |");
    }

    /** Its sides take turns in one process, on the scripted target, whose answers take a known time. */
    @Test
    @Tag("exhaustive")
    void aSideThatTakesTwiceAsLongIsFoundBySlices() throws Exception {
        ChildProcess.Ended ended = gate("--candidate parameters.delay=100% --pairs 8");

        Path gate = LatestRun.only(directory, "gates");
        GateResult result = ResultFile.GATE.read(gate);
        assertThat(median(result, "candidate") / median(result, "baseline")).isGreaterThan(1.3);
        assertThat(median(result, "control") / median(result, "baseline")).isLessThan(1.3);
        assertThat(result.paired().runs())
                .hasSizeBetween(24, 48)
                .allSatisfy(run -> assertThat(
                                gate.resolve("pairs").resolve(run.directory()).resolve("run.json"))
                        .exists());
        // Whether runs of a busy machine can be trusted nobody knows.
        if (result.blocksValid() >= 8 && result.outcome() != Outcome.HOST_TOO_NOISY) {
            assertThat(result.outcome()).as("%s", result.reasons()).isEqualTo(Outcome.REGRESSION);
            assertThat(ended.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void itSaysBeforehandWhatItWillFind() throws Exception {
        ChildProcess.Ended ended = gate("--candidate parameters.delay=1% --plan");

        assertThat(ended.output())
                .contains("24 pairs and a control, 72 runs, at most 90 with repeats; about 7m")
                .contains("in slices that take turns in one process")
                .doesNotContain("cannot decide anything")
                .containsPattern(
                        "the gate finds a median that is slower by 2.4 % if pairs differ by 2 %, by 3.6 % if pairs");
        assertThat(ended.exitCode()).isZero();
        assertThat(gate("--candidate parameters.delay=1% --plan --pairs 6").output())
                .contains("6 pairs cannot decide anything: it takes at least 7 for 3 comparisons (--pairs 7)");
    }

    private ChildProcess.Ended gate(String more) throws IOException {
        String command =
                "gate --scenario arrivals --arrivals 60 --searches HAWAT1 --target scripted --parameters median=3ms"
                        + " --dataset src/test/resources/datasets/tiny.yaml --duration 1s --settle false --checks 0 "
                        + more;
        return Siemload.run(directory, List.of("SIEMLOAD_WARMUP=1s"), command.split(" "));
    }

    private static double median(GateResult result, String side) {
        return result.paired().figures().stream()
                .filter(series -> series.subject().equals("HAWAT1")
                        && series.metric().equals("p50")
                        && series.variant().equals(side))
                .mapToDouble(Series::median)
                .findFirst()
                .orElseThrow();
    }
}
