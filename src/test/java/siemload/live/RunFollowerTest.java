package siemload.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFollowerTest {
    private static final String TIMELINE = "second,phase,finished,failed,running,responseP50Micros,responseP95Micros,"
            + "responseP99Micros,responseMaxMicros,eventsAcknowledged,eventsBehind\n";

    @TempDir
    private Path directory;

    private RunTotals totals;
    private RunFollower follower;

    @BeforeEach
    void follow() {
        totals = new RunTotals(Map.of("scenario", "ha\"wat"));
        follower = new RunFollower(directory, totals);
    }

    @Test
    void nothingIsNewBeforeTheRunWritesAnything() throws IOException {
        assertThat(follower.newSeconds()).isEmpty();
    }

    @Test
    void aLineCountsWhenItIsFinishedAndOnce() throws IOException {
        append("timeline.csv", TIMELINE + "-1.000,warmup,3,0,1,10,20,30,40,50,0\n0.000,warmup,4,1,");
        assertThat(follower.newSeconds()).containsOnlyKeys(-1L);

        append("timeline.csv", "2,10,20,30,40,60,5\n");
        SortedMap<Long, ObjectNode> seconds = follower.newSeconds();

        assertThat(seconds).containsOnlyKeys(0L);
        assertThat(seconds.get(0L).at("/load/running").asInt()).isEqualTo(2);
        assertThat(seconds.get(0L).at("/load/phase").asText()).isEqualTo("warmup");
        assertThat(follower.newSeconds()).isEmpty();
        assertThat(totals.text())
                .contains("siemload_searches_total 7\n")
                .contains("siemload_search_failures_total 1\n")
                .contains("siemload_searches_running 2\n")
                .contains("siemload_fed_events_total 110\n")
                .contains("siemload_feeder_backlog_events 5\n")
                .contains("siemload_measuring 0\n");
    }

    @Test
    void intervalsAreMergedBySearchForThePageAndByPageClassForPrometheus() throws IOException {
        log(1, "HAWAT1-first-newestFirst", 1_000, 3_000);
        log(1, "HAWAT1-deeper-newestFirst", 5_000);
        log(1, "MENTAT-first-newestFirst", 9_000);
        ObjectNode second = follower.newSeconds().get(1L);

        // Nearest rank of 1, 3, 5 ms, and of these with 9 ms.
        assertThat(second.at("/latency/HAWAT1/p50").asLong()).isBetween(2_999L, 3_003L);
        assertThat(second.at("/latency/all/p95").asLong()).isBetween(8_999L, 9_009L);
        assertThat(totals.text())
                .contains("siemload_response_time_seconds_count{order=\"newestFirst\",page=\"first\","
                        + "search=\"HAWAT1\"} 2\n")
                .containsPattern("_seconds\\{order=\"newestFirst\",page=\"first\",quantile=\"0.99\",search=\"HAWAT1\"}"
                        + " 0\\.00300\\d\n");
    }

    @Test
    void totalsGrowWithEveryInterval() throws IOException {
        log(1, "HAWAT1-first-newestFirst", 1_000, 3_000);
        log("worker-wait.hlog", 1, "HAWAT1-first-newestFirst", 10, 30);
        follower.newSeconds();
        follower.totals();
        log(2, "HAWAT1-first-newestFirst", 9_000);
        log("worker-wait.hlog", 2, "HAWAT1-first-newestFirst", 80);
        follower.newSeconds();
        ObjectNode totals = follower.totals();

        assertThat(totals.at("/spectra/response/HAWAT1/count").asInt()).isEqualTo(3);
        assertThat(totals.at("/spectra/response/all/count").asInt()).isEqualTo(3);
        // (10 + 30 + 80) / 3
        assertThat(totals.at("/searches/0/workerWaitMicros/mean").asDouble()).isEqualTo(40.0);
        assertThat(totals.at("/searches/0/page").asText()).isEqualTo("first");
    }

    @Test
    void machineDisksAndDatabaseGoToTheSecondTheyBelongTo() throws IOException {
        append("host.csv", "second,databaseCpuRatio,memoryUsedBytes\n7.002,0.25,1000000\n");
        append(
                "disks.csv",
                "second,device,reads,readBytes,writes,writtenBytes,utilisationRatio\n6.998,vda,1,2,3,4,0.5\n");
        append(
                "database-io.csv",
                "second,category,reads,readBytes,writes,writtenBytes,hits\n7.1,redo,0,0,2,300,0\n7.1,data,1,8,0,0,9\n");

        SortedMap<Long, ObjectNode> seconds = follower.newSeconds();

        assertThat(seconds).containsOnlyKeys(7L);
        assertThat(seconds.get(7L).at("/host/databaseCpuRatio").asDouble()).isEqualTo(0.25);
        assertThat(seconds.get(7L).at("/disks/vda/writtenBytes").asInt()).isEqualTo(4);
        assertThat(seconds.get(7L).at("/io/redo/writtenBytes").asInt()).isEqualTo(300);
        assertThat(totals.text())
                .contains("siemload_host_cpu_ratio{part=\"database\"} 0.25\n")
                .contains("siemload_database_written_bytes_total{category=\"redo\"} 300\n")
                .contains("siemload_database_read_bytes_total{category=\"data\"} 8\n");
    }

    @Test
    void labelsAreEscaped() {
        assertThat(totals.text()).contains("siemload_run_info{scenario=\"ha\\\"wat\"} 1\n");
    }

    private void append(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void log(double end, String tag, long... micros) throws IOException {
        log("response-time.hlog", end, tag, micros);
    }

    private void log(String log, double end, String tag, long... micros) throws IOException {
        Histogram times = new Histogram(3);
        for (long one : micros) {
            times.recordValue(one);
        }
        times.setTag(tag);
        try (OutputStream file = Files.newOutputStream(
                        directory.resolve(log), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                PrintStream lines = new PrintStream(file, false, StandardCharsets.UTF_8)) {
            new HistogramLogWriter(lines).outputIntervalHistogram(end - 1, end, times, 1_000);
        }
    }
}
