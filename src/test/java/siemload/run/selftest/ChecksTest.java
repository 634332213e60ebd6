package siemload.run.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.ResultValue;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.WholeFile;
import siemload.run.selftest.SelftestResult.Check;

/** The verdicts over results written by hand. */
class ChecksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    @Test
    void timesAsInTheoryPass() throws Exception {
        assertThat(SelftestRuns.knownTimes(knownTimes(1.0, 0))).hasSize(10).allMatch(Check::passed);
    }

    @Test
    void noTimeMayBeShorterThanInTheory() throws Exception {
        assertThat(SelftestRuns.knownTimes(knownTimes(0.98, 0)))
                .filteredOn(
                        check -> check.name().contains("p") && check.measured().endsWith("ms"))
                .hasSize(9)
                .noneMatch(Check::passed)
                .allMatch(check -> check.why().contains("times were lost"));
    }

    @Test
    void aMachineThatWakesUpLateFails() throws Exception {
        assertThat(SelftestRuns.knownTimes(knownTimes(1.0, 60_000)))
                .filteredOn(check -> !check.passed())
                .hasSize(9)
                .allMatch(check -> check.why().contains("the machine"));
    }

    /** As a tool would that starts its clock when a search is sent off: of the stall, only who was under way is late. */
    @Test
    void aStallThatNobodyHasSeenFails() throws Exception {
        RunResult run = run(root -> {
            ArrayNode searches = searches(root, 1.0, 0);
            ((ObjectNode) searches.get(3).get("responseTimeMicros"))
                    .put("p90", 5_000)
                    .put("p99", 5_000);
        });

        assertThat(SelftestRuns.knownTimes(run))
                .filteredOn(check -> !check.passed())
                .extracting(Check::name)
                .containsExactly("stall of 2 s: response p90", "stall of 2 s: response p99");
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
            {"formatVersion": 1, "when": "2026-11-21T10:15:00Z", "java": "17.0.15", "cpus": 2, "passed": false,
             "checks": [{"name": "searches at 300/s", "expected": "6000 answered", "measured": "5999 answered",
                         "passed": false, "why": "dropped"}]}
            """));
    }

    private interface Change {
        void on(ObjectNode root);
    }

    @Test
    void aSearchIsHandedOverInATenthOfAMillisecond() throws Exception {
        assertThat(SelftestRuns.handOver(handedOver(100, 1_000))).hasSize(2).allMatch(Check::passed);
        assertThat(SelftestRuns.handOver(handedOver(101, 900)))
                .filteredOn(check -> !check.passed())
                .extracting(Check::measured)
                .containsExactly("0.101 ms");
        assertThat(SelftestRuns.handOver(handedOver(50, 1_001)))
                .filteredOn(check -> !check.passed())
                .extracting(Check::measured)
                .containsExactly("1.001 ms");
    }

    private RunResult handedOver(long p50, long p99) throws IOException {
        return run(root -> {
            ObjectNode search = root.get("searches").get(0).deepCopy();
            ((ObjectNode) search.get("workerWaitMicros")).put("p50", p50).put("p99", p99);
            root.putArray("searches").add(search);
        });
    }

    private RunResult knownTimes(double factor, long lateMicros) throws IOException {
        return run(root -> searches(root, factor, lateMicros));
    }

    /** The four searches with the times of theory, longer by a factor, and later. */
    private static ArrayNode searches(ObjectNode root, double factor, long lateMicros) {
        root.put("measuredSeconds", 20.0);
        JsonNode one = root.get("searches").get(0);
        ArrayNode all = root.putArray("searches");
        add(all, one, "DETAIL", 2_000, Map.of("p50", 5_000, "p99", 5_000), factor, lateMicros);
        add(all, one, "HAWAT1", 1_000, Map.of("p50", 20_000, "p95", 120_000), factor, lateMicros);
        add(all, one, "HAWAT3", 1_000, Map.of("p50", 110_000), factor, lateMicros);
        add(all, one, "TEXT", 2_000, Map.of("p50", 5_000, "p90", 1_010_000, "p99", 1_910_000), factor, lateMicros);
        ((ObjectNode) all.get(2).get("firstEventMicros")).put("p50", Math.round(100_000 * factor) + lateMicros);
        return all;
    }

    private static void add(
            ArrayNode all,
            JsonNode example,
            String name,
            long count,
            Map<String, Integer> micros,
            double factor,
            long late) {
        ObjectNode search = example.deepCopy();
        search.put("name", name).put("ok", count);
        for (String time : List.of("responseTimeMicros", "lastEventMicros")) {
            micros.forEach((percentile, value) ->
                    ((ObjectNode) search.get(time)).put(percentile, Math.round(value * factor) + late));
        }
        all.add(search);
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
