package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.DatabaseActivity.Io;
import siemload.results.RunResult.PlanRecord;

/** What reports read of data and index under each hint, as the ArcSight study saw it by which disk was busy. */
@Tag("any-java")
class ReportIoTest {
    /** Planning looks at the first page of each index; nothing else of a full scan does. */
    private static final long PLANNING = 40;

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    @Tag("database")
    void withTheHintToReadTheWholeTableDataAndIndexChangePlaces() throws Exception {
        Map<String, Io> byIndex = reported("none", "HAWAT1 whole");
        Map<String, Io> fullScan = reported("full-scan", "HAWAT1 whole");

        assertThat(blocks(byIndex, "index")).isGreaterThan(blocks(byIndex, "data"));
        assertThat(blocks(fullScan, "data"))
                .isGreaterThan(blocks(fullScan, "index"))
                .isGreaterThan(10 * blocks(byIndex, "data"));
        assertThat(blocks(fullScan, "index")).isLessThan(PLANNING).isLessThan(blocks(byIndex, "index"));
        assertThat(byIndex)
                .as("PostgreSQL has no undo")
                .doesNotContainKey("undo")
                .containsKeys("redo", "temp");
        assertThat(directory.resolve("results/latest/report.txt"))
                .content()
                .contains("I/O of one, alone, before the load")
                .containsPattern("HAWAT1 whole( +[0-9.,]+){6} +- +-( +[0-9.,]+){2}\n");
    }

    @Test
    void aTargetThatCountsNothingSaysSo() throws Exception {
        ChildProcess.Ended run = run("memory", "none");

        assertThat(run.output()).contains("input and output of each report: not told by memory");
        assertThat(LatestRun.result(directory).plans())
                .allSatisfy(plan -> assertThat(plan.io()).isEmpty());
    }

    private Map<String, Io> reported(String hint, String search) throws Exception {
        ChildProcess.Ended run = run("postgresql", hint);
        List<PlanRecord> plans = LatestRun.result(directory).plans();
        assertThat(plans)
                .as(run.output())
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(plan.io()).as(run.output()).isNotEmpty());
        return plans.stream()
                .filter(plan -> plan.kind().label().equals(search))
                .flatMap(plan -> plan.io().stream())
                .collect(Collectors.toMap(Io::category, io -> io));
    }

    private static long blocks(Map<String, Io> io, String category) {
        Io counted = io.getOrDefault(category, new Io(category, 0, 0, 0, 0, 0));
        return counted.reads() + counted.hits();
    }

    /** Enough events for a table that is larger than what an index leads to. */
    private Path dataset() throws IOException {
        return Files.writeString(directory.resolve("reported.yaml"), """
                description: Enough for an index to matter
                events: 20_000
                start: 2016-06-06T00:00:00Z
                span: 7d
                seed: 1
                profile: %s
                """.formatted(
                        Path.of("datasets/profiles/cesnet.yaml").toAbsolutePath()));
    }

    private ChildProcess.Ended run(String target, String hint) throws IOException, InterruptedException {
        String arguments = "run reports --dataset " + dataset() + " --target " + target + " --hint " + hint
                + " --users 1 --tasks 2 --eps 0 --warmup 0s --duration 1s --probes=false";
        return Siemload.run(directory, arguments.split(" "));
    }
}
