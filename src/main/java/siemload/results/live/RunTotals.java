package siemload.results.live;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What the load of a run has come to so far, in Prometheus' text format 0.0.4: base units, counters that only grow. Quantiles are those
 * of the measured phase so far, nearest rank. Thread-safe.
 */
final class RunTotals {
    private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99);

    private final Map<String, String> labels;
    private final Map<String, Histogram> searches = new TreeMap<>();
    private Map<String, String> lastLoad = Map.of();
    private double finished;
    private double failed;
    private double acknowledged;

    /** @param labels what is known of the run, by Prometheus' names */
    RunTotals(Map<String, String> labels) {
        this.labels = labels;
    }

    synchronized void load(Map<String, String> row) {
        lastLoad = row;
        finished += number(row, "finished");
        failed += number(row, "failed");
        acknowledged += number(row, "eventsAcknowledged");
    }

    synchronized void responses(Histogram times) {
        searches.computeIfAbsent(times.getTag(), unused -> new Histogram(3)).add(times);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.getOrDefault(column, "0"));
    }

    /** The whole text. */
    synchronized String text() {
        StringBuilder text = new StringBuilder();
        head(text, "run_info", "gauge", "The run that is going on.");
        sample(text, "run_info", labels, 1);
        double measuring = "measured".equals(lastLoad.get("phase")) ? 1 : 0;
        metric(text, "measuring", "gauge", "1 in the measured phase, 0 before and after it.", measuring);
        metric(text, "searches_total", "counter", "Searches that ended, in any phase.", finished);
        metric(text, "search_failures_total", "counter", "Searches that failed, in any phase.", failed);
        metric(text, "searches_running", "gauge", "Searches under way.", number(lastLoad, "running"));
        String name = "response_time_seconds";
        String what = "From the instant the user was due to press Search to the last row, in the measured phase.";
        head(text, name, "summary", what);
        searches.forEach((tag, times) -> {
            // Of HAWAT1-first-newestFirst.
            String[] parts = tag.split("-", 3);
            Map<String, String> search = Map.of("search", parts[0], "page", parts[1], "order", parts[2]);
            for (double quantile : QUANTILES) {
                Map<String, String> labelled = new TreeMap<>(search);
                labelled.put("quantile", String.valueOf(quantile));
                sample(text, name, labelled, times.getValueAtPercentile(quantile * 100) / 1e6);
            }
            sample(text, name + "_sum", search, times.getMean() * times.getTotalCount() / 1e6);
            sample(text, name + "_count", search, (double) times.getTotalCount());
        });
        metric(text, "fed_events_total", "counter", "Fed events that the database acknowledged.", acknowledged);
        String behind = "Events that were due and are not acknowledged.";
        metric(text, "feeder_backlog_events", "gauge", behind, number(lastLoad, "eventsBehind"));
        return text.toString();
    }

    private static void metric(StringBuilder text, String name, String type, String help, double value) {
        head(text, name, type, help);
        sample(text, name, Map.of(), value);
    }

    /** In Prometheus' exposition format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP siemload_").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE siemload_").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder text, String name, Map<String, String> labels, double value) {
        text.append("siemload_").append(name);
        if (!labels.isEmpty()) {
            text.append(new TreeMap<>(labels)
                    .entrySet().stream()
                            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
                            .collect(Collectors.joining(",", "{", "}")));
        }
        String digits = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        text.append(' ').append(digits).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
