package siemload.compare;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import siemload.compare.statistics.Decision.Quantity;

/**
 * A figure by which runs are compared. Immutable.
 *
 * @param name a statistic of the response time of load runs ({@code p50}, {@code p95}, {@code p99}, {@code mean}), {@code
 *     throughput} (answers a second), {@code cpuMicrosPerSearch}, {@code achievedEventsPerSecond}, a percentile
 *     of another time ({@code firstEventP50}, {@code lastEventP95}, {@code latenessP99}, {@code visibleP50}), or the name of a
 *     figure of the steps of a procedure, such as {@code lastEventMicros}
 */
public record Metric(String name) {
    /** Percentiles of times other than response times: of searches, of batches of the feeder, and of events that were fed. */
    private static final Pattern OTHER_TIME = Pattern.compile("(firstEvent|lastEvent|lateness|visible)P(50|95|99)");

    private static final List<String> RESPONSE_TIMES = List.of("p50", "p95", "p99", "mean");
    /**
     * For times that only answered searches have: the largest share of unanswered searches, as a part of the share above the percentile.
     */
    private static final double SMALL_PART = 0.1;

    /** Returns whether the metric is a percentile of times other than response times. */
    boolean isOtherTime() {
        return OTHER_TIME.matcher(name).matches();
    }

    /** Returns the kind of figure; only for rates more is better. */
    public Quantity quantity() {
        if (name.equals("throughput") || name.endsWith("PerSecond") || name.endsWith("PerMinute")) {
            return Quantity.RATE;
        }
        // Times are in microseconds, or in seconds if the name says so.
        return RESPONSE_TIMES.contains(name) || isOtherTime() || name.endsWith("Micros") || name.endsWith("econds")
                ? Quantity.TIME
                : Quantity.AMOUNT;
    }

    /** Returns the metric in words, which follow a search's name: {@code last event} for {@code lastEventMicros}. */
    public String words() {
        return name.replaceFirst("Micros$", "")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the number of the percentile of a time: 50, 95 or 99; 0 for all other metrics. */
    private int percentile() {
        boolean isOne = isOtherTime() || name.matches("p(50|95|99)");
        return isOne ? Integer.parseInt(name.substring(name.length() - 2)) : 0;
    }

    /** Returns the smallest change that matters to people, as a ratio: 0.05 for medians and rates, 0.1 for p95, 0.2 for p99. */
    public double smallest() {
        return percentile() == 95 || name.equals("p95Micros")
                ? 0.1
                : percentile() == 99 || name.equals("p99Micros") ? 0.2 : 0.05;
    }

    /**
     * Returns how many searches a run needs for this metric: 20 for the median, 200 for p95, 1000 for p99, otherwise 1. A percentile with
     * fewer than ten values above it depends on a few values.
     */
    int searchesNeeded() {
        return percentile() == 0 ? 1 : 1000 / (100 - percentile());
    }

    /**
     * Returns the largest share of unanswered searches; beyond it the figure is only a bound, and the true figure may be worse. The share
     * is 1 for figures that unanswered searches do not change.
     */
    double mayMiss() {
        double above = percentile() == 0 ? 0.01 : (100 - percentile()) / 100.0;
        boolean isOfAnswers = isOtherTime() && name.matches("(first|last)Event.*");
        return RESPONSE_TIMES.contains(name) ? above : isOfAnswers ? SMALL_PART * above : 1;
    }

    /** Returns the metric's title and unit, as they are shown to people. */
    Words inWords() {
        boolean isResponseTime = RESPONSE_TIMES.contains(name);
        String title = (isResponseTime ? "response time " : "")
                + words().replaceAll("^achieved | micros(?= per )| per second$| seconds$", "");
        boolean more = quantity().moreIsBetter();
        if (isResponseTime || isOtherTime() || name.endsWith("Micros")) {
            return new Words(title, "ms", 1000, more);
        }
        if (name.equals("bytes") || name.endsWith("Bytes")) {
            return new Words(title, "MB", 1e6, more);
        }
        boolean isOfSeconds = name.endsWith("PerSecond") || name.equals("throughput");
        String unit = name.contains("MicrosPer")
                ? "µs"
                : name.contains("BytesPer") ? "bytes" : isOfSeconds ? "/s" : name.endsWith("econds") ? "s" : "";
        return new Words(title, unit, 1, more);
    }

    /**
     * The title and unit of a metric for people: {@code response time p95} in milliseconds. Immutable.
     *
     * @param unit the unit in which values are shown; empty for plain numbers
     * @param per the number of the metric's own units in one shown unit: 1000 for microseconds shown as ms
     */
    public record Words(String title, String unit, double per, boolean moreIsBetter) {}
}
