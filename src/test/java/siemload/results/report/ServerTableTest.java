package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.results.StepRecord;

class ServerTableTest {
    /** The table of the white paper, in its numbers. */
    private static final double[][] STUDY = {
        {21_323.56, 70_521.30, 0.38, 14.05},
        {21_060.95, 70_449.66, 0.35, 14.10},
        {21_856.51, 72_268.91, 0.35, 14.15},
        {21_323.13, 70_472.11, 0.36, 14.19},
        {21_589.06, 71_323.79, 0.37, 14.15},
        {21_861.08, 72_299.68, 0.37, 13.84}
    };

    @Test
    void theStudysSixServersHaveTheSumAndTheAverageOfItsTable() {
        List<List<String>> rows = ServerTable.rows(study());

        assertThat(rows.get(0)).containsExactly("server", "KB/s", "EPS", "dense TFE", "TTS");
        assertThat(rows.get(1)).containsExactly("1", "21,323.6", "70,521", "0.3800", "14.0500");
        assertThat(rows).hasSize(9);
        assertThat(rows.get(7)).containsExactly("Sum", "129,014.3", "427,335", "-", "-");
        assertThat(rows.get(8)).containsExactly("Average", "21,502.4", "71,223", "0.3633", "14.0800");
    }

    @Test
    void whatIsMissingIsCalledSoAndCountsAsNothing() {
        List<StepRecord> steps = study();
        steps.set(2, failed("ingest", 2, Map.of()));
        steps.remove(3);
        steps.set(4, failed("dense", 3, Map.of("class", "dense")));

        List<List<String>> rows = ServerTable.rows(steps);

        assertThat(rows.get(2)).containsExactly("2", "missing", "missing", "missing", "missing");
        assertThat(rows.get(3)).containsExactly("3", "21,856.5", "72,269", "missing", "missing");
        assertThat(rows.get(7)).containsExactly("Sum", "missing", "missing", "-", "-");
        assertThat(rows.get(8))
                .containsExactly(
                        "Average", "21,590.7 (5 of 6)", "71,377 (5 of 6)", "0.3700 (4 of 6)", "14.0575 (4 of 6)");
    }

    @Test
    void passesAreAveragedAndOneThatFailedMakesTheirMeanMissing() {
        List<StepRecord> steps = new ArrayList<>(List.of(ingest(1, 1, 100, 10), search(1, 1, 3), search(1, 2, 5)));
        assertThat(ServerTable.rows(steps).get(1)).endsWith("1.5000", "4.0000");

        steps.add(failed("dense", 1, Map.of("class", "dense")));
        assertThat(ServerTable.rows(steps).get(1)).endsWith("missing", "missing");
    }

    @Test
    void runsThatTookNoDataSetHaveNoSuchTable() {
        assertThat(ServerTable.text(List.of(new StepRecord("HAWAT1", Map.of(), Map.of("lastEventMicros", 1.0)))))
                .isEmpty();
    }

    private static List<StepRecord> study() {
        List<StepRecord> steps = new ArrayList<>();
        for (int i = 0; i < STUDY.length; i++) {
            steps.add(ingest(i + 1, STUDY.length, STUDY[i][0], STUDY[i][1]));
            steps.add(search(i + 1, STUDY[i][2], STUDY[i][3]));
        }
        return steps;
    }

    private static StepRecord ingest(int server, int servers, double kilobytes, double events) {
        return new StepRecord(
                "ingest",
                Map.of("server", String.valueOf(server), "servers", String.valueOf(servers)),
                Map.of("kilobytesPerSecond", kilobytes, "eventsPerSecond", events));
    }

    private static StepRecord search(int server, double first, double last) {
        return new StepRecord(
                "dense",
                Map.of("server", String.valueOf(server), "class", "dense"),
                Map.of("firstEventMicros", first * 1e6, "lastEventMicros", last * 1e6));
    }

    private static StepRecord failed(String name, int server, Map<String, String> facts) {
        TreeMap<String, String> all = new TreeMap<>(facts);
        all.put("server", String.valueOf(server));
        all.put("servers", "6");
        all.put(StepRecord.ERROR, "the server is gone");
        return new StepRecord(name, all, Map.of());
    }
}
