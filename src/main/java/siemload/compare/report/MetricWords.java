package siemload.compare.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
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
    private static final Map<String, String> TIMES = Map.of(
            "firstEvent", "time to first event",
            "lastEvent", "time to last event",
            "lateness", "lateness of the feeder",
            "visible", "time to visibility",
            "", "response time ");

    /** Title and unit where these do not follow from the name. */
    private static final Map<String, String[]> OTHERS = Map.of(
            "throughput", new String[] {"searches answered", "/s"},
            "cpuMicrosPerSearch", new String[] {"processor time of a search", "µs"},
            "walBytesPerEvent", new String[] {"log (WAL) of an event", "bytes"},
            "diskBytesPerEvent", new String[] {"disk of an event", "bytes"},
            "kilobytesPerSecond", new String[] {"kilobytes", "kB/s"},
            "seconds", new String[] {"time", "s"});

    /** The metric of a figure of a history: {@code HAWAT1 p95}. */
    public static MetricWords ofFigure(String figure) {
        return of(new Metric(figure.substring(figure.lastIndexOf(' ') + 1)));
    }

    static MetricWords of(Metric metric) {
        String name = metric.name();
        boolean more = metric.quantity().moreIsBetter();
        Matcher time = TIME.matcher(name);
        if (time.matches()) {
            String title = TIMES.getOrDefault(time.group(1), "")
                    + time.group(2).replace("Micros", "").replace("P", " p");
            return new MetricWords(title, "ms", 1000, more);
        }
        String[] other = OTHERS.get(name);
        if (other != null) {
            return new MetricWords(other[0], other[1], 1, more);
        }
        String words = metric.words();
        if (name.endsWith("Micros")) {
            return new MetricWords(words, "ms", 1000, more);
        }
        if (name.equals("bytes") || name.endsWith("Bytes")) {
            return new MetricWords(words, "MB", 1e6, more);
        }
        if (name.contains("MicrosPer")) {
            return new MetricWords(words.replace(" micros", ""), "µs", 1, more);
        }
        String unit = name.endsWith("PerSecond") ? "/s" : name.endsWith("econds") ? "s" : "";
        return new MetricWords(words.replaceAll("^achieved | per second$| seconds$", ""), unit, 1, more);
    }

    /** What the ratios of a comparison say: {@code response time p95 as a ratio to that of none, below 1 is better}. */
    static String ratios(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        MetricWords words = of(experiment.judged().metric());
        return words.title + " as a ratio to that of "
                + experiment.spoken(experiment.judged().baseline()) + ", " + (words.moreIsBetter ? "above" : "below")
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
