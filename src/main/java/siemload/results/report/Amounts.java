package siemload.results.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;

/** Numbers in the form that all reports use. Stateless and thread-safe. */
public final class Amounts {
    /** The text for unknown values. */
    public static final String NONE = "-";

    /** The names of the figures that {@link #times} returns. */
    static final List<String> TIMES = List.of("p50", "p95", "p99", "max");

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private Amounts() {}

    /** Returns a time in milliseconds, with two decimals below 10 ms, one decimal below 100 ms, and no decimals from there on. */
    public static String millis(double micros) {
        return digits(micros < 9_995 ? 2 : micros < 99_950 ? 1 : 0, micros / 1000.0);
    }

    /** Returns the figures of a distribution for tables: p50, p95 and p99 with their intervals, and the largest time. */
    static List<Table.Cell> times(MicrosSummary times) {
        return List.of(
                time(times, times.p50(), "p50"),
                time(times, times.p95(), "p95"),
                time(times, times.p99(), "p99"),
                time(times, times.max(), "max"));
    }

    /**
     * Returns a figure of a distribution in milliseconds; a dash if nothing was measured, as for searches that all failed. Below the figure
     * is its 95 % interval, if known: {@code 11.9-12.8}, with a question mark for an end that needs more times.
     */
    private static Table.Cell time(MicrosSummary times, long micros, String name) {
        MicrosInterval interval = times.intervals95().getOrDefault(name, new MicrosInterval(0, MicrosInterval.OPEN));
        String high = interval.hasNoHighEnd() ? "?" : millis((double) interval.high());
        String low = interval.low() == 0 && interval.hasNoHighEnd() ? "" : millis((double) interval.low()) + "-";
        return new Table.Cell(
                times.equals(MicrosSummary.NONE) ? NONE : millis((double) micros),
                times.intervals95().containsKey(name) ? low + high : "",
                "");
    }

    static String whole(double number) {
        return digits(0, number);
    }

    /** Returns a number as text with this many decimals. */
    static String digits(int count, double number) {
        return String.format(Locale.ROOT, "%,." + count + "f", number);
    }

    /** Returns a number as text with three significant digits. */
    public static String significant(double number) {
        BigDecimal rounded = BigDecimal.valueOf(number).round(THREE_DIGITS);
        return digits(Math.max(0, rounded.stripTrailingZeros().scale()), rounded.doubleValue());
    }

    static String percent(double ratio) {
        return digits(ratio < 0.1 ? 2 : 1, 100 * ratio) + " %";
    }

    static String bytes(double bytes) {
        double value = bytes;
        int step = 0;
        for (; value >= 1000 && step < 4; step++) {
            value /= 1000;
        }
        return significant(value) + " " + List.of("B", "kB", "MB", "GB", "TB").get(step);
    }

    /** Returns a number with its noun, in singular or plural: {@code 1 step}, {@code 2 steps}. */
    static String count(long number, String one) {
        return whole((double) number) + " " + one + (number == 1 ? "" : "s");
    }
}
