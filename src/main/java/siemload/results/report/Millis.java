package siemload.results.report;

import java.util.Locale;
import java.util.function.ToLongFunction;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;

/** Times in milliseconds, with as many digits as the page of the run shows (elements.js). Stateless and thread-safe. */
public final class Millis {
    /** In place of an end that too few times do not show. */
    static final String UNKNOWN = "?";

    private Millis() {}

    /** With the digits that matter: three at most, and none behind the point from 100 ms on. */
    public static String of(long micros) {
        return of((double) micros);
    }

    /** The same of a mean. */
    static String of(double micros) {
        String format = micros < 9_995 ? "%.2f" : micros < 99_950 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, micros / 1000.0);
    }

    /** One figure of a distribution; a dash where nothing was measured, as of searches that all failed. */
    static String of(MicrosSummary times, ToLongFunction<MicrosSummary> figure) {
        return times.equals(MicrosSummary.NONE) ? "-" : of(figure.applyAsLong(times));
    }

    /**
     * The 95 % interval of a percentile: {@code 11.9-12.8}, with {@value #UNKNOWN} for an end that few times do not show.
     *
     * @param percentile its name in {@link MicrosSummary}
     * @return empty where there is none
     */
    static String interval(MicrosSummary times, String percentile) {
        MicrosInterval interval = times.intervals95().get(percentile);
        if (interval == null) {
            return "";
        }
        String high = interval.hasNoHighEnd() ? UNKNOWN : of(interval.high());
        return interval.low() == 0 && interval.hasNoHighEnd() ? UNKNOWN : of(interval.low()) + "-" + high;
    }

    /** The interval in brackets, to stand behind a figure; empty where there is none. */
    static String bracketed(MicrosSummary times, String percentile) {
        String interval = interval(times, percentile);
        return interval.isEmpty() ? "" : " (" + interval + ")";
    }
}
