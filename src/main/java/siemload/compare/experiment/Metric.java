package siemload.compare.experiment;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.compare.statistics.Quantity;

/**
 * What is compared of two runs. Immutable.
 *
 * @param name a statistic of the response time of load runs ({@code p50}, {@code p95}, {@code p99}, {@code mean}), {@code
 *     throughput} (answers a second), {@code cpuMicrosPerSearch}, {@code achievedEventsPerSecond}, a percentile
 *     of another time ({@code firstEventP50}, {@code lastEventP95}, {@code latenessP99}, {@code visibleP50}), or the name of a
 *     figure of the steps of a procedure, such as {@code lastEventMicros}
 */
public record Metric(String name) {
    /** What percentiles of other times than response times begin with. */
    static final String FIRST_EVENT = "firstEvent";

    static final String LAST_EVENT = "lastEvent";
    /** How late batches of the feeder were sent. */
    static final String LATENESS = "lateness";
    /** How long fed events took to be found. */
    static final String VISIBLE = "visible";

    private static final List<String> OF_SEARCHES = List.of(FIRST_EVENT, LAST_EVENT);
    private static final Pattern OTHER_TIME =
            Pattern.compile("(" + FIRST_EVENT + "|" + LAST_EVENT + "|" + LATENESS + "|" + VISIBLE + ")(P50|P95|P99)");

    private static final List<String> RATE_ENDINGS = List.of("PerSecond", "PerMinute");
    private static final List<String> RESPONSE_TIMES = List.of("p50", "p95", "p99", "mean");
    private static final double SMALLEST = 0.05;
    /**
     * Of times that only answered searches have, a percentile moves by what is missing: by a tenth of what lies above it at most.
     */
    private static final double SMALL_PART = 0.1;

    /** What kind of figure it is: only of rates is more better. */
    public Quantity quantity() {
        if (name.equals("throughput") || RATE_ENDINGS.stream().anyMatch(name::endsWith)) {
            return Quantity.RATE;
        }
        return isTime() ? Quantity.TIME : Quantity.AMOUNT;
    }

    /** In words, as in {@code HAWAT3 p95}: {@code last event} for {@code lastEventMicros}, of statements {@code last row}. */
    public String words(Asked asked) {
        return name.replaceFirst("Micros$", "")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT)
                .replaceFirst("^(first|last) event", "$1 " + asked.found());
    }

    /** The names of all percentiles of other times than response times. */
    public static List<String> otherTimes() {
        return Stream.of(FIRST_EVENT, LAST_EVENT, LATENESS, VISIBLE)
                .flatMap(time -> Stream.of("P50", "P95", "P99").map(time::concat))
                .toList();
    }

    /** Whether it is a percentile of another time than response times. */
    boolean isOtherTime() {
        return OTHER_TIME.matcher(name).matches();
    }

    /** Whether every search has one of its own; the others are of the feeder. */
    boolean isOfEachSearch() {
        return OF_SEARCHES.stream().anyMatch(name::startsWith);
    }

    /**
     * What holds for percentiles of whichever time; for all that is none as for the last one.
     *
     * @param smallest the smallest change that matters, as a ratio
     * @param searches so many it takes: a percentile that fewer than ten values lie above is the chance of a few
     * @param shareAbove of the values
     */
    private record Percentile(double smallest, int searches, double shareAbove) {
        static Percentile of(Metric metric) {
            Matcher other = OTHER_TIME.matcher(metric.name);
            return switch (other.matches() ? other.group(2).toLowerCase(Locale.ROOT) : metric.name) {
                case "p50" -> new Percentile(SMALLEST, 20, 0.5);
                case "p95" -> new Percentile(0.10, 200, 0.05);
                case "p99" -> new Percentile(0.20, 1000, 0.01);
                case "p95Micros" -> new Percentile(0.10, 1, 0.01);
                case "p99Micros" -> new Percentile(0.20, 1, 0.01);
                default -> new Percentile(SMALLEST, 1, 0.01);
            };
        }
    }

    /** The smallest change that matters to people, as a ratio: 0.05 for medians and rates, 0.1 for p95, 0.2 for p99. */
    public double smallest() {
        return Percentile.of(this).smallest();
    }

    /** How many searches a run needs for it: 20 for the median, 200 for p95, 1000 for p99, otherwise 1. */
    public int searchesNeeded() {
        return Percentile.of(this).searches();
    }

    /**
     * The share of the searches that may get no answer: if more do, of this figure of their times it is only known that the true
     * one is no better. 1 for what no search can make wrong by that.
     */
    double mayMiss() {
        double above = Percentile.of(this).shareAbove();
        return RESPONSE_TIMES.contains(name) ? above : isOtherTime() && isOfEachSearch() ? SMALL_PART * above : 1;
    }

    /** Whether its values are times: in microseconds, or in seconds where the name says so. */
    private boolean isTime() {
        return RESPONSE_TIMES.contains(name) || isOtherTime() || name.endsWith("Micros") || name.endsWith("econds");
    }
}
