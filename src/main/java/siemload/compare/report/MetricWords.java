package siemload.compare.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Metric;

/**
 * A metric in words for people: {@code response time p95} in milliseconds. Immutable.
 *
 * @param unit in which values are shown; empty for mere numbers
 * @param per how many of the metric's own unit make one of the shown unit
 */
public record MetricWords(String title, String unit, double per, boolean moreIsBetter) {
    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);
    private static final Pattern TIME =
            Pattern.compile("(firstEvent|lastEvent|lateness|visible|)(P50|P95|P99|Micros|p50|p95|p99|mean)");
    private static final double MICROS_PER_MILLI = 1000;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    /**
     * The metric of a figure of a history.
     *
     * @param figure {@code HAWAT1 p95} or, of an experiment, {@code HAWAT1 p95 [none]}
     */
    public static MetricWords ofFigure(String figure) {
        String subjectAndMetric = figure.replaceFirst(" \\[.*]$", "");
        return of(new Metric(subjectAndMetric.substring(subjectAndMetric.lastIndexOf(' ') + 1)));
    }

    static MetricWords of(Metric metric) {
        String name = metric.name();
        boolean more = metric.quantity().moreIsBetter();
        Matcher time = TIME.matcher(name);
        if (time.matches()) {
            String title = switch (time.group(1)) {
                case "firstEvent" -> "time to first event";
                case "lastEvent" -> "time to last event";
                case "lateness" -> "lateness of the feeder";
                case "visible" -> "time to visibility";
                default -> "response time ";
            };
            return new MetricWords(
                    title + time.group(2).replace("Micros", "").replace("P", " p"), "ms", MICROS_PER_MILLI, more);
        }
        String words = metric.words();
        if (name.endsWith("Micros")) {
            return new MetricWords(words, "ms", MICROS_PER_MILLI, more);
        }
        if (name.equals("bytes") || name.endsWith("Bytes")) {
            return new MetricWords(words, "MB", BYTES_PER_MEGABYTE, more);
        }
        if (name.contains("MicrosPer") && !name.equals("cpuMicrosPerSearch")) {
            return new MetricWords(words.replace(" micros", ""), "µs", 1, more);
        }
        return switch (name) {
            case "throughput" -> new MetricWords("searches answered", "/s", 1, more);
            case "cpuMicrosPerSearch" -> new MetricWords("processor time of a search", "µs", 1, more);
            case "walBytesPerEvent" -> new MetricWords("log (WAL) of an event", "bytes", 1, more);
            case "diskBytesPerEvent" -> new MetricWords("disk of an event", "bytes", 1, more);
            case "kilobytesPerSecond" -> new MetricWords("kilobytes", "kB/s", 1, more);
            case "seconds" -> new MetricWords("time", "s", 1, more);
            default -> {
                String unit = name.endsWith("PerSecond") ? "/s" : name.endsWith("econds") ? "s" : "";
                yield new MetricWords(words.replaceAll("^achieved | per second$| seconds$", ""), unit, 1, more);
            }
        };
    }

    /** What the ratios of a comparison say: {@code response time p95 as a ratio to that of none, below 1 is better}. */
    static String ratios(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        MetricWords words = of(experiment.judged().metric());
        return words.title() + " as a ratio to that of "
                + experiment.spoken(experiment.judged().baseline()) + ", " + (words.moreIsBetter() ? "above" : "below")
                + " 1 is better";
    }

    /** A value of the metric with its unit and three digits that mean something: {@code 25.4 ms}. */
    public String shown(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value / per).round(THREE_DIGITS);
        String digits =
                rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
        return unit.isEmpty() ? digits : digits + " " + unit;
    }
}
