package siemload.run.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.run.selftest.SelftestRuns.Check;

class ChecksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    @Test
    void eachObjectiveIsACheckWhichSaysWhatAMissMeans() {
        assertThat(SelftestRuns.check(
                        objective("TEXT responseTime p90 >= 999.9ms", false, "5.1ms, 95 %: 5.0ms to 5.3ms")))
                .isEqualTo(new Check(
                        "TEXT responseTime p90",
                        ">= 999.9ms",
                        "5.1ms",
                        false,
                        "measured times are too short: report this as a bug in siemload"));
        assertThat(SelftestRuns.check(objective("DETAIL workerWait p50 <= 0.1ms", false, "0.2ms"))
                        .why())
                .startsWith("the machine is busy");
        assertThat(SelftestRuns.check(objective("feeder achievedRatio >= 0.99", true, "1.0000")))
                .isEqualTo(new Check("feeder achievedRatio", ">= 0.99", "1.0000", true, ""));
    }

    private static ObjectiveResult objective(String text, boolean met, String measured) {
        return new ObjectiveResult(text, met, ObjectiveResult.Outcome.UNDECIDED, measured, "", 0);
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
        assertThat(SelftestRuns.eventCount(fed(12_999, 0))).noneMatch(Check::passed);
        assertThat(SelftestRuns.eventCount(fed(13_000, 1)))
                .noneMatch(Check::passed)
                .extracting(Check::measured)
                .containsExactly("13000 of 13000, 1 lost, 0 twice");
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
                .containsExactly("measured times are too short: report this as a bug in siemload");
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
        return RunResult.read(Files.writeString(directory.resolve("run.json"), root.toString()));
    }
}
