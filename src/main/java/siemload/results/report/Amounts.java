package siemload.results.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;

/** Numbers as all reports show them. Stateless and thread-safe. */
public final class Amounts {
    /** Stands where nothing is known. */
    public static final String NONE = "-";

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private Amounts() {}

    /** A time in milliseconds, with the digits that matter: three at most, and none behind the point from 100 ms on. */
    public static String millis(double micros) {
        return digits(micros < 9_995 ? 2 : micros < 99_950 ? 1 : 0, micros / 1000.0);
    }

    /** One figure of a distribution in milliseconds; a dash where nothing was measured, as of searches that all failed. */
    static String millis(MicrosSummary times, ToLongFunction<MicrosSummary> figure) {
        return times.equals(MicrosSummary.NONE) ? NONE : millis((double) figure.applyAsLong(times));
    }

    /** The figures of a distribution that tables show: p50, p95, p99 and the largest, the percentiles with their intervals. */
    static List<Table.Cell> times(MicrosSummary times) {
        return List.of(
                new Table.Cell(millis(times, MicrosSummary::p50), interval(times, "p50"), ""),
                new Table.Cell(millis(times, MicrosSummary::p95), interval(times, "p95"), ""),
                new Table.Cell(millis(times, MicrosSummary::p99), interval(times, "p99"), ""),
                Table.Cell.of(millis(times, MicrosSummary::max)));
    }

    /**
     * The 95 % interval of a percentile: {@code 11.9-12.8}, with a question mark for an end that few times do not show.
     *
     * @param percentile its name in {@link MicrosSummary}
     * @return empty where there is none
     */
    static String interval(MicrosSummary times, String percentile) {
        MicrosInterval interval = times.intervals95().get(percentile);
        if (interval == null) {
            return "";
        }
        String high = interval.hasNoHighEnd() ? "?" : millis((double) interval.high());
        return interval.low() == 0 && interval.hasNoHighEnd() ? "?" : millis((double) interval.low()) + "-" + high;
    }

    /** A percentile in milliseconds with its interval in brackets, where it has one. */
    static String bracketed(MicrosSummary times, String percentile, ToLongFunction<MicrosSummary> figure) {
        String interval = interval(times, percentile);
        return millis((double) figure.applyAsLong(times)) + (interval.isEmpty() ? "" : " (" + interval + ")");
    }

    static String whole(double number) {
        return digits(0, number);
    }

    /** With so many digits behind the point. */
    static String digits(int count, double number) {
        return String.format(Locale.ROOT, "%,." + count + "f", number);
    }

    /** Three digits that mean something. */
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

    /** {@code 1 walk}, {@code 2 walks}. */
    static String count(long number, String one) {
        return whole((double) number) + " " + one + (number == 1 ? "" : "s");
    }
}
