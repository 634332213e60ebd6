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
    private static final double SMALLEST_OF_TAIL = 0.20;
    private static final double SMALLEST_OF_P95 = 0.10;
    private static final double SMALLEST = 0.05;
    /**
     * Of times that only answered searches have, a percentile moves by what is missing: by a tenth of what lies above it at most.
     */
    private static final double SMALL_PART = 0.1;
    /** A percentile that fewer than this many values lie above is the chance of a few. */
    private static final int ABOVE_PERCENTILE = 10;

    /** What kind of figure it is: only of rates is more better. */
    public Quantity quantity() {
        if (name.equals("throughput") || RATE_ENDINGS.stream().anyMatch(name::endsWith)) {
            return Quantity.RATE;
        }
        return isTime() ? Quantity.TIME : Quantity.AMOUNT;
    }

    /** In words, as in {@code HAWAT3 p95}: {@code last event} for {@code lastEventMicros}. */
    public String words() {
        return name.replaceFirst("Micros$", "")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
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

    /** {@code p95} of whichever time. */
    private String percentile() {
        Matcher other = OTHER_TIME.matcher(name);
        return other.matches() ? other.group(2).toLowerCase(Locale.ROOT) : name;
    }

    /** The smallest change that matters to people, as a ratio: 0.05 for medians and rates, 0.1 for p95, 0.2 for p99. */
    public double smallest() {
        return switch (percentile()) {
            case "p99", "p99Micros" -> SMALLEST_OF_TAIL;
            case "p95", "p95Micros" -> SMALLEST_OF_P95;
            default -> SMALLEST;
        };
    }

    /** How many searches a run needs for it: 20 for the median, 200 for p95, 1000 for p99, otherwise 1. */
    public int searchesNeeded() {
        return switch (percentile()) {
            case "p50" -> ABOVE_PERCENTILE * 2;
            case "p95" -> ABOVE_PERCENTILE * 20;
            case "p99" -> ABOVE_PERCENTILE * 100;
            default -> 1;
        };
    }

    /**
     * The share of the searches that may get no answer: if more do, of this figure of their times it is only known that the true
     * one is no better. 1 for what no search can make wrong by that.
     */
    double mayMiss() {
        if (RESPONSE_TIMES.contains(name)) {
            return shareAbove();
        }
        return isOtherTime() && isOfEachSearch() ? SMALL_PART * shareAbove() : 1;
    }

    private double shareAbove() {
        return switch (percentile()) {
            case "p50" -> 0.5;
            case "p95" -> 0.05;
            default -> 0.01;
        };
    }

    /** Whether its values are times: in microseconds, or in seconds where the name says so. */
    private boolean isTime() {
        return RESPONSE_TIMES.contains(name) || isOtherTime() || name.endsWith("Micros") || name.endsWith("econds");
    }
}
