package siemload.compare.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
        return switch (name) {
            case "p50", "p95", "p99", "mean" -> new MetricWords("response time " + name, "ms", MICROS_PER_MILLI, more);
            case "firstEventP50", "firstEventP95", "firstEventP99" -> ofTime("time to first event", name, more);
            case "lastEventP50", "lastEventP95", "lastEventP99" -> ofTime("time to last event", name, more);
            case "latenessP50", "latenessP95", "latenessP99" -> ofTime("lateness of the feeder", name, more);
            case "visibleP50", "visibleP95", "visibleP99" -> ofTime("time to visibility", name, more);
            case "throughput" -> new MetricWords("searches answered", "/s", 1, more);
            case "achievedEventsPerSecond", "eventsPerSecond" -> new MetricWords("events", "/s", 1, more);
            case "cpuMicrosPerSearch" -> new MetricWords("processor time of a search", "µs", 1, more);
            case "firstEventMicros" -> new MetricWords("time to first event", "ms", MICROS_PER_MILLI, more);
            case "lastEventMicros" -> new MetricWords("time to last event", "ms", MICROS_PER_MILLI, more);
            case "walBytesPerEvent" -> new MetricWords("log (WAL) of an event", "bytes", 1, more);
            case "diskBytesPerEvent" -> new MetricWords("disk of an event", "bytes", 1, more);
            case "kilobytesPerSecond" -> new MetricWords("kilobytes", "kB/s", 1, more);
            default -> byEnding(name, metric.words(), more);
        };
    }

    /** What the ratios of an experiment say: {@code response time p95 as a ratio to that of none, below 1 is better}. */
    static String ratios(Experiment experiment) {
        MetricWords words = of(experiment.judged().metric());
        return words.title() + " as a ratio to that of "
                + experiment.spoken(experiment.judged().baseline()) + ", " + (words.moreIsBetter() ? "above" : "below")
                + " 1 is better";
    }

    private static MetricWords ofTime(String title, String name, boolean more) {
        return new MetricWords(title + " p" + name.substring(name.length() - 2), "ms", MICROS_PER_MILLI, more);
    }

    private static MetricWords byEnding(String name, String words, boolean more) {
        if (name.endsWith("Micros")) {
            return new MetricWords(words, "ms", MICROS_PER_MILLI, more);
        }
        if (name.contains("MicrosPer")) {
            return new MetricWords(words.replace(" micros", ""), "µs", 1, more);
        }
        if (name.endsWith("econds")) {
            return new MetricWords(
                    words.equals("seconds") ? "time" : words.replaceFirst(" seconds$", ""), "s", 1, more);
        }
        if (name.endsWith("PerSecond")) {
            return new MetricWords(words.replaceFirst(" per second$", ""), "/s", 1, more);
        }
        if (name.equals("bytes") || name.endsWith("Bytes")) {
            return new MetricWords(words, "MB", BYTES_PER_MEGABYTE, more);
        }
        return new MetricWords(words, "", 1, more);
    }

    /** A value of the metric with its unit and three digits that mean something: {@code 25.4 ms}. */
    public String shown(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value / per).round(THREE_DIGITS);
        String digits =
                rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
        return unit.isEmpty() ? digits : digits + " " + unit;
    }
}
