package siemload.run.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.ResultValue;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.WholeFile;
import siemload.run.selftest.SelftestRuns.Check;
import siemload.run.selftest.SelftestRuns.SelftestResult;

/** The verdicts over results written by hand. */
class ChecksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    /** Of the stall, a tool that starts its clock when a search is sent off sees only who was under way. */
    @Test
    void theLimitsOfOneTimeAreOneCheckWhichSaysWhatAMissMeans() throws Exception {
        RunResult run = run(root -> {
            ArrayNode objectives = root.putArray("objectives");
            objective(objectives, "TEXT responseTime p90 >= 999.9ms", false, "5.1ms, 95 %: 5.0ms to 5.3ms");
            objective(objectives, "TEXT responseTime p90 <= 1040.1ms", true, "5.1ms, 95 %: 5.0ms to 5.3ms");
            objective(objectives, "DETAIL workerWait p50 <= 0.1ms", false, "0.2ms");
            objective(objectives, "feeder achievedRatio >= 0.99", true, "1.0000");
        });

        assertThat(SelftestRuns.objectives(run))
                .extracting(
                        Check::name,
                        Check::expected,
                        Check::measured,
                        Check::passed,
                        check -> check.why().split(" ")[0])
                .containsExactly(
                        tuple("TEXT responseTime p90", ">= 999.9ms, <= 1040.1ms", "5.1ms", false, "times"),
                        tuple("DETAIL workerWait p50", "<= 0.1ms", "0.2ms", false, "the"),
                        tuple("feeder achievedRatio", ">= 0.99", "1.0000", true, ""));
    }

    private static void objective(ArrayNode objectives, String text, boolean met, String measured) {
        objectives
                .addObject()
                .put("text", text)
                .put("met", met)
                .put("outcome", "undecided")
                .put("measured", measured)
                .put("reason", "")
                .put("searchesMissing", 0);
    }

    @Test
    void noSearchMayBeDropped() throws Exception {
        RunResult run = run(root -> {
            root.put("measuredSeconds", 20.0);
            ObjectNode search = root.get("searches").get(0).deepCopy();
            root.putArray("searches").add(search.put("ok", 6_000));
        });
        assertThat(SelftestRuns.arrivals(run)).allMatch(Check::passed);
        assertThat(SelftestRuns.arrivals(run(root -> {}))).noneMatch(Check::passed);
    }

    @Test
    void eventsMustBeExactlyAsManyAsTheTimetableSays() throws Exception {
        assertThat(SelftestRuns.eventCount(fed(13_000, 0))).allMatch(Check::passed);
        assertThat(SelftestRuns.eventCount(fed(12_999, 0)))
                .filteredOn(check -> !check.passed())
                .hasSize(1);
        assertThat(SelftestRuns.eventCount(fed(13_000, 1)))
                .filteredOn(check -> !check.passed())
                .extracting(Check::measured)
                .containsExactly("1 lost, 0 twice");
    }

    @Test
    void aLongSearchTakesAsLongAsTheServerSays() throws Exception {
        assertThat(SelftestRuns.serverTime(timed(82_000, 80_000))).allMatch(Check::passed);
        assertThat(SelftestRuns.serverTime(timed(82_801, 80_000)))
                .extracting(Check::measured)
                .containsExactly("82.80 ms, server 80.00 ms");
        assertThat(SelftestRuns.serverTime(timed(82_801, 80_000))).noneMatch(Check::passed);
        assertThat(SelftestRuns.serverTime(timed(79_199, 80_000)))
                .noneMatch(Check::passed)
                .extracting(Check::why)
                .containsExactly("times were lost: tell the developers");
    }

    private RunResult timed(double meanMicros, double serverMicros) throws IOException {
        return run(root -> {
            ObjectNode search = root.get("searches").get(0).deepCopy();
            ((ObjectNode) search.get("serviceTimeMicros")).put("mean", meanMicros);
            root.putArray("searches").add(search);
            ((ObjectNode) root.get("serverTime"))
                    .putArray("statements")
                    .addObject()
                    .put("calls", 10)
                    .put("planningMicros", 0)
                    .put("executionMicros", serverMicros)
                    .putArray("searches");
        });
    }

    @Test
    void theFileHoldsEveryCheck() throws Exception {
        Path file = directory.resolve("selftest.json");
        Check check = new Check("searches at 300/s", "6000 answered", "5999 answered", false, "dropped");
        WholeFile.write(
                file,
                ResultValue.text(
                        SelftestResult.of(Instant.parse("2026-11-21T10:15:00Z"), "17.0.15", 2, List.of(check))));

        assertThat(JSON.readTree(file.toFile())).isEqualTo(JSON.readTree("""
            {"when": "2026-11-21T10:15:00Z", "java": "17.0.15", "cpus": 2, "passed": false,
             "checks": [{"name": "searches at 300/s", "expected": "6000 answered", "measured": "5999 answered",
                         "passed": false, "why": "dropped"}]}
            """));
    }

    private interface Change {
        void on(ObjectNode root);
    }

    private RunResult fed(long acknowledged, long lost) throws IOException {
        return run(root -> ((ObjectNode) root.get("feeder"))
                .put("eventsPerSecond", 1_000)
                .put("dueEvents", 10_000)
                .put("reachedEvents", 10_000)
                .put("sent", 13_000)
                .put("acknowledged", acknowledged)
                .put("lost", lost)
                .put("duplicated", 0));
    }

    private RunResult run(Change change) throws IOException {
        ObjectNode root = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
        change.on(root);
        return RunResultFile.read(Files.writeString(directory.resolve("run.json"), root.toString()));
    }
}
