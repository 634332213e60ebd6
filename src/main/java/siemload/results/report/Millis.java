package siemload.results.report;

import java.util.Locale;
import java.util.function.ToLongFunction;
import siemload.results.MicrosSummary;

/** Times in milliseconds, with as many digits as the page of the run shows (elements.js). Stateless and thread-safe. */
final class Millis {
    private Millis() {}

    static String of(long micros) {
        String format = micros < 10_000 ? "%.2f" : micros < 100_000 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, micros / 1000.0);
    }

    /** One figure of a distribution; a dash where nothing was measured, as of searches that all failed. */
    static String of(MicrosSummary times, ToLongFunction<MicrosSummary> figure) {
        return times.equals(MicrosSummary.NONE) ? "-" : of(figure.applyAsLong(times));
    }
}
