package siemload.results.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunListener;
import siemload.results.TimeMetric;

/**
 * Hears what is written of a run second by second. What is new is handed out as JSON for the page, and added to the totals for
 * Prometheus. What it holds does not grow with the length of the run. Thread-safe.
 */
final class RunFollower implements RunListener {
    private static final List<String> SECOND = List.of("second");
    private static final List<String> SECOND_AND_DEVICE = List.of("second", "device");
    private static final List<String> SECOND_AND_CATEGORY = List.of("second", "category");

    private final SearchTotals searches = new SearchTotals();
    private final RunTotals totals;
    private final SortedMap<Long, SortedMap<String, Histogram>> latencies = new TreeMap<>();
    private SortedMap<Long, ObjectNode> seconds = new TreeMap<>();

    RunFollower(RunTotals totals) {
        this.totals = totals;
    }

    @Override
    public synchronized void row(RunFile table, Map<String, String> row) {
        switch (table) {
            case TIMELINE -> {
                totals.load(row);
                second(row).set("load", cells(row, SECOND));
            }
            case HOST -> {
                totals.host(row);
                second(row).set("host", cells(row, SECOND));
            }
            case DISKS -> part(second(row), "disks").set(row.get("device"), cells(row, SECOND_AND_DEVICE));
            case DATABASE_IO -> {
                totals.io(row);
                part(second(row), "io").set(row.get("category"), cells(row, SECOND_AND_CATEGORY));
            }
            default -> {
                // The page shows nothing of it.
            }
        }
    }

    @Override
    public synchronized void interval(TimeMetric metric, LoggedInterval interval) {
        if (metric == TimeMetric.RESPONSE_TIME) {
            response(interval);
        } else {
            searches.part(metric, interval.times());
        }
    }

    /** By search, whatever page and order, since a page has no room for more lines. */
    private void response(LoggedInterval interval) {
        totals.responses(interval.times());
        searches.response(interval.times());
        SortedMap<String, Histogram> second =
                latencies.computeIfAbsent(Math.round(interval.endSecond()), unused -> new TreeMap<>());
        for (String name : List.of(interval.search(), "all")) {
            second.computeIfAbsent(name, unused -> new Histogram(3)).add(interval.times());
        }
    }

    /** What the searches have come to so far, as the page takes it. */
    synchronized ObjectNode totals() {
        return searches.toJson();
    }

    /** What came since the last call: seconds by number, each with what is known of it. */
    synchronized SortedMap<Long, ObjectNode> newSeconds() {
        latencies.forEach((second, searches) -> searches.forEach((name, all) -> part(second(second), "latency")
                .putObject(name)
                .put("p50", all.getValueAtPercentile(50))
                .put("p95", all.getValueAtPercentile(95))
                .put("max", all.getMaxValue())));
        latencies.clear();
        SortedMap<Long, ObjectNode> news = seconds;
        seconds = new TreeMap<>();
        return news;
    }

    private ObjectNode second(Map<String, String> row) {
        return second(Math.round(Double.parseDouble(row.getOrDefault("second", "0"))));
    }

    private ObjectNode second(long second) {
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
