package siemload.results.live;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prometheus' text exposition format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Used by one thread.
 */
final class MetricsText {
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
