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
        MetricsText text = new MetricsText();
        text.metric("siemload_run_info", "gauge", "The run that is going on.").sample(labels, 1);
        text.metric("siemload_measuring", "gauge", "1 in the measured phase, 0 before and after it.")
                .sample(Map.of(), "measured".equals(lastLoad.get("phase")) ? 1 : 0);
        text.metric("siemload_searches_total", "counter", "Searches that ended, in any phase.")
                .sample(Map.of(), finished);
        text.metric("siemload_search_failures_total", "counter", "Searches that failed, in any phase.")
                .sample(Map.of(), failed);
        text.metric("siemload_searches_running", "gauge", "Searches under way.")
                .sample(Map.of(), number(lastLoad, "running"));
        addResponses(text);
        text.metric("siemload_fed_events_total", "counter", "Fed events that the database acknowledged.")
                .sample(Map.of(), acknowledged);
        text.metric("siemload_feeder_backlog_events", "gauge", "Events that were due and are not acknowledged.")
                .sample(Map.of(), number(lastLoad, "eventsBehind"));
        addHost(text);
        addIo(text);
        return text.toString();
    }

    private void addResponses(MetricsText text) {
        text.metric(
                "siemload_response_time_seconds",
                "summary",
                "From the instant the user was due to press Search to the last row, in the measured phase.");
        searches.forEach((tag, times) -> {
            Map<String, String> search = labels(tag);
            for (double quantile : QUANTILES) {
                Map<String, String> labelled = new TreeMap<>(search);
                labelled.put("quantile", String.valueOf(quantile));
                text.sample(labelled, times.getValueAtPercentile(quantile * 100) / 1e6);
            }
            text.sample("_sum", search, micros.getOrDefault(tag, 0.0) / 1e6);
            text.sample("_count", search, (double) times.getTotalCount());
        });
    }

    /** Of {@code HAWAT1-first-newestFirst}. */
    private static Map<String, String> labels(String tag) {
        String[] parts = tag.split("-", 3);
        return Map.of("search", parts[0], "page", parts[1], "order", parts[2]);
    }

    private void addHost(MetricsText text) {
        if (lastHost.isEmpty()) {
            return;
        }
        text.metric("siemload_host_cpu_ratio", "gauge", "Share of all CPUs in the last second, 0 to 1.");
        CPU_PARTS.forEach((column, part) -> text.sample(Map.of("part", part), number(lastHost, column)));
        text.metric("siemload_host_memory_used_bytes", "gauge", "Memory in use on this machine.")
                .sample(Map.of(), number(lastHost, "memoryUsedBytes"));
    }

    private void addIo(MetricsText text) {
        if (read.isEmpty()) {
            return;
        }
        text.metric(
                "siemload_database_read_bytes_total", "counter", "Bytes that the database read, by what they are for.");
        read.forEach((category, bytes) -> text.sample(Map.of("category", category), bytes));
        text.metric("siemload_database_written_bytes_total", "counter", "Bytes that the database wrote.");
        written.forEach((category, bytes) -> text.sample(Map.of("category", category), bytes));
    }

    private static double number(Map<String, String> row, String column) {
        try {
            return Double.parseDouble(row.getOrDefault(column, "0").toLowerCase(Locale.ROOT));
        } catch (NumberFormatException word) {
            return 0;
        }
    }

    /**
     * Prometheus' text exposition format, version 0.0.4
     * (https://prometheus.io/docs/instrumenting/exposition_formats/). Used by one thread.
     */
    private static final class MetricsText {
        private final StringBuilder text = new StringBuilder();
        private String name = "";

        /** Starts a metric; its samples follow. */
        MetricsText metric(String metricName, String type, String help) {
            name = metricName;
            text.append("# HELP ").append(name).append(' ').append(help).append('\n');
            text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
            return this;
        }

        /** A sample of the metric. */
        void sample(Map<String, String> labels, double value) {
            sample("", labels, value);
        }

        /** A sample whose name goes on: {@code _sum}, {@code _count}. */
        void sample(String suffix, Map<String, String> labels, double value) {
            text.append(name).append(suffix);
            if (!labels.isEmpty()) {
                text.append(new TreeMap<>(labels)
                        .entrySet().stream()
                                .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
                                .collect(Collectors.joining(",", "{", "}")));
            }
            text.append(' ')
                    .append(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString())
                    .append('\n');
        }

        private static String escaped(String value) {
            return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
