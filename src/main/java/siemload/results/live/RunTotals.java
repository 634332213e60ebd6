package siemload.results.live;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What a run has come to so far, in Prometheus' text format 0.0.4: base units, counters that only grow. Quantiles are those
 * of the measured phase so far, nearest rank. Thread-safe.
 */
final class RunTotals {
    private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99);
    private static final Map<String, String> CPU_PARTS = new LinkedHashMap<>();

    static {
        CPU_PARTS.put("databaseCpuRatio", "database");
        CPU_PARTS.put("generatorCpuRatio", "generator");
        CPU_PARTS.put("otherCpuRatio", "other");
        CPU_PARTS.put("iowaitRatio", "iowait");
        CPU_PARTS.put("stealRatio", "steal");
    }

    private final Map<String, String> labels;
    private final Map<String, Histogram> searches = new TreeMap<>();
    private final Map<String, Double> micros = new TreeMap<>();
    private final Map<String, Double> read = new TreeMap<>();
    private final Map<String, Double> written = new TreeMap<>();
    private Map<String, String> lastLoad = Map.of();
    private Map<String, String> lastHost = Map.of();
    private double finished;
    private double failed;
    private double acknowledged;

    /** @param labels what is known of the run, by Prometheus' names */
    RunTotals(Map<String, String> labels) {
        this.labels = new TreeMap<>(labels);
    }

    synchronized void load(Map<String, String> row) {
        lastLoad = row;
        finished += number(row, "finished");
        failed += number(row, "failed");
        acknowledged += number(row, "eventsAcknowledged");
    }

    synchronized void host(Map<String, String> row) {
        lastHost = row;
    }

    synchronized void io(Map<String, String> row) {
        read.merge(row.getOrDefault("category", ""), number(row, "readBytes"), Double::sum);
        written.merge(row.getOrDefault("category", ""), number(row, "writtenBytes"), Double::sum);
    }

    synchronized void responses(Histogram times) {
        searches.computeIfAbsent(times.getTag(), unused -> new Histogram(3)).add(times);
        micros.merge(times.getTag(), times.getMean() * times.getTotalCount(), Double::sum);
    }

    /** The whole text. */
    synchronized String text() {
        StringBuilder text = new StringBuilder();
        metric(text, "run_info", "gauge", "The run that is going on.", Map.of(labels, 1.0));
        double measuring = "measured".equals(lastLoad.get("phase")) ? 1 : 0;
        metric(text, "measuring", "gauge", "1 in the measured phase, 0 before and after it.", one(measuring));
        metric(text, "searches_total", "counter", "Searches that ended, in any phase.", one(finished));
        metric(text, "search_failures_total", "counter", "Searches that failed, in any phase.", one(failed));
        metric(text, "searches_running", "gauge", "Searches under way.", one(number(lastLoad, "running")));
        addResponses(text);
        metric(text, "fed_events_total", "counter", "Fed events that the database acknowledged.", one(acknowledged));
        double behind = number(lastLoad, "eventsBehind");
        metric(text, "feeder_backlog_events", "gauge", "Events that were due and are not acknowledged.", one(behind));
        if (!lastHost.isEmpty()) {
            Map<Map<String, String>, Double> cpus = new LinkedHashMap<>();
            CPU_PARTS.forEach((column, part) -> cpus.put(Map.of("part", part), number(lastHost, column)));
            metric(text, "host_cpu_ratio", "gauge", "Share of all CPUs in the last second, 0 to 1.", cpus);
            double memory = number(lastHost, "memoryUsedBytes");
            metric(text, "host_memory_used_bytes", "gauge", "Memory in use on this machine.", one(memory));
        }
        if (!read.isEmpty()) {
            String what = "Bytes that the database read, by what they are for.";
            metric(text, "database_read_bytes_total", "counter", what, byCategory(read));
            metric(
                    text,
                    "database_written_bytes_total",
                    "counter",
                    "Bytes that the database wrote.",
                    byCategory(written));
        }
        return text.toString();
    }

    private void addResponses(StringBuilder text) {
        String what = "From the instant the user was due to press Search to the last row, in the measured phase.";
        metric(text, "response_time_seconds", "summary", what, Map.of());
        searches.forEach((tag, times) -> {
            // Of HAWAT1-first-newestFirst.
            String[] parts = tag.split("-", 3);
            Map<String, String> search = Map.of("search", parts[0], "page", parts[1], "order", parts[2]);
            for (double quantile : QUANTILES) {
                Map<String, String> labelled = new TreeMap<>(search);
                labelled.put("quantile", String.valueOf(quantile));
                sample(text, "response_time_seconds", labelled, times.getValueAtPercentile(quantile * 100) / 1e6);
            }
            sample(text, "response_time_seconds_sum", search, micros.getOrDefault(tag, 0.0) / 1e6);
            sample(text, "response_time_seconds_count", search, (double) times.getTotalCount());
        });
    }

    private static Map<Map<String, String>, Double> one(double value) {
        return Map.of(Map.of(), value);
    }

    private static Map<Map<String, String>, Double> byCategory(Map<String, Double> bytes) {
        Map<Map<String, String>, Double> samples = new LinkedHashMap<>();
        bytes.forEach((category, value) -> samples.put(Map.of("category", category), value));
        return samples;
    }

    /** In Prometheus' exposition format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
    private static void metric(
            StringBuilder text, String name, String type, String help, Map<Map<String, String>, Double> samples) {
        text.append("# HELP siemload_").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE siemload_").append(name).append(' ').append(type).append('\n');
        samples.forEach((labels, value) -> sample(text, name, labels, value));
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

    private static double number(Map<String, String> row, String column) {
        try {
            return Double.parseDouble(row.getOrDefault(column, "0").toLowerCase(Locale.ROOT));
        } catch (NumberFormatException word) {
            return 0;
        }
    }
}
