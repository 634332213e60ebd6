package siemload.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.measure.LoggedInterval;

/**
 * Follows the files that a run writes second by second. What is new is handed out as JSON for the page, and added to the
 * totals for Prometheus. The work of a call does not grow with the length of the run. Used by one thread at a time.
 */
final class RunFollower {
    private final GrowingTable timeline;
    private final GrowingTable host;
    private final GrowingTable disks;
    private final GrowingTable io;
    private final GrowingHistograms responses;
    private final Map<String, GrowingHistograms> parts = new TreeMap<>();
    private final SearchTotals searches = new SearchTotals();
    private final RunTotals totals;

    /** @param directory of the run; its files need not be there yet */
    RunFollower(Path directory, RunTotals totals) {
        this.timeline = new GrowingTable(directory.resolve("timeline.csv"));
        this.host = new GrowingTable(directory.resolve("host.csv"));
        this.disks = new GrowingTable(directory.resolve("disks.csv"));
        this.io = new GrowingTable(directory.resolve("database-io.csv"));
        this.responses = new GrowingHistograms(directory.resolve("response-time.hlog"));
        parts.put("workerWaitMicros", new GrowingHistograms(directory.resolve("worker-wait.hlog")));
        parts.put("firstEventMicros", new GrowingHistograms(directory.resolve("first-event.hlog")));
        parts.put("lastEventMicros", new GrowingHistograms(directory.resolve("service-time.hlog")));
        this.totals = totals;
    }

    /** What the searches have come to so far, as the page takes it. */
    ObjectNode totals() throws IOException {
        for (Map.Entry<String, GrowingHistograms> part : parts.entrySet()) {
            for (LoggedInterval interval : part.getValue().newIntervals()) {
                searches.part(part.getKey(), interval.times());
            }
        }
        return searches.toJson();
    }

    /** What came since the last call: seconds by number, each with what is known of it. */
    SortedMap<Long, ObjectNode> newSeconds() throws IOException {
        SortedMap<Long, ObjectNode> seconds = new TreeMap<>();
        for (Map<String, String> row : timeline.newRows()) {
            totals.load(row);
            second(seconds, row).set("load", cells(row, List.of("second")));
        }
        latencies(seconds);
        for (Map<String, String> row : host.newRows()) {
            totals.host(row);
            second(seconds, row).set("host", cells(row, List.of("second")));
        }
        for (Map<String, String> row : disks.newRows()) {
            part(second(seconds, row), "disks").set(row.get("device"), cells(row, List.of("second", "device")));
        }
        for (Map<String, String> row : io.newRows()) {
            totals.io(row);
            part(second(seconds, row), "io").set(row.get("category"), cells(row, List.of("second", "category")));
        }
        return seconds;
    }

    /** By search, whatever page and order, since a page has no room for more lines. */
    private void latencies(SortedMap<Long, ObjectNode> seconds) throws IOException {
        SortedMap<Long, SortedMap<String, Histogram>> times = new TreeMap<>();
        for (LoggedInterval interval : responses.newIntervals()) {
            totals.responses(interval.times());
            searches.response(interval.times());
            String tag = interval.tag();
            SortedMap<String, Histogram> second =
                    times.computeIfAbsent(Math.round(interval.endSecond()), unused -> new TreeMap<>());
            for (String name : List.of(tag.substring(0, tag.indexOf('-')), "all")) {
                second.computeIfAbsent(name, unused -> new Histogram(3)).add(interval.times());
            }
        }
        times.forEach((second, searches) -> searches.forEach((name, all) -> part(at(seconds, second), "latency")
                .putObject(name)
                .put("p50", all.getValueAtPercentile(50))
                .put("p95", all.getValueAtPercentile(95))
                .put("max", all.getMaxValue())));
    }

    private static ObjectNode second(SortedMap<Long, ObjectNode> seconds, Map<String, String> row) throws IOException {
        try {
            return at(seconds, Math.round(Double.parseDouble(row.getOrDefault("second", ""))));
        } catch (NumberFormatException broken) {
            throw new IOException("not a second: " + row, broken);
        }
    }

    private static ObjectNode at(SortedMap<Long, ObjectNode> seconds, long second) {
        return seconds.computeIfAbsent(
                second, unused -> JsonNodeFactory.instance.objectNode().put("second", second));
    }

    private static ObjectNode part(ObjectNode second, String name) {
        return second.withObject("/" + name);
    }

    /** Numbers as numbers, everything else as text. */
    private static ObjectNode cells(Map<String, String> row, List<String> without) {
        ObjectNode cells = JsonNodeFactory.instance.objectNode();
        row.forEach((column, cell) -> {
            if (!without.contains(column)) {
                try {
                    cells.put(column, Double.parseDouble(cell));
                } catch (NumberFormatException word) {
                    cells.put(column, cell);
                }
            }
        });
        return cells;
    }
}
