package siemload.scenario.rate;

import java.time.Duration;
import java.util.Locale;

/**
 * What a rate asks for during a run, for people. Immutable.
 *
 * @param total how many things are due
 * @param slowest in the second with the fewest
 * @param fastest in the second with the most
 */
public record RateRange(long total, double slowest, double fastest) {

    /** The range of the whole seconds from the start until this time, which is at least a second. */
    public static RateRange of(Rate rate, Duration time) {
        double slowest = Double.MAX_VALUE;
        double fastest = 0;
        double before = 0;
        for (double second = 1; second <= Math.max(1.0, (double) time.toSeconds()); second++) {
            double due = rate.dueUntil(second);
            slowest = Math.min(slowest, due - before);
            fastest = Math.max(fastest, due - before);
            before = due;
        }
        return new RateRange(Math.round(rate.dueUntil(time.toMillis() / 1e3)), slowest, fastest);
    }

    /** {@code 12,000 in all, 50 in the slowest second, 412.5 in the fastest}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d in all, %s in the slowest second, %s in the fastest",
                total,
                number(slowest),
                number(fastest));
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%,.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
