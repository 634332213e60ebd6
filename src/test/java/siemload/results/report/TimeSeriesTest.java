package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunFile.Row;
import siemload.results.RunFile.TimeMetric;

class TimeSeriesTest {

    /** Four seconds of a point of eight; backlogs are levels, events are not. */
    @Test
    void severalSecondsOfAPointGiveTheirMeanOrTheirHighest() {
        TimeSeries series = new TimeSeries();
        for (double[] second : new double[][] {{0.001, 1}, {0.999, 2}, {2, 3}, {4, 6}, {17, 5}, {-1, 99}, {3_000, 7}}) {
            series.row(RunFile.TIMELINE, timeline(second[0], second[1], second[1]));
        }

        JsonNode load = series.json().get("load");
        assertThat(load.get("eventsAcknowledged").toString()).startsWith("[3.0,null,5.0,null");
        assertThat(load.get("eventsBehind").toString()).startsWith("[6.0,null,5.0,null");
    }

    /** From 600 s on each point has two of them. */
    @Test
    void aRunThatGoesOnKeepsAllOfItsCourse() {
        TimeSeries series = new TimeSeries();
        for (int second = -10; second < 1_000; second++) {
            series.row(RunFile.TIMELINE, timeline(second, second + 10, 1));
            log(series, second, "HAWAT1-first-newestFirst", (second + 11) * 1_000L);
        }

        JsonNode json = series.json();
        assertThat(json.get("axis")).hasToString("{\"first\":-10,\"step\":2,\"points\":505}");
        assertThat(json.at("/load/eventsAcknowledged/504").asDouble()).isEqualTo(1_008.5);
        assertThat(json.at("/load/eventsAcknowledged/0").asDouble()).isEqualTo(0.5);
        assertThat(json.at("/latency/all/max/504").asDouble()).isBetween(1_010_000.0, 1_011_000.0);
        assertThat(json.at("/latency/all/max/0").asDouble()).isBetween(2_000.0, 2_002.0);
    }

    @Test
    void timesAreMergedBySearchAndWithAllOthersButExactCounts() {
        TimeSeries series = new TimeSeries();
        log(series, 1, "HAWAT1-first-newestFirst", 1_000, 3_000);
        log(series, 1, "HAWAT1-deeper-newestFirst", 5_000);
        log(series, 1, "MENTAT-first-newestFirst", 9_000);
        log(series, 1, "MENTAT-count-newestFirst", 99_000);

        // Nearest rank of 1, 3, 5 ms, and of these with 9 ms.
        JsonNode latency = series.json().get("latency");
        assertThat(latency.at("/HAWAT1/p50/0").asLong()).isBetween(2_999L, 3_003L);
        assertThat(latency.at("/all/p95/0").asLong()).isBetween(8_999L, 9_009L);
    }

    /** Of hosts and their disks each has series of its own, and what is no number is a gap. */
    @Test
    void rowsAreToldByTheirNames() {
        TimeSeries series = new TimeSeries();
        series.row(RunFile.DISKS, row(RunFile.DISKS, "6.998", "this host", "vda", "1", "2", "3", "4", "0.5"));
        series.row(RunFile.DATABASE_IO, row(RunFile.DATABASE_IO, "7.1", "redo", "0", "0", "2", "300", "0"));
        series.row(RunFile.DATABASE_IO, row(RunFile.DATABASE_IO, "8.1", "redo", "0", "0", "2", "NaN", "0"));

        JsonNode json = series.json();
        assertThat(json.at("/disks/this host/vda/writtenBytes")).hasToString("[4.0,null]");
        assertThat(json.at("/io/redo/writtenBytes")).hasToString("[300.0,null]");
    }

    private static Row timeline(double second, double events, double behind) {
        List<String> cells =
                new ArrayList<>(Collections.nCopies(RunFile.TIMELINE.columns().size(), "0"));
        cells.set(0, String.valueOf(second));
        cells.set(RunFile.TIMELINE.columns().indexOf("eventsAcknowledged"), String.valueOf(events));
        cells.set(RunFile.TIMELINE.columns().indexOf("eventsBehind"), String.valueOf(behind));
        return row(RunFile.TIMELINE, cells.toArray(String[]::new));
    }

    private static Row row(RunFile table, String... cells) {
        return new Row(table.columns(), List.of(cells), "here");
    }

    private static void log(TimeSeries series, double end, String tag, long... micros) {
        Histogram times = new Histogram(3);
        for (long one : micros) {
            times.recordValue(one);
        }
        series.interval(TimeMetric.RESPONSE_TIME, new LoggedInterval(tag, end, times));
    }
}
