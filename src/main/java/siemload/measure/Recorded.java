package siemload.measure;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a {@link Tally} has taken since an instant, for another one to add: nothing is lost and nothing rounded, so that one with what
 * several have taken is as one that has taken all of it.
 *
 * @param counts by their names; what is not there is 0
 * @param times in microseconds, by their names; what is not there is none
 */
public record Recorded(Map<String, Long> counts, Map<String, Histogram> times) {
    private static final int SIGNIFICANT_DIGITS = 3;

    public Recorded {
        counts = Map.copyOf(counts);
        times = Map.copyOf(times);
    }

    long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    Histogram times(String name) {
        Histogram some = times.get(name);
        return some == null ? new Histogram(SIGNIFICANT_DIGITS) : some;
    }
}
