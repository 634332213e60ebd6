package siemload.results;

import java.util.List;
import java.util.Locale;

/**
 * What other programs cost a run. Immutable.
 *
 * @param percentilesOffPercent how far p50, p95 and p99 may be off because of others, as an estimate; 0 where they cost nothing
 * @param causes who or what cost so much that the run is disturbed, or not valid; empty where it is neither for this reason
 */
public record Disturbance(double percentilesOffPercent, List<String> causes) {
    /** Above it, more than half of a response time is due to others. */
    private static final double MOST_PERCENT = 100;

    /** Nobody disturbed the run. */
    public static final Disturbance NONE = new Disturbance(0, List.of());

    public Disturbance {
        causes = List.copyOf(causes);
    }

    /** Whether it must be told. */
    public boolean seen() {
        return !causes.isEmpty();
    }

    /** Whether nothing can be said of the database any more. */
    public boolean tooMuch() {
        return seen() && percentilesOffPercent > MOST_PERCENT;
    }

    /** Who cost what, and how far the percentiles may be off. */
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "%s; the percentiles may be off by about %.0f %%",
                String.join(", ", causes),
                Math.ceil(percentilesOffPercent));
    }
}
