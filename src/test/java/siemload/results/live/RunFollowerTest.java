package siemload.results.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.TimeMetric;
import siemload.results.live.LiveServer.RunFollower;

class RunFollowerTest {
    private final RunFollower follower = new RunFollower(Map.of("scenario", "ha\"wat"));

    @Test
    void aRowCountsOnce() {
        row(RunFile.TIMELINE, "-1.000", "warmup", "3", "0", "1", "10", "20", "30", "40", "50", "0");
        assertThat(seconds(0).findValuesAsText("second")).containsExactly("-1");

        row(RunFile.TIMELINE, "0.000", "warmup", "4", "1", "2", "10", "20", "30", "40", "60", "5");
        JsonNode seconds = seconds(1);

        assertThat(seconds.findValuesAsText("second")).containsExactly("0");
        assertThat(seconds.at("/0/load/running").asInt()).isEqualTo(2);
        assertThat(seconds.at("/0/load/phase").asText()).isEqualTo("warmup");
        assertThat(seconds(2)).isEmpty();
        assertThat(follower.metrics())
                .contains("siemload_searches_total 7\n")
                .contains("siemload_search_failures_total 1\n")
                .contains("siemload_searches_running 2\n")
                .contains("siemload_fed_events_total 110\n")
                .contains("siemload_feeder_backlog_events 5\n")
                .contains("siemload_measuring 0\n")
                .contains("siemload_run_info{scenario=\"ha\\\"wat\"} 1\n");
    }

    @Test
    void intervalsAreMergedBySearchForThePageAndByPageClassForPrometheus() {
        log(1, "HAWAT1-first-newestFirst", 1_000, 3_000);
        log(1, "HAWAT1-deeper-newestFirst", 5_000);
        log(1, "MENTAT-first-newestFirst", 9_000);
        JsonNode second = seconds(0).get(0);

        // Nearest rank of 1, 3, 5 ms, and of these with 9 ms.
        assertThat(second.at("/latency/HAWAT1/p50").asLong()).isBetween(2_999L, 3_003L);
        assertThat(second.at("/latency/all/p95").asLong()).isBetween(8_999L, 9_009L);
        assertThat(follower.metrics())
                .contains("siemload_response_time_seconds_count{order=\"newestFirst\",page=\"first\","
                        + "search=\"HAWAT1\"} 2\n")
                .containsPattern("_seconds\\{order=\"newestFirst\",page=\"first\",quantile=\"0.99\",search=\"HAWAT1\"}"
                        + " 0\\.00300\\d\n");
    }

    @Test
    void machineDisksAndDatabaseGoToTheSecondTheyBelongTo() {
        follower.row(RunFile.HOST, Map.of("second", "7.002", "host", "this host", "databaseCpuRatio", "0.25"));
        row(RunFile.DISKS, "6.998", "this host", "vda", "1", "2", "3", "4", "0.5");
        row(RunFile.DATABASE_IO, "7.1", "redo", "0", "0", "2", "300", "0");
        row(RunFile.DATABASE_IO, "7.1", "data", "1", "8", "0", "0", "9");

        JsonNode seconds = seconds(0);

        assertThat(seconds.findValuesAsText("second")).containsExactly("7");
        assertThat(seconds.at("/0/host/databaseCpuRatio").asDouble()).isEqualTo(0.25);
        assertThat(seconds.at("/0/disks/vda/writtenBytes").asInt()).isEqualTo(4);
        assertThat(seconds.at("/0/io/redo/writtenBytes").asInt()).isEqualTo(300);
    }

    private JsonNode seconds(long after) {
        return follower.since(after).get("seconds");
    }

    private void row(RunFile table, String... cells) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cells.length; i++) {
            row.put(table.columns().get(i), cells[i]);
        }
        follower.row(table, row);
    }

    private void log(double end, String tag, long... micros) {
        Histogram times = new Histogram(3);
        for (long one : micros) {
            times.recordValue(one);
        }
        follower.interval(TimeMetric.RESPONSE_TIME, new LoggedInterval(tag, end, times));
    }
}
