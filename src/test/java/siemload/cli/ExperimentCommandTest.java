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
import siemload.compare.Comparison;
import siemload.compare.Ledger;
import siemload.compare.ResultFile;
import siemload.results.RunResult;
import siemload.results.RunResult.StepRecord;

class ExperimentCommandTest {
    private static final String ORDERS = "src/test/resources/experiments/orders.yaml";

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aKilledExperimentGoesOnAndEndsWithEachRunMadeOnce() throws Exception {
        started(ORDERS, "orders: run 3 of 6").kill();

        // With the same options of Java, else the runs of both would not be compared.
        ChildProcess.Ended ended = started(ORDERS, "orders: goes on after ").await();

        assertThat(ended.output())
                .containsPattern("orders: goes on after \\d runs")
                .containsAnyOf("nothing can be decided", "no verdict: no run is valid");
        assertThat(ended.exitCode()).isZero();
        Path experiment = onlyExperiment();
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
        Path suite = onlyExperiment();
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

    private Path onlyExperiment() throws IOException {
        try (Stream<Path> experiments = Files.list(directory.resolve("results/experiments"))) {
            List<Path> all = experiments.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
